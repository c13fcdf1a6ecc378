import { CUSTOMER, FAILS, STAYS_SENT } from '../../../playground/api/wellKnown.mts';
import { eventually } from '../../../playground/eventually.mts';
import { saveAccount } from '../../../playground/n8n/account.mts';
import { chain } from '../../../playground/n8n/chain.mts';
import { outputOf } from '../../../playground/n8n/rest/executions.mts';
import type { Workflow } from '../../../playground/n8n/rest/workflows.mts';
import { sendingEach } from '../../support/actionWorkflow.mts';
import { exampleRuns } from '../../support/exampleRuns.mts';
import { imported, pinnedItems } from '../../support/examples.mts';
import { mailboxOfFile } from '../../support/mailbox.mts';
import { runOnce } from '../../support/manualRun.mts';
import { callWith } from '../../support/nativeNodes.mts';

const examples = exampleRuns();
const mailbox = mailboxOfFile();
const OPTED_OUT = '+12025550111';

let example: Workflow;
let log: Workflow & { id: string };

beforeAll(async () => {
	example = await imported('message-log');
	const ready = await examples().ready('message-log', 'Mail the sums');
	const workflow = await mailbox.connect(examples().n8n.client, ready);
	log = { ...workflow, id: (await examples().live(workflow)).id };
	await makeTable('Message events', 'All events');
});

/** As the rows are that a node reads from it. */
async function makeTable(name: string, reader: string) {
	await examples().fill(name, [], Object.keys(pinnedItems(example, reader)[0]));
}

/** A workflow that sends, with what the example's note says behind all outputs of Send Template. */
async function campaign(phones: unknown[]): Promise<Workflow> {
	const { n8n, api } = examples();
	const account = await saveAccount(n8n, 'Message log', { baseUrl: api.url });
	const parameters = { to: '={{ $json.phone }}', options: { doNotSendTo: OPTED_OUT } };
	const rows = phones.map((phone) => ({ phone }));
	const onError = { onError: 'continueErrorOutput' as const };
	const { name, nodes, pinData } = sendingEach(account, rows, parameters, onError);
	const [Start, action] = nodes;
	const call = callWith(log, {
		workflow: '={{ $workflow.name }}',
		phone: "={{ $('Start').item.json.phone }}",
		message: '={{ $json }}',
	});
	const Log = { ...call, onError: 'continueRegularOutput' as const };
	const workflow = chain(`Summer ${name}`, { Start, [action.name]: action, Log });
	const { main } = workflow.connections[action.name] as { main: unknown[] };
	main.push(main[0], main[0]);
	return { ...workflow, pinData };
}

test('a table that is missing stops no campaign, and a Retry of the log writes its rows, and sends nothing', async () => {
	const { n8n, calls } = examples();
	const workflow = await campaign([CUSTOMER, OPTED_OUT, '555-01']);
	expect((await runOnce(n8n, workflow)).status).toBe('success');
	expect(calls().sent).toHaveLength(1);
	const failed = await eventually('the failed logs', async () => {
		const all = await n8n.client.executions.list(log.id);
		const found = all.filter(({ mode, status }) => mode === 'integrated' && status === 'error');
		return found.length === 3 && found;
	});

	await makeTable('Message log', 'All messages');
	for (const { id } of failed) await n8n.client.executions.retry(id);
	expect(calls().sent).toHaveLength(1);
	const rows = await examples().rows('Message log');
	const told = rows.map(({ phone, outcome, reason }) => [phone, outcome, reason]);
	expect(told.sort()).toEqual([
		[CUSTOMER, 'sent', ''],
		[OPTED_OUT, 'skipped', 'optedOut'],
		['555-01', 'failed', 'wrongRecipient'],
	]);
	expect(rows.find(({ outcome }) => outcome === 'sent')).toMatchObject({
		...{ workflow: workflow.name, template: 'order_update', category: 'utility' },
		...{ cost: '0.115', currency: 'INR' },
		...{ message_id: expect.any(String), sent_at: expect.any(String) },
	});
});

test('its month is added up with its events, and mailed', async () => {
	const { n8n, api } = examples();
	// Numbers of a sheet.
	await runOnce(n8n, await campaign([CUSTOMER, Number(FAILS.slice(1)), STAYS_SENT]));
	await api.customerWrites(CUSTOMER, 'Yes please');
	await eventually('the events of both tests', async () => {
		const events = (await examples().rows('Message events')).map(({ event }) => event);
		const count = (name: string) => events.filter((each) => each === `message.${name}`).length;
		return count('read') === 2 && count('failed') === 1 && count('incoming') === 1;
	});
	// On the first of a month it adds up last month.
	const today = JSON.stringify(log).replaceAll('minus({ days: 1 })', 'minus({ days: 0 })');
	const execution = await runOnce(n8n, JSON.parse(today) as Workflow, 'Every month');
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
