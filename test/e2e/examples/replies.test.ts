import { CUSTOMER } from '../../../playground/api/wellKnown.ts';
import { outputOf } from '../../../playground/n8n/rest/executions.ts';
import { fillDataTable } from '../../support/dataTable.ts';
import { exampleRuns, expectAsPinned, send } from '../../support/exampleRuns.ts';
import { changed, imported, pinnedItems, pinnedTo } from '../../support/examples.ts';

const examples = exampleRuns();

test('form-to-crm: the form becomes a row, and its confirmation is looked up', async () => {
	// The demo has a table "Customers" of its own.
	const table = 'Customers of the example';
	const workflow = changed(await examples().ready('form-to-crm'), 'Store the customer', {
		dataTableId: { __rl: true, mode: 'name', value: table },
	});
	const [event] = pinnedItems(workflow, 'Form submitted');
	const { submission_id, form_data } = event.data as Record<string, object>;
	const { rows } = await fillDataTable(examples().n8n, table, [
		{ submission_id, name: 'earlier', phone: '', interest: '' },
	]);
	const execution = await examples().run(workflow);
	const row = expect.objectContaining({ submission_id, ...form_data });
	expect(await rows()).toEqual([row]);
	const [message] = [...examples().api.messages.keys()];
	expect(examples().calls()).toEqual({
		sent: [send(CUSTOMER, 'form_received', { 1: 'Asha Rao', 2: 'the blue kettle' })],
		lookedUp: [message],
	});
	expect(outputOf(execution, 'Look up the status')).toEqual([
		expect.objectContaining({ status: 'read' }),
	]);
	expect(await expectAsPinned('form-to-crm', execution)).toHaveLength(4);
});

describe('auto-reply', () => {
	const variables = { 1: expect.stringMatching(/^\d{1,2} [A-Z][a-z]+$/), 2: 'two hours' };
	const reply = (category: string) => send(CUSTOMER, 'message_received', variables, category);

	// docs/trigger.md: answer for free within the window
	it('is free within 24 hours of the message', async () => {
		const workflow = await examples().ready('auto-reply');
		await examples().api.customerWrites(CUSTOMER, 'Hello');
		const [event] = pinnedItems(workflow, 'Customer writes');
		const timestamp = new Date().toISOString();
		const execution = await examples().run(
			pinnedTo(workflow, 'Customer writes', { ...event, timestamp }),
		);
		expect(examples().calls().sent).toEqual([reply('service')]);
		expect(outputOf(execution, 'Reply')).toEqual([
			expect.objectContaining({ cost: expect.objectContaining({ amount: 0 }) }),
		]);
		expect(await expectAsPinned('auto-reply', execution)).toHaveLength(2);
	});

	// docs/trigger.md: a template after the window
	it('goes out as utility for the pinned message, which is older', async () => {
		const execution = await examples().run(await examples().ready('auto-reply'));
		expect(examples().calls().sent).toEqual([reply('utility')]);
		const [pinned] = pinnedItems(await imported('auto-reply'), 'Reply');
		expect(outputOf(execution, 'Reply')[0].preview).toBe(pinned.preview);
	});
});
