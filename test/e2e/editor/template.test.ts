import { startLocalApi, type LocalApi } from '../../../playground/api/server.ts';
import { CUSTOMER } from '../../../playground/api/wellKnown.ts';
import { saveAccount } from '../../../playground/n8n/account.ts';
import { eventually } from '../../../playground/eventually.ts';
import { actionWorkflow } from '../../support/actionWorkflow.ts';
import { openEditor, type Editor } from '../../support/editor.ts';
import { n8nUnderTest } from '../../support/n8nUnderTest.ts';
import { templateEditor } from '../../support/templateEditor.ts';

// A browser starts slowly on a machine that is busy.
jest.setTimeout(180_000);

const TEMPLATE = 'Hi {{1}}, your order {{2}} arrives on {{3}}.';

let api: LocalApi;
let editor: Editor;
let template: ReturnType<typeof templateEditor>;

beforeAll(async () => {
	api = await startLocalApi();
	const n8n = await n8nUnderTest();
	const credential = await saveAccount(n8n, 'Template in the editor', { baseUrl: api.url });
	const workflow = actionWorkflow(credential, { to: CUSTOMER, templateName: 'order_update' });
	workflow.pinData = { Start: [{ json: { customer: 'Asha', order: 'A-17' } }] };
	editor = await openEditor(n8n, { workflow, node: 'Business Messaging' });
	template = templateEditor(editor);
});

afterAll(async () => {
	await editor?.close();
	await api?.close();
});

async function drag(inputField: string, target: string) {
	const { page, field } = editor;
	const from = page.getByTestId('ndv-input-panel').getByText(inputField, { exact: true }).first();
	await from.hover();
	await page.mouse.down();
	await field(target).hover();
	// The editor marks where a value may be dropped only after the pointer has moved there.
	await field(target).hover();
	await page.mouse.up();
}

// README, Top: a field per placeholder
test('a pasted text gives a field for each placeholder; values are dragged in and sent', async () => {
	const { page, field, input, execute, screenshot } = editor;
	await page.getByText('Paste the template text above').waitFor();
	await template.paste(TEMPLATE);
	await template.expectFields(1, 2, 3);

	await drag('customer', 'variable1');
	await field('variable1').getByText('{{ $json.customer }}').waitFor();
	await drag('order', 'variable2');
	await field('variable2').getByText('{{ $json.order }}').waitFor();
	await input('variable3').fill('Friday');
	await page.getByText('Template Text', { exact: true }).click();
	await screenshot('template-fields');

	await execute();
	const sent = await eventually('the message', () => [...api.messages.values()][0]);
	expect(sent.templateVariables).toEqual({ 1: 'Asha', 2: 'A-17', 3: 'Friday' });
});

test('the values stay when only other words of the text, or the template name, change', async () => {
	const { input, field } = editor;
	await template.paste(`${TEMPLATE} Thank you!`);
	await template.text.getByText('Thank you!').waitFor();
	await input('templateName').fill('order_canceled');
	await input('templateName').blur();
	await field('variable1').getByText('{{ $json.customer }}').waitFor();
	expect(await input('variable3').inputValue()).toBe('Friday');
});

test('in the other modes the text stays, and no field of it', async () => {
	for (const mode of ['None', 'List', 'JSON']) {
		await editor.choose('variablesInput', mode);
		await template.expectFields();
		await template.text.getByText('Thank you!').waitFor();
	}
	await editor.screenshot('template-mode-json');
	await editor.choose('variablesInput', 'From Template Text');
	await template.expectFields(1, 2, 3);
	await editor.screenshot('template-mode-back');
});
