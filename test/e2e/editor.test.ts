import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { startLocalApi, type LocalApi } from '../../playground/api/server.ts';
import { DEVELOPMENT_KEY, START_PLAN_KEY } from '../../playground/api/wellKnown.ts';
import { eventually } from '../../playground/eventually.ts';
import { projectFolder } from '../../playground/folders.ts';
import { openEditor, paste } from '../support/editor.ts';
import { n8nUnderTest, type N8nUnderTest } from '../support/n8nUnderTest.ts';
import { actionWorkflow } from '../support/actionWorkflow.ts';

// A browser starts slowly on a machine that is busy.
jest.setTimeout(180_000);

const TEMPLATE = 'Hi {{1}}, your order {{2}} arrives on {{3}}.';

let n8n: N8nUnderTest;
let api: LocalApi;
let editor: Awaited<ReturnType<typeof openEditor>>;
let page: Page;
let credential: { id: string; name: string };

const account = (apiKey: string) => ({
	name: 'My provider',
	type: 'businessMessagingApi',
	data: { baseUrl: api.url, apiKey },
});

beforeAll(async () => {
	n8n = await n8nUnderTest();
	api = await startLocalApi();
	credential = await n8n.client.credentials.save(account(DEVELOPMENT_KEY));
	editor = await openEditor(n8n.url);
	({ page } = editor);
});

afterAll(async () => {
	await editor?.close();
	await api?.close();
});

async function screenshot(name: string) {
	if (process.env.UPDATE_SCREENSHOTS !== '1') return;
	const folder = join(projectFolder, 'docs');
	await mkdir(folder, { recursive: true });
	await page.screenshot({ path: join(folder, `${name}.png`) });
}

test('a pasted text with three placeholders gives three labeled fields, whose values are sent', async () => {
	const { id } = await n8n.client.workflows.save(
		actionWorkflow(credential, { to: '+12025550110', templateName: 'order_update' }),
	);
	await page.goto(`${n8n.url}/workflow/${id}`);
	await page
		.getByTestId('canvas-node')
		.filter({ hasText: 'Business Messaging' })
		.first()
		.dblclick();
	await page.getByTestId('parameter-input-templateText').locator('.cm-content').click();
	await paste(page, TEMPLATE);

	for (const [position, label, value] of [
		[1, 'Hi {{1}}, your order', 'Asha'],
		[2, 'Hi …, your order {{2}} arrives on …', 'A-17'],
		[3, 'order … arrives on {{3}}', 'Friday'],
	] as const) {
		await page.getByText(label).waitFor();
		await page.getByTestId(`parameter-input-variable_${position}`).getByRole('textbox').fill(value);
	}
	expect(await page.locator('[data-test-id^="parameter-input-variable_"]').count()).toBe(3);
	await page.getByText('Values', { exact: true }).click();
	await screenshot('template-fields');

	await page.getByTestId('node-execute-button').click();
	const sent = await eventually('the message', () => [...api.messages.values()][0]);
	expect(sent.templateVariables).toEqual({ 1: 'Asha', 2: 'A-17', 3: 'Friday' });
});

test('a good and a bad credential are told apart in their dialog', async () => {
	await page.goto(`${n8n.url}/home/credentials/${credential.id}`);
	await page.getByText('Connection tested successfully').waitFor();

	await page.getByTestId('parameter-input-apiKey').getByRole('textbox').fill(START_PLAN_KEY);
	await page.getByTestId('credential-save-button').click();
	await page.getByText('Couldn’t connect with these settings').waitFor();
	await page.getByText('More details').click();
	const { message } = await n8n.client.credentials.test(account(START_PLAN_KEY));
	await page.getByText(message).filter({ visible: true }).first().waitFor();
});
