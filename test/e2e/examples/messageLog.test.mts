import { randomUUID } from 'node:crypto';
import { CUSTOMER, FAILS, STAYS_SENT } from '../../../playground/api/wellKnown.mts';
import { eventually } from '../../../playground/eventually.mts';
import { saveAccount } from '../../../playground/n8n/account.mts';
import { outputOf } from '../../../playground/n8n/rest/executions.mts';
import type { Workflow } from '../../../playground/n8n/rest/workflows.mts';
import { sendingEach } from '../../support/actionWorkflow.mts';
import { rowsOf } from '../../support/dataTable.mts';
import { exampleRuns, expectAsPinned } from '../../support/exampleRuns.mts';
import { imported, pinnedItems, shapeOf, withTables } from '../../support/examples.mts';
import { startMailbox, withMailbox } from '../../support/mailbox.mts';
import { runOnce } from '../../support/manualRun.mts';
import { callNode } from '../../support/nativeNodes.mts';

const examples = exampleRuns();
const OPTED_OUT = '+12025550111';
const ending = ` ${randomUUID()}`;
const tables = { messages: `Message log${ending}`, events: `Message events${ending}` };

let mailbox: Awaited<ReturnType<typeof startMailbox>>;
let log: Workflow & { id: string };

beforeAll(async () => {
	mailbox = await startMailbox();
	const ready = await examples().ready('message-log', 'Mail the sums');
	const workflow = await withMailbox(examples().n8n, withTables(ready, ending), mailbox);
	log = { ...workflow, id: (await examples().live(workflow)).id };
	await makeTableOf('Keep the event');
});

afterAll(async () => await mailbox.close());

async function makeTableOf(node: string) {
	const { parameters } = log.nodes.find(({ name }) => name === node)!;
	const { columns, dataTableId } = parameters as {
		columns: { value: object };
		dataTableId: { value: string };
	};
	const { dataTables } = examples().n8n.client;
	await dataTables.save(dataTableId.value, Object.keys(columns.value));
}

/** A workflow that sends, with what the example's note says behind all outputs of Send Template. */
async function campaign(phones: unknown[]): Promise<Workflow> {
	const { n8n, api } = examples();
	const account = await saveAccount(n8n, 'Message log', { baseUrl: api.url });
	const parameters = { to: '={{ $json.phone }}', options: { doNotSendTo: OPTED_OUT } };
	const rows = phones.map((phone) => ({ phone }));
	const onError = { onError: 'continueErrorOutput' as const };
	const workflow = sendingEach(account, rows, parameters, onError);
	const { name, nodes, connections } = workflow;
	const value = {
		workflow: '={{ $workflow.name }}',
		phone: "={{ $('Start').item.json.phone }}",
		message: '={{ $json }}',
	};
	const column = (id: string) => ({ id, displayName: id, required: false, display: true });
	// As n8n's editor makes it.
	const workflowInputs = {
		mappingMode: 'defineBelow',
		value,
		matchingColumns: [],
		schema: [{ ...column('workflow'), type: 'string' }, column('phone'), column('message')],
		attemptToConvertTypes: false,
		convertFieldsToString: true,
	};
	const { parameters: calls, ...call } = callNode(log.id);
	const Log = {
		id: randomUUID(),
		name: 'Log',
		position: [440, 0] as [number, number],
		...call,
		typeVersion: 1.4,
		parameters: { ...calls, workflowInputs },
		onError: 'continueRegularOutput' as const,
	};
	const toLog = [{ node: 'Log', type: 'main', index: 0 }];
	return {
		...workflow,
		name: `Summer ${name}`,
		nodes: [...nodes, Log],
		connections: { ...connections, 'Business Messaging': { main: [toLog, toLog, toLog] } },
	};
}

async function callsOf(status: string) {
	const all = await examples().n8n.client.executions.list(log.id);
	return all.filter((each) => each.mode === 'integrated' && each.status === status);
}

test('a table that is missing stops no campaign, and a Retry of the log writes its rows, and sends nothing', async () => {
	const { n8n } = examples();
	const workflow = await campaign([CUSTOMER, OPTED_OUT, '555-01']);
	const execution = await runOnce(n8n, workflow);
	expect(execution.status).toBe('success');
	expect(examples().calls().sent).toHaveLength(1);
	const failed = await eventually('the failed logs', async () => {
		const found = await callsOf('error');
		return found.length === 3 && found;
	});

	await makeTableOf('Keep the messages');
	for (const { id } of failed) await n8n.client.executions.retry(id);
	const example = await imported('message-log');
	const [call] = await n8n.client.executions.list(log.id, 1);
	const [written] = outputOf(call, 'Keep the messages');
	expect(shapeOf(written)).toEqual(shapeOf(pinnedItems(example, 'Keep the messages')[0]));
	const rows = await rowsOf(n8n, tables.messages);
	expect(examples().calls().sent).toHaveLength(1);
	const [wanted] = pinnedItems(example, 'All messages');
	expect(rows.map(shapeOf)).toEqual(rows.map(() => shapeOf(wanted)));
	const told = rows.map(({ phone, outcome, reason }) => [phone, outcome, reason]);
	expect(told.sort()).toEqual([
		[CUSTOMER, 'sent', ''],
		[OPTED_OUT, 'skipped', 'optedOut'],
		['555-01', 'failed', 'wrongRecipient'],
	]);
	const [sent] = rows.filter(({ outcome }) => outcome === 'sent');
	expect(sent).toMatchObject({
		workflow: workflow.name,
		template: 'order_update',
		category: 'utility',
		cost: '0.115',
		currency: 'INR',
	});
});

test('its month is added up with its events, and mailed', async () => {
	const { n8n } = examples();
	// Numbers of a sheet.
	await runOnce(n8n, await campaign([CUSTOMER, Number(FAILS.slice(1)), STAYS_SENT]));
	await examples().api.customerWrites(CUSTOMER, 'Yes please');
	// Of both tests.
	const awaited = { read: 2, failed: 1, incoming: 1 };
	for (const [event, count] of Object.entries(awaited)) {
		await eventually(event, async () => {
			const rows = await rowsOf(n8n, tables.events);
			return rows.filter((row) => row.event === `message.${event}`).length === count;
		});
	}
	// On the first of a month it adds up last month.
	const today = JSON.stringify(log).replaceAll('minus({ days: 1 })', 'minus({ days: 0 })');
	const execution = await runOnce(n8n, JSON.parse(today) as Workflow, 'Every month');
	expect((await expectAsPinned('message-log', execution)).sort()).toEqual([
		'All events',
		'All messages',
		'Every month',
		'Mail the sums',
	]);
	const [sums, ...others] = outputOf(execution, 'Count');
	expect(sums).toEqual({
		...{ category: 'utility', country: '+1', currency: 'INR', cost: 0.46 },
		...{ sent: 4, delivered: 2, read: 2, answered: 2, undelivered: 1 },
		...{ skipped: 0, failed: 0, unknown: 0, sentBefore: 0 },
	});
	expect(others).toHaveLength(2);
	expect(mailbox.mails).toHaveLength(1);
	expect(mailbox.mails[0].content.replaceAll('=\n', '')).toMatch(/category: utility.+cost: 0\.46/);
});
