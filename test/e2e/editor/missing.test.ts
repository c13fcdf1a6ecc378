import { saveAccount } from '../../../playground/n8n/account.ts';
import { actionWorkflow } from '../../support/actionWorkflow.ts';
import { openEditor, type Editor } from '../../support/editor.ts';
import { n8nUnderTest } from '../../support/n8nUnderTest.ts';

// A browser starts slowly on a machine that is busy.
jest.setTimeout(180_000);

let editor: Editor;

beforeAll(async () => {
	const n8n = await n8nUnderTest();
	const credential = await saveAccount(n8n, 'Never used');
	const workflow = actionWorkflow(credential, {
		to: '+12025550110',
		templateText: 'Hi {{1}}, welcome to {{2}}.',
	});
	editor = await openEditor(n8n, { workflow, node: 'Business Messaging' });
});

afterAll(async () => {
	await editor?.close();
});

test('missing fields are marked red, and named when the step is executed', async () => {
	const { page, input, execute, notification, screenshot } = editor;
	await input('variable1').fill('Asha');
	await execute();
	const problem = await notification('Workflow execution cannot start');
	expect(problem).toContain('Parameter "Template Name" is required');
	expect(problem).toContain('Parameter "{{2}}" is required');
	expect(problem).not.toContain('"To"');
	expect(await page.getByTestId('parameter-issues').count()).toBe(2);
	await screenshot('missing-fields');
});
