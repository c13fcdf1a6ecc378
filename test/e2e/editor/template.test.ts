import { startLocalApi, type LocalApi } from '../../../playground/api/server.ts';
import { CUSTOMER } from '../../../playground/api/wellKnown.ts';
import { saveAccount } from '../../../playground/n8n/account.ts';
import { eventually } from '../../../playground/eventually.ts';
import { actionWorkflow } from '../../support/actionWorkflow.ts';
import { openEditor, type Editor } from '../../support/editor.ts';
import { n8nUnderTest } from '../../support/n8nUnderTest.ts';

// A browser starts slowly on a machine that is busy.
jest.setTimeout(180_000);

const TEMPLATE = 'Hi {{1}}, your order {{2}} arrives on {{3}}.';

let api: LocalApi;
let editor: Editor;

beforeAll(async () => {
	api = await startLocalApi();
	const n8n = await n8nUnderTest();
	const credential = await saveAccount(n8n, 'Template in the editor', { baseUrl: api.url });
	const workflow = actionWorkflow(credential, { to: CUSTOMER, templateName: 'order_update' });
	workflow.pinData = { Start: [{ json: { customer: 'Asha', order: 'A-17' } }] };
	editor = await openEditor(n8n, { workflow, node: 'Business Messaging' });
});

afterAll(async () => {
	await editor?.close();
	await api?.close();
});

function templateText() {
	return editor.field('templateText').locator('.cm-content');
}

function fields() {
	return editor.page.locator('[data-test-id^="parameter-input-variable_"]');
}

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
test('a pasted text gives a labeled field for each placeholder; values are dragged in and sent', async () => {
	const { page, field, input, execute, screenshot } = editor;
	await page.getByText('Paste the template text above').waitFor();
	await editor.paste(templateText(), TEMPLATE);
	for (const label of ['Hi {{1}}', 'order {{2}}', 'on {{3}}']) {
		await page.getByTestId('resource-mapper-container').getByText(label).first().waitFor();
	}
	expect(await fields().count()).toBe(3);

	await drag('customer', 'variable_1');
	await field('variable_1').getByText('{{ $json.customer }}').waitFor();
	await drag('order', 'variable_2');
	await field('variable_2').getByText('{{ $json.order }}').waitFor();
	await input('variable_3').fill('Friday');
	await page.getByText('Template Text', { exact: true }).click();
	await screenshot('template-fields');

	await execute();
	const sent = await eventually('the message', () => [...api.messages.values()][0]);
	expect(sent.templateVariables).toEqual({ 1: 'Asha', 2: 'A-17', 3: 'Friday' });
});

test('the values stay when only other words of the text change', async () => {
	const { input, field } = editor;
	await editor.paste(templateText(), `${TEMPLATE} Thank you!`);
	await templateText().getByText('Thank you!').waitFor();
	await field('variable_1').getByText('{{ $json.customer }}').waitFor();
	expect(await input('variable_3').inputValue()).toBe('Friday');
});

test('no value goes into another template, however alike the texts are', async () => {
	const { input, field } = editor;
	await input('templateName').fill('order_canceled');
	await input('templateName').blur();
	await eventually(
		'an empty field',
		async () => (await input('variable_3').inputValue()) === '' || undefined,
	);
	await field('variable_1').getByText('{{ $json.customer }}').waitFor({ state: 'detached' });
});

test('a text with other placeholders gets other fields, and none keeps a value of the old text', async () => {
	const { input, screenshot } = editor;
	await editor.paste(templateText(), 'Hello {{1}}, your code is {{2}}.');
	await eventually('two fields', async () => (await fields().count()) === 2 || undefined);
	expect(await input('variable_1').inputValue()).toBe('');
	expect(await input('variable_2').inputValue()).toBe('');
	await screenshot('template-changed');
});
