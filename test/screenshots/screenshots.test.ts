import { stat } from 'node:fs/promises';
import type { Browser, Locator, Page } from 'playwright-core';

import { startLocalApi } from '../../playground/api/server.ts';
import { CUSTOMER } from '../../playground/api/wellKnown.ts';
import { saveAccount } from '../../playground/n8n/account.ts';
import { setUp } from '../../playground/n8n/setUp.ts';
import { actionWorkflow } from '../support/actionWorkflow.ts';
import { startAsking, type Asking } from '../support/askedWorkflow.ts';
import { ASK } from '../support/askingWorkflow.ts';
import { launchBrowser } from '../support/browser.ts';
import { openEditor } from '../support/editor.ts';
import { n8nUnderTest, type N8nUnderTest } from '../support/n8nUnderTest.ts';
import { openPhonePage } from '../support/phonePage.ts';

jest.setTimeout(180_000);

const MAX_BYTES = 150_000;
const TEMPLATE = 'Hi {{1}}, your order {{2}} arrives on {{3}}.';
const QUESTION = {
	...ASK,
	variablesInput: 'templateText',
	templateText: 'Hi {{1}}, we have a question about your order: {{2}}',
	variable1: 'Asha',
	variable2: '[link]',
	message: 'May we bring your blue kettle on Friday, between 9 and 12?',
};

let n8n: N8nUnderTest;
let asking: Asking;
let account: { id: string; name: string };
let browser: Browser;

beforeAll(async () => {
	n8n = await n8nUnderTest();
	asking = await startAsking(n8n);
	account = await saveAccount(n8n, 'My account', { baseUrl: asking.api.url });
	browser = await launchBrowser();
});

afterAll(async () => {
	await browser?.close();
	await asking?.api.close();
});

describe.each(['light', 'dark'] as const)('%s', (theme) => {
	/** Writes a picture for the documents, which must not be too large for a README. */
	async function takePicture(target: Locator | Page, name: string) {
		const path = `docs/${name}${theme === 'dark' ? '-dark' : ''}.png`;
		await target.screenshot({ path, animations: 'disabled' });
		expect((await stat(path)).size).toBeLessThanOrEqual(MAX_BYTES);
	}

	/** The panel of the action node. */
	async function openPanel(parameters: object, height: number) {
		const workflow = actionWorkflow(account, { ...parameters });
		const { id } = await n8n.client.workflows.save(workflow);
		const editor = await openEditor(n8n, { theme });
		await editor.page.setViewportSize({ width: 1200, height });
		await editor.openWorkflow(id);
		await editor.openNode('Business Messaging');
		return editor;
	}

	it('from key to first message', async () => {
		const message = { to: CUSTOMER, templateName: 'order_update' };
		const { page, input, field, ...editor } = await openPanel(message, 820);
		await editor.paste(field('templateText').getByRole('textbox'), TEMPLATE);
		for (const [index, value] of ['Asha', 'A-17', 'Friday'].entries()) {
			await input(`variable${index + 1}`).fill(value);
		}
		await page.getByText('Template Text', { exact: true }).click();
		await takePicture(page.getByTestId('node-parameters'), 'template-fields');

		await editor.execute();
		await editor.output.getByText('1 message sent').waitFor();
		await page.locator('.el-notification__closeBtn').click();
		await takePicture(page, 'result');

		const dialog = page.getByTestId('credential-edit-dialog');
		await page.getByTestId('credential-edit-button').click();
		await dialog.getByText('Connection tested successfully').waitFor();
		await takePicture(dialog, 'credential');
		await editor.close();
	});

	it('the fields of a question', async () => {
		const editor = await openPanel(QUESTION, 1500);
		await editor.field('limitWaitTime').waitFor();
		await takePicture(editor.page.getByTestId('node-parameters'), 'ask-fields');
		await editor.close();
	});

	it('the page of a question, and the thanks', async () => {
		const { link } = await asking.ask(QUESTION);
		const viewport = { width: 390, height: 600 };
		const page = await browser.newPage({ viewport, colorScheme: theme });
		await page.goto(link);
		await takePicture(page, 'question');
		await page.getByRole('button', { name: 'Approve' }).click();
		await page.getByRole('heading', { name: 'Thank you' }).waitFor();
		await page.setViewportSize({ width: 390, height: 320 });
		await takePicture(page, 'answered');
		await page.close();
	});

	it('a message on the phone page, and its answer', async () => {
		const api = await startLocalApi({ readAfterMs: 500 });
		const scene = await setUp(n8n, api);
		const viewport = { width: 1100, height: 760 };
		const phone = await openPhonePage(browser, api, { viewport, colorScheme: theme });
		const answers = await phone.fromBusiness.count();
		await phone.write('Is the blue kettle still in stock?');
		await phone.fromBusiness.nth(answers).getByText('Read').waitFor();
		await takePicture(phone.page, 'phone');
		await phone.close();
		for (const { id } of [scene.autoReply, scene.formToCrm]) {
			await n8n.client.workflows.unpublish(id);
		}
		await api.close();
	});
});
