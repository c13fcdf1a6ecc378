import type { Browser } from 'playwright-core';
import { actionWorkflow } from '../support/actionWorkflow.ts';
import { startAsking, type Asking } from '../support/askedWorkflow.ts';
import { ASK } from '../support/askingWorkflow.ts';
import { launchBrowser } from '../support/browser.ts';
import { openEditor } from '../support/editor.ts';
import { n8nUnderTest, type N8nUnderTest } from '../support/n8nUnderTest.ts';
import { THEMES, takePicture } from './pictures.ts';

jest.setTimeout(180_000);

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
let browser: Browser;

beforeAll(async () => {
	n8n = await n8nUnderTest();
	asking = await startAsking(n8n);
	browser = await launchBrowser();
});

afterAll(async () => {
	await browser?.close();
	await asking?.api.close();
});

it.each(THEMES)('the fields of a question, %s', async (theme) => {
	const { id } = await n8n.client.workflows.save(actionWorkflow(asking.credential, QUESTION));
	const editor = await openEditor(n8n, { theme });
	await editor.page.setViewportSize({ width: 1200, height: 1500 });
	await editor.openWorkflow(id);
	await editor.openNode('Business Messaging');
	await editor.field('limitWaitTime').waitFor();
	await takePicture(editor.page.getByTestId('node-parameters'), 'ask-fields', theme);
	await editor.close();
});

it.each(THEMES)('the page of a question, and the thanks, %s', async (colorScheme) => {
	const { link } = await asking.ask(QUESTION);
	const page = await browser.newPage({ viewport: { width: 390, height: 600 }, colorScheme });
	await page.goto(link);
	await takePicture(page, 'question', colorScheme);
	await page.getByRole('button', { name: 'Approve' }).click();
	await page.getByRole('heading', { name: 'Thank you' }).waitFor();
	await page.setViewportSize({ width: 390, height: 320 });
	await takePicture(page, 'answered', colorScheme);
	await page.close();
});
