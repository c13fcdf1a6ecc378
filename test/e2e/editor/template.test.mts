import { CUSTOMER } from '../../../playground/api/wellKnown.mts';
import { eventually } from '../../../playground/eventually.mts';
import type { SavedWorkflow } from '../../../playground/n8n/rest/workflows.mts';
import { actionWorkflow } from '../../support/actionWorkflow.mts';
import { editorOfFile } from '../../support/editorOfFile.mts';

const NODE = 'Business Messaging';
const TEMPLATE = 'Hi {{1}}, your order {{2}} arrives on {{3}}.';
const opened = editorOfFile('Template in the editor');

/** Waits until the template text has these words. */
async function expectText(words: string) {
	const text = opened().editor.field('templateText').getByRole('textbox');
	await eventually(`the text ${words}`, async () => (await text.inputValue()).includes(words));
}

/** Waits until there are fields for these placeholders and no others, in this order. */
async function expectFields(...positions: number[]) {
	const { page } = opened().editor;
	const fields = page.locator('[data-test-id^="parameter-input-variable"]');
	await eventually(`the fields ${positions.join() || '(none)'}`, async () => {
		const ids = await fields.evaluateAll((all) => all.map((each) => each.dataset.testId));
		const shown = ids.flatMap((id) => /-variable(\d+)$/.exec(id ?? '')?.[1] ?? []);
		return shown.join() === positions.join();
	});
	for (const position of positions) {
		await page.getByText(`{{${position}}}`, { exact: true }).first().waitFor();
	}
}

/** The panel of Send Template with this data before it. */
async function open(parameters: object = {}, data: Record<string, unknown> = {}) {
	const { credential, editor } = opened();
	const sending = { to: CUSTOMER, templateName: 'order_update', ...parameters };
	const workflow = actionWorkflow(credential, sending);
	const id = await editor.show({ ...workflow, pinData: { Start: [{ json: data }] } }, NODE);
	const text = editor.field('templateText').getByRole('textbox');
	return {
		...editor,
		id,
		text,
		pasteText: async (words: string) => await editor.paste(text, words),
	};
}

/** What is stored of the node, once it is so after saving. */
async function saved(id: string, parameter: string, value: string) {
	const { n8n, editor } = opened();
	await editor.closeNode();
	await editor.page.keyboard.press('ControlOrMeta+S');
	return await eventually(`${parameter} to be saved`, async () => {
		const { nodes } = await n8n.client.session.call<SavedWorkflow>('GET', `/workflows/${id}`);
		return nodes[1].parameters[parameter] === value && nodes[1].parameters;
	});
}

async function drag(inputField: string, target: string) {
	const { page, field } = opened().editor;
	const from = page.getByTestId('ndv-input-panel').getByText(inputField, { exact: true }).first();
	await from.hover();
	await page.mouse.down();
	await field(target).hover();
	// The editor marks where a value may be dropped only after the pointer has moved there.
	await field(target).hover();
	await page.mouse.up();
}

// README, Top: a field per placeholder
test('a pasted text gives a field for each placeholder; values are dragged, pasted and typed, stay with other words, are sent, and are there after a reload', async () => {
	const panel = await open({}, { customer: 'Asha', order: 'A-17' });
	const { page, field, input, pasteText } = panel;
	await page.getByText('With country code, such as +1 415 555 2671').waitFor();
	await page.getByText('Paste the template text above').waitFor();
	await pasteText(TEMPLATE);
	await expectFields(1, 2, 3);
	const aboutOldValues = page.getByText('If you change the text, the values below stay');
	expect(await aboutOldValues.count()).toBe(0);

	await drag('customer', 'variable1');
	await field('variable1').getByText('{{ $json.customer }}').waitFor();
	await aboutOldValues.waitFor();
	// What is pasted in braces becomes an expression by itself.
	await panel.paste(input('variable2'), '{{ $json.order }}');
	await field('variable2').getByText('{{ $json.order }}').waitFor();
	await input('variable3').fill('Friday');
	await pasteText(`${TEMPLATE} Thank you!`);
	await expectText('Thank you!');
	await field('variable1').getByText('{{ $json.customer }}').waitFor();
	await panel.execute();
	const sent = await eventually('the message', () => [...opened().api.messages.values()][0]);
	expect(sent.templateVariables).toEqual({ 1: 'Asha', 2: 'A-17', 3: 'Friday' });

	await saved(panel.id, 'variable3', 'Friday');
	await page.reload();
	await panel.openNode(NODE);
	await expectFields(1, 2, 3);
	await field('variable1').getByText('{{ $json.customer }}').waitFor();
	expect(await input('variable3').inputValue()).toBe('Friday');
});

test('a text that is typed is read as it was meant, though the editor closes its braces; on a small screen its fields begin without scrolling', async () => {
	const { page, field, text } = await open();
	const size = page.viewportSize()!;
	try {
		await page.setViewportSize({ width: 1280, height: 800 });
		await text.click();
		await page.keyboard.type('Hi {{1}}, your order {{2}} is here.');
		await expectFields(1, 2);
		// The editor scrolls to the field that has the focus.
		await field('to').evaluate((input) => {
			for (let at = input.parentElement; at; at = at.parentElement) at.scrollTop = 0;
		});
		const { y, height } = (await field('variable1').boundingBox())!;
		expect(y + height).toBeLessThan(800);
	} finally {
		await page.setViewportSize(size);
	}
});

const VALUES = { variable1: 'Asha', variable2: '={{ $json.data.order }}', variable3: 'Friday' };

// docs/sending.md: values stay with their numbers; another choice of Variables
test('another template: values stay under their numbers, and one without a number is gone; another choice of Variables clears them', async () => {
	const panel = await open({ templateText: TEMPLATE, ...VALUES });
	const { id, page, input, pasteText } = panel;
	await pasteText('Your code is {{1}}.');
	await expectFields(1);
	expect(await input('variable1').inputValue()).toBe('Asha');
	await page.getByText('If you change the text, the values below stay').waitFor();
	const parameters = await saved(id, 'templateText', 'Your code is {{1}}.');
	expect(parameters).toHaveProperty('variable1');
	expect(parameters).not.toHaveProperty('variable2');
	expect(parameters).not.toHaveProperty('variable3');

	await panel.openNode(NODE);
	await page.getByText('Switching Variables clears them').waitFor();
	for (const mode of ['None', 'JSON']) {
		await panel.choose('variablesInput', mode);
		await expectFields();
		await expectText('Your code is {{1}}.');
	}
	await panel.choose('variablesInput', 'From Template Text');
	await expectFields(1);
	expect(await input('variable1').inputValue()).toBe('');
});
