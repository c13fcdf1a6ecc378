import { CUSTOMER } from '../../../playground/api/wellKnown.ts';
import { eventually } from '../../../playground/eventually.ts';
import { actionEditor } from '../../support/actionEditor.ts';
import { actionWorkflow } from '../../support/actionWorkflow.ts';
import { templateEditor } from '../../support/templateEditor.ts';

const TEMPLATE = 'Hi {{1}}, your order {{2}} arrives on {{3}}.';

const { api, editor } = actionEditor('Template in the editor', (credential) => {
	const workflow = actionWorkflow(credential, { to: CUSTOMER, templateName: 'order_update' });
	workflow.pinData = { Start: [{ json: { customer: 'Asha', order: 'A-17' } }] };
	return workflow;
});

let template: ReturnType<typeof templateEditor>;
beforeAll(() => {
	template = templateEditor(editor());
});

async function drag(inputField: string, target: string) {
	const { page, field } = editor();
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
	const { page, field, input, execute, screenshot } = editor();
	await page.getByText('With country code, such as +1 415 555 2671').waitFor();
	await page.getByText('Paste the template text above').waitFor();
	await template.paste(TEMPLATE);
	await template.expectFields(1, 2, 3);
	const aboutOldValues = page.getByText('If you change the text, the values below stay');
	expect(await aboutOldValues.count()).toBe(0);

	await drag('customer', 'variable1');
	await field('variable1').getByText('{{ $json.customer }}').waitFor();
	await aboutOldValues.waitFor();
	await drag('order', 'variable2');
	await field('variable2').getByText('{{ $json.order }}').waitFor();
	await input('variable3').fill('Friday');
	await page.getByText('Template Text', { exact: true }).click();
	await screenshot('template-fields');

	await execute();
	const sent = await eventually('the message', () => [...api().messages.values()][0]);
	expect(sent.templateVariables).toEqual({ 1: 'Asha', 2: 'A-17', 3: 'Friday' });
});

test('the values stay when only other words of the text, or the template name, change', async () => {
	const { input, field } = editor();
	await template.paste(`${TEMPLATE} Thank you!`);
	await template.expectText('Thank you!');
	await input('templateName').fill('order_canceled');
	await input('templateName').blur();
	await field('variable1').getByText('{{ $json.customer }}').waitFor();
	expect(await input('variable3').inputValue()).toBe('Friday');
});

test('in the other modes the text stays, and no field of it', async () => {
	for (const mode of ['None', 'List', 'JSON']) {
		await editor().choose('variablesInput', mode);
		await template.expectFields();
		await template.expectText('Thank you!');
	}
	await editor().screenshot('template-mode-json');
	await editor().choose('variablesInput', 'From Template Text');
	await template.expectFields(1, 2, 3);
	await editor().screenshot('template-mode-back');
});
