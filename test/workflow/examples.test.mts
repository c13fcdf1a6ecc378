import { type IDataObject, type IExecuteFunctions, type INodeExecutionData } from 'n8n-workflow';

import { BusinessMessaging } from '../../nodes/BusinessMessaging/BusinessMessaging.node';
import { madeUpNode, runWorkflow, type WorkflowToRun } from '../support/engine.mts';
import { examples, STICKY_NOTE } from '../support/examples.mts';

/** n8n's own, unless it is set. */
const timeZone = 'America/New_York';

type Row = Record<string, unknown>;
type Execute = (this: IExecuteFunctions) => Promise<INodeExecutionData[][]>;

/** A node of n8n's. @param names of its parameters */
const base = (
	type: string,
	execute: Execute,
	names: string[] = [],
	outputs = ['main' as const],
) => {
	const properties = names.map((name) => {
		const ofType = name === 'conditions' ? ('filter' as const) : ('json' as const);
		return { displayName: '', name, type: ofType, default: {} };
	});
	return { [`n8n-nodes-base.${type}`]: madeUpNode(execute, { properties, outputs }) };
};

async function fulfilled(this: IExecuteFunctions) {
	const meets = (item: number) =>
		this.getNodeParameter('conditions', item, false, { extractValue: true }) as boolean;
	const items = this.getInputData().map((each, item) => ({ ...each, pairedItem: { item } }));
	return [items.filter((_, item) => meets(item)), items.filter((_, item) => !meets(item))];
}

/** As n8n's node does with a table of these rows: what an item does not have is emptied. */
function dataTable(rows: Row[]): Execute {
	return async function () {
		const found = this.getInputData().flatMap((each, item) => {
			const filters = this.getNodeParameter('filters.conditions', item) as Row[];
			const values = this.getNodeParameter('columns.value', item, {}) as Row;
			const own = rows.filter((row) =>
				filters.every(({ keyName, condition, keyValue }) => {
					const cell = row[String(keyName)] ?? '';
					return cell === (condition === 'isEmpty' ? '' : keyValue);
				}),
			);
			if (this.getNodeParameter('operation', item) === 'rowExists') {
				return own.length > 0 ? [{ ...each, pairedItem: { item } }] : [];
			}
			return own.map((row) => {
				for (const [column, value] of Object.entries(values)) row[column] = value ?? null;
				return { json: { ...row } as IDataObject, pairedItem: { item } };
			});
		});
		return [found];
	};
}

/** @param answers what a node puts out for an item; a lone `error` leaves through the error output */
async function runExample(
	example: string,
	rows: Row[],
	answers: Record<string, (json: IDataObject) => IDataObject>,
) {
	const [, workflow] = examples.find(([name]) => name === example)!;
	const answered: Execute = async function () {
		const json = this.getInputData().map((item) => answers[this.getNode().name](item.json));
		return [json.map((each, item) => ({ json: each, pairedItem: { item } }))];
	};
	const own = new BusinessMessaging().description;
	const { run } = await runWorkflow({
		nodes: workflow.nodes.filter(({ type }) => type !== STICKY_NOTE) as WorkflowToRun['nodes'],
		connections: workflow.connections as WorkflowToRun['connections'],
		nodeTypes: {
			...base('scheduleTrigger', async () => [[{ json: {} }]]),
			...base('dataTable', dataTable(rows), ['operation', 'filters', 'columns']),
			...base('if', fulfilled, ['conditions'], ['main', 'main']),
			...base('filter', fulfilled, ['conditions']),
			...base('emailSend', answered),
			...base('wait', async function () {
				return [this.getInputData()];
			}),
			[`n8n-nodes-business-messaging.${own.name}`]: {
				description: { ...own, credentials: [] },
				execute: answered,
			},
		},
	});
	expect(run.data.resultData.error).toBeUndefined();
}

const sent = (json: IDataObject) => ({ message_id: `msg_${json.name}`, status: 'sent' });
const sentBefore = { sentBefore: true };

it('an appointment-reminder beside another one writes no second email, and leaves what the other one noted', async () => {
	const today = new Date().toLocaleDateString('sv-SE', { timeZone });
	const day = new Date(Date.parse(today) + 24 * 3_600_000).toISOString().slice(0, 10);
	const names = ['Asha', 'Ravi', 'Lena', 'Jonas'];
	const table = names.map((name, id): Row => ({ id, name, day, time: '10:00', reminder: '' }));
	const emails: unknown[] = [];
	await runExample('appointment-reminder', table, {
		Remind: () => sentBefore,
		'Look it up': (json) => {
			// What the other run notes meanwhile.
			table[0].reminder = 'read';
			table[1].reminder = 'email';
			table[2].reminder = 'please call';
			return json;
		},
		'Write an email': (json) => {
			emails.push(json);
			return { accepted: [] };
		},
	});
	expect(table.map(({ reminder }) => reminder)).toEqual(['read', 'email', 'please call', 'email']);
	expect(emails).toHaveLength(1);
});

it('a row of order-updates whose message another run sent keeps what that run wrote, and is not picked up again', async () => {
	const order = { order_status: 'shipped', message_id: null, message_status: null, problem: null };
	const told = { message_status: 'sent', problem: null };
	const table: Row[] = [
		{ ...order, order_id: 'A-1', name: 'Asha' },
		{ ...order, order_id: 'A-2', problem: 'It failed at first' },
		{ ...order, order_id: 'A-3' },
		// It failed at the network, and somebody emptied the status.
		{ ...order, order_id: 'A-4', message_id: 'msg_failed' },
		{ ...order, order_id: 'A-5' },
	];
	const [, , third, , fifth] = table;
	const heldBack = { error: { message: '', outcome: 'rejected', sendAfter: 'tomorrow' } };
	const runs: Record<string, IDataObject[]> = {
		'A-2': [sentBefore],
		'A-3': [sentBefore],
		'A-4': [sentBefore],
		'A-5': [heldBack, sentBefore],
	};
	await runExample('order-updates', table, {
		'Tell the customer': (json) => {
			// What the other run does meanwhile.
			if (json.order_id === 'A-3') Object.assign(third, told, { message_id: 'msg_3' });
			if (runs['A-5'].length === 1) Object.assign(fifth, told, { message_id: 'msg_5' });
			return runs[String(json.order_id)]?.shift() ?? sent(json);
		},
		'Look up the status': ({ message_id }) => ({ message_id, status: 'sent' }),
	});
	const left = table.map((row) => [row.order_id, row.message_id, row.message_status, row.problem]);
	expect(left).toEqual([
		['A-1', 'msg_Asha', 'sent', null],
		['A-2', null, 'sent before', null],
		['A-3', 'msg_3', 'sent', null],
		['A-4', 'msg_failed', 'sent before', null],
		['A-5', 'msg_5', 'sent', null],
	]);
});
