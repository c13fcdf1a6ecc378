import type { Page } from 'playwright-core';
import { openEditor } from '../support/editor.ts';
import { n8nUnderTest, type N8nUnderTest } from '../support/n8nUnderTest.ts';
import { triggerWorkflow } from '../support/triggerWorkflow.ts';

const NO_SECRET = 'The credential has no Webhook Secret. Enter one, or set Authentication to None.';

let n8n: N8nUnderTest;
let editor: Awaited<ReturnType<typeof openEditor>>;
let page: Page;

beforeAll(async () => {
	n8n = await n8nUnderTest();
	editor = await openEditor(n8n.url);
	({ page } = editor);
});

afterAll(async () => {
	await editor?.close();
});

async function openTrigger(webhookSecret: string) {
	const credential = await n8n.client.credentials.save({
		name: `In the editor ${webhookSecret}`,
		type: 'businessMessagingApi',
		data: { baseUrl: 'http://localhost', apiKey: 'not-used', webhookSecret },
	});
	const { id } = await n8n.client.workflows.save(
		triggerWorkflow({ events: ['message.read'], authentication: 'secretToken' }, credential),
	);
	await page.goto(`${n8n.url}/workflow/${id}`);
	await trigger().waitFor();
}

function trigger() {
	return page.getByTestId('canvas-node').first();
}

/** What n8n says in its corner. */
async function notification(title: string) {
	const shown = page.getByRole('alert').filter({ hasText: title });
	await shown.waitFor();
	return await shown.innerText();
}

async function choose(parameter: string, ...options: string[]) {
	await page.getByTestId(`parameter-input-${parameter}`).click();
	for (const option of options) {
		await page.getByRole('option').filter({ hasText: option, visible: true }).first().click();
	}
}

describe('with a credential that has no webhook secret', () => {
	beforeEach(async () => {
		await openTrigger('');
	});

	test('listening for a test event says so', async () => {
		await trigger().dblclick();
		await page.getByTestId('node-execute-button').first().click();
		expect(await notification('Problem running workflow')).toContain(NO_SECRET);
	});

	test('publishing says so, after the tries that n8n makes', async () => {
		await page.getByTestId('workflow-open-publish-modal-button').click();
		await page.getByRole('dialog').getByRole('button', { name: 'Publish', exact: true }).click();
		expect(await notification('Workflow could not be published')).toContain(NO_SECRET);
	});
});

test('the outputs have the names of their events, in the order of choosing', async () => {
	await openTrigger('secret');
	await trigger().dblclick();
	await choose('events', '[All]', 'Message Received', 'Form Submitted');
	// The list of events stays open.
	await page.keyboard.press('Escape');
	await choose('outputMode', 'One Output per Event');
	await page.getByTestId('ndv-close-button').click();
	const outputs = page.getByTestId('canvas-node-output-handle');
	await outputs.filter({ hasText: 'Other' }).waitFor();
	expect(await outputs.allInnerTexts()).toEqual(['Read', 'Received', 'Submitted', 'Other']);
});
