import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { BusinessMessaging } from '../../nodes/BusinessMessaging/BusinessMessaging.node';
import { madeUpNode, runWorkflow, type WorkflowToRun } from '../support/engine.mts';
import { examples, STICKY_NOTE } from '../support/examples.mts';

type Row = Record<string, unknown>;
type Execute = (this: IExecuteFunctions) => Promise<INodeExecutionData[][]>;

/** A node of n8n's. @param names of its parameters */
function base(execute: Execute, type: 'json' | 'filter' = 'json', ...names: string[]) {
	const properties = names.map((name) => ({ displayName: '', name, type, default: {} }));
	return madeUpNode(execute, { properties, outputs: ['main', 'main'] });
}

async function fulfilled(this: IExecuteFunctions) {
	const meets = (item: number) =>
		this.getNodeParameter('conditions', item, false, { extractValue: true }) as boolean;
	const items = this.getInputData().map((each, item) => ({ ...each, pairedItem: { item } }));
	return [items.filter((_, item) => meets(item)), items.filter((_, item) => !meets(item))];
}

/** As n8n's node does with a table of these rows: what an item does not have is emptied. */
function dataTable(rows: Row[]): Execute {
	return async function () {
		const found = this.getInputData().flatMap((_, item) => {
			const filters = this.getNodeParameter('filters.conditions', item) as Row[];
			const values = this.getNodeParameter('columns.value', item, {}) as Row;
			const own = rows.filter((row) =>
				filters.every(({ keyName, condition, keyValue }) => {
					const cell = row[String(keyName)] ?? '';
					return cell === (condition === 'isEmpty' ? '' : keyValue);
				}),
			);
			return own.map((row) => {
				for (const [column, value] of Object.entries(values)) row[column] = value ?? null;
				return { json: { ...row } as IDataObject, pairedItem: { item } };
			});
		});
		return [found, []];
	};
}

it('a row of order-updates whose message another run sent keeps what that run wrote, and is not picked up again', async () => {
	const order = { order_status: 'shipped', message_id: null, message_status: null, problem: null };
	const told = { message_status: 'sent', problem: null };
	const table: Row[] = [
		{ ...order, order_id: 'A-1' },
		{ ...order, order_id: 'A-2', problem: 'It failed at first' },
		{ ...order, order_id: 'A-3' },
		// It failed at the network, and somebody emptied the status.
		{ ...order, order_id: 'A-4', message_id: 'msg_failed' },
		{ ...order, order_id: 'A-5' },
	];
	const [, , third, , fifth] = table;
	const sentBefore = { sentBefore: true };
	// A lone `error` leaves through the error output.
	const heldBack = { error: { message: '', outcome: 'rejected', sendAfter: 'tomorrow' } };
	const answers: Record<string, IDataObject[]> = {
		'A-1': [{ message_id: 'msg_1', status: 'sent' }],
		'A-2': [sentBefore],
		'A-3': [sentBefore],
		'A-4': [sentBefore],
		'A-5': [heldBack, sentBefore],
	};
	function send({ order_id }: IDataObject): IDataObject {
		// What the other run does meanwhile.
		if (order_id === 'A-3') Object.assign(third, told, { message_id: 'msg_3' });
		if (answers['A-5'].length === 1) Object.assign(fifth, told, { message_id: 'msg_5' });
		return answers[String(order_id)].shift()!;
	}
	const asked: Execute = async function () {
		const sends = this.getNode().name === 'Tell the customer';
		const answered = this.getInputData().map(({ json }, item) => ({
			json: sends ? send(json) : { message_id: json.message_id, status: 'sent' },
			pairedItem: { item },
		}));
		return [answered, []];
	};
	const [, example] = examples.find(([name]) => name === 'order-updates')!;
	const own = new BusinessMessaging().description;
	const { run } = await runWorkflow({
		nodes: example.nodes.filter(({ type }) => type !== STICKY_NOTE) as WorkflowToRun['nodes'],
		connections: example.connections as WorkflowToRun['connections'],
		nodeTypes: {
			'n8n-nodes-base.scheduleTrigger': base(async () => [[{ json: {} }], []]),
			'n8n-nodes-base.dataTable': base(dataTable(table), 'json', 'filters', 'columns'),
			'n8n-nodes-base.if': base(fulfilled, 'filter', 'conditions'),
			'n8n-nodes-base.filter': base(fulfilled, 'filter', 'conditions'),
			'n8n-nodes-base.wait': base(async function () {
				return [this.getInputData(), []];
			}),
			[`n8n-nodes-business-messaging.${own.name}`]: {
				description: { ...own, credentials: [] },
				execute: asked,
			},
		},
	});
	expect(run.data.resultData.error).toBeUndefined();
	const left = table.map((row) => [row.order_id, row.message_id, row.message_status, row.problem]);
	expect(left).toEqual([
		['A-1', 'msg_1', 'sent', null],
		['A-2', null, 'sent before', null],
		['A-3', 'msg_3', 'sent', null],
		['A-4', 'msg_failed', 'sent before', null],
		['A-5', 'msg_5', 'sent', null],
	]);
});
