import { CUSTOMER } from '../../../playground/api/wellKnown.ts';
import type { Workflow } from '../../../playground/n8n/rest/workflows.ts';
import { fillDataTable } from '../../support/dataTable.ts';
import { exampleRuns, send } from '../../support/exampleRuns.ts';
import { changed, imported, pinnedItems, pinnedTo, unpinned } from '../../support/examples.ts';

const examples = exampleRuns();
const SHEET = 'Sheet of forms';
const COLUMNS = ['submission_id', 'name', 'phone', 'interest', 'message_id', 'sent'].concat([
	...['delivered', 'read', 'failed', 'problem'],
]);

interface SheetParameters {
	operation: string;
	columns: { value: Record<string, string>; matchingColumns: string[] };
}

/** With a Data Table in place of the sheet, whose columns get the same values. */
function onTable(workflow: Workflow): Workflow {
	const nodes = workflow.nodes.map((node) => {
		if (node.type !== 'n8n-nodes-base.googleSheets') return node;
		const { operation, columns } = node.parameters as unknown as SheetParameters;
		const parameters = {
			resource: 'row',
			operation: operation === 'append' ? 'insert' : operation,
			dataTableId: { __rl: true, mode: 'name', value: SHEET },
			columns,
			matchType: 'allConditions',
			filters: {
				conditions: columns.matchingColumns.map((keyName) => ({
					keyName,
					condition: 'eq',
					keyValue: columns.value[keyName] ?? `={{ $json.${keyName} }}`,
				})),
			},
			options: {},
		};
		return { ...node, type: 'n8n-nodes-base.dataTable', typeVersion: 1.1, parameters };
	});
	return { ...workflow, nodes };
}

test('form-to-sheets: the row gets its message, every status whatever their order, and what went wrong', async () => {
	const empty = Object.fromEntries(COLUMNS.map((column) => [column, '']));
	const { rows } = await fillDataTable(examples().n8n, SHEET, [
		{ ...empty, submission_id: 'another', message_id: 'another' },
	]);
	const ready = unpinned(onTable(await examples().ready('form-to-sheets')), 'Wait two minutes');
	const workflow = changed(ready, 'Wait two minutes', { amount: 1, unit: 'seconds' });
	const [form, status] = pinnedItems(await imported('form-to-sheets'), 'Something happened');
	const happens = async (event: object, data: object) =>
		await examples().run(pinnedTo(workflow, 'Something happened', { ...form, ...event, data }));
	const fill = async (submission_id: string, phone: string) => {
		const form_data = { name: 'Asha', phone, interest: 'the kettle' };
		await happens({}, { submission_id, form_data });
	};

	await fill('right', CUSTOMER);
	await fill('wrong', '555-01');
	expect(examples().calls().sent).toEqual([
		send(CUSTOMER, 'form_received', { 1: 'Asha', 2: 'the kettle' }),
	]);
	const [message_id] = examples().api.messages.keys();
	const times = { read: '2026-01-31T12:00:09.000Z', delivered: '2026-01-31T12:00:04.000Z' };
	for (const [name, timestamp] of Object.entries(times)) {
		await happens({ ...status, event: `message.${name}`, timestamp }, { message_id });
	}

	const found = (await rows()).map(({ submission_id, ...row }) => [submission_id, row]);
	expect(Object.fromEntries(found)).toMatchObject({
		another: { delivered: '', read: '', sent: '', problem: '' },
		right: { message_id, ...times, sent: expect.stringMatching(/^\d{4}-/), problem: null },
		wrong: {
			...{ message_id: null, sent: null, delivered: null },
			problem: expect.stringContaining('"555-01" has no country code'),
		},
	});
});
