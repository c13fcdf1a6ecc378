import { exampleRuns, send } from '../../support/exampleRuns.mts';
import { postJson } from '../../support/postJson.mts';

const examples = exampleRuns();
let workflowId: string;

beforeAll(async () => {
	workflowId = (await examples().live(await examples().ready('stop', 'What we know'))).id;
});

/** Until the workflow has dealt with everything that customers wrote. */
async function dealtWith() {
	await examples().n8n.client.executions.allEnded(workflowId);
}

async function writes(from: string, text: string) {
	await examples().api.customerWrites(from, text);
	await dealtWith();
}

/** What the list says of these numbers, as [number, status, word]. */
async function listed(...phones: string[]) {
	const rows = await examples().rows('Opt-outs');
	const asked = rows.filter(({ phone }) => phones.includes(String(phone)));
	return asked.map(({ phone, status, word }) => [phone, status, word]).sort();
}

const told = (to: string, [now, word]: string[]) =>
	send(to, 'offers_changed', { 1: now, 2: word }, 'service');
const STOPPED = ['no more offers from us', 'START'];
const STARTED = ['our offers again', 'STOP'];

// First of all: the table is not there yet.
test('stop: the first two messages at once make one table, and both count', async () => {
	const both = ['+12025550170', '+12025550171'];
	await Promise.all(both.map((from) => examples().api.customerWrites(from, 'stop')));
	await dealtWith();
	expect(await listed(...both)).toEqual(both.map((phone) => [phone, 'stopped', 'stop']));
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
	const kept = { customer: 'asha.k', status: 'stopped', word: 'STOP' };
	expect(await examples().rows('Without a number')).toEqual([expect.objectContaining(kept)]);
	expect(await listed('asha.k', '', 'null')).toEqual([]);
	const texts = { 1: 'asha.k', 2: 'STOP' };
	expect(examples().calls().sent).toEqual([send('+12025550161', 'customer_without_number', texts)]);
	const runs = await examples().n8n.client.executions.list(workflowId);
	expect(runs.filter(({ status }) => status !== 'success')).toEqual([]);
});
