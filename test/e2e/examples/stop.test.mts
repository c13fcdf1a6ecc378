import { randomUUID } from 'node:crypto';
import { rowsOf } from '../../support/dataTable.mts';
import { exampleRuns, send } from '../../support/exampleRuns.mts';
import { withTables } from '../../support/examples.mts';
import { postJson } from '../../support/postJson.mts';

const examples = exampleRuns();
const ending = ` ${randomUUID()}`;
let workflowId: string;

beforeAll(async () => {
	const workflow = withTables(await examples().ready('stop', 'What we know'), ending);
	workflowId = (await examples().live(workflow)).id;
});

/** Until the workflow has dealt with everything that customers wrote. */
async function dealtWith() {
	await examples().n8n.client.executions.allEnded(workflowId);
	return await examples().n8n.client.executions.list(workflowId);
}

async function writes(from: string, text: string) {
	await examples().api.customerWrites(from, text);
	await dealtWith();
}

/** What the list says of these numbers, as [number, status, word]. */
async function listed(...phones: string[]) {
	const rows = await rowsOf(examples().n8n, `Opt-outs${ending}`);
	const asked = rows.filter(({ phone }) => phones.includes(String(phone)));
	return asked.map(({ phone, status, word }) => [phone, status, word]).sort();
}

function told(to: string, texts: [string, string]) {
	return send(to, 'offers_changed', { 1: texts[0], 2: texts[1] }, 'service');
}

const STOPPED: [string, string] = ['no more offers from us', 'START'];
const STARTED: [string, string] = ['our offers again', 'STOP'];

// First of all: the table is not there yet.
test('stop: the first two messages at once make one table, and both count', async () => {
	const [one, other] = ['+12025550170', '+12025550171'];
	await Promise.all(
		[one, other].map(async (from) => await examples().api.customerWrites(from, 'stop')),
	);
	await dealtWith();
	expect(await listed(one, other)).toEqual([
		[one, 'stopped', 'stop'],
		[other, 'stopped', 'stop'],
	]);
});

test('stop: STOP and START are kept with their word and confirmed for free, each only once', async () => {
	const asha = '+12025550172';
	await writes(asha, ' Stop! ');
	expect(await listed(asha)).toEqual([[asha, 'stopped', 'Stop!']]);
	expect(examples().calls().sent).toEqual([told(asha, STOPPED)]);
	await writes(asha, 'STOP');
	await writes(asha, 'please');
	expect(examples().calls().sent).toHaveLength(1);
	await writes(asha, 'start');
	expect(await listed(asha)).toEqual([[asha, 'started', 'start']]);
	await writes(asha, 'unsubscribe');
	expect(await listed(asha)).toEqual([[asha, 'stopped', 'unsubscribe']]);
	const all = [STOPPED, STARTED, STOPPED].map((texts) => told(asha, texts));
	expect(examples().calls().sent).toEqual(all);
});

test('stop: a START that arrives late does not undo a newer STOP', async () => {
	const ravi = '+12025550174';
	await writes(ravi, 'STOP');
	const response = await postJson(examples().api.webhookUrls[0], {
		event: 'message.incoming',
		timestamp: new Date(Date.now() - 60_000).toISOString(),
		data: { from: ravi, text: 'START' },
	});
	expect(await response.text()).toContain('accepted');
	await dealtWith();
	expect(await listed(ravi)).toEqual([[ravi, 'stopped', 'STOP']]);
	expect(examples().calls().sent).toEqual([told(ravi, STOPPED)]);
});

test('stop: the STOP of a customer without a number is kept apart, and a person is told', async () => {
	await examples().api.emit('message.incoming', { from: 'asha.k', text: 'STOP' });
	await dealtWith();
	const rows = await rowsOf(examples().n8n, `Without a number${ending}`);
	const kept = { customer: 'asha.k', status: 'stopped', word: 'STOP' };
	expect(rows).toEqual([expect.objectContaining(kept)]);
	expect(await listed('asha.k', '', 'null')).toEqual([]);
	const texts = { 1: 'asha.k', 2: 'STOP' };
	expect(examples().calls().sent).toEqual([send('+12025550161', 'customer_without_number', texts)]);
	const runs = await examples().n8n.client.executions.list(workflowId);
	expect(runs.filter(({ status }) => status !== 'success')).toEqual([]);
});
