import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { runAgent } from '../support/agentRun.mts';
import { MISBEHAVIORS, useFaultServer } from '../support/faultServer.mts';
import { rememberingAccount } from '../support/localAccount.mts';
import { BY_HAND, type NodeRun, SEND, runNode, shown } from '../support/runNode.mts';

jest.mock('../../nodes/BusinessMessaging/clock', () =>
	jest.requireActual('../support/fastClock.mts'),
);

const { api, memory, send: sendRows } = rememberingAccount();
const server = useFaultServer();

/** Sends a row each, with its `key`. */
async function send(rows: IDataObject[], options: INodeParameters = {}, more?: Partial<NodeRun>) {
	return await sendRows(rows, { sendOnceKey: '={{ $json.key }}', ...options }, {}, more);
}

/** Sends to a server that behaves like this, instead of to the API. */
async function sendTo(behave: typeof server.behave, rows: IDataObject[], more?: Partial<NodeRun>) {
	server.behave = behave;
	return await send(rows, { concurrency: 1 }, { baseUrl: server.url, ...more });
}

/** The database breaks while this request is under way. */
const breaksAt = (request: number) => (number: number) => {
	if (number === request) memory().fail('no database');
	return MISBEHAVIORS.sent;
};

const STOPS = { settings: {} };
const A = { key: 'a' };
const B = { key: 'b' };
const before = expect.objectContaining({ sentBefore: true });
const message = expect.objectContaining({ message_id: expect.any(String) });
const failed = (fields: object) => ({ error: expect.objectContaining(fields) });

// docs/send-once.md: a message with the same key is sent once
it('what was sent leaves as sent before in the next run, and is counted', async () => {
	expect((await send([A, B])).json).toEqual([message, message]);
	const { json, hints } = await send([B, { key: 7 }, A]);
	expect(json).toEqual([before, message, before]);
	expect(hints.join()).toContain('2 messages were sent before, and not again');
	expect(api().messages.size).toBe(3);
	const last = await send([{ key: 'a ' }]);
	expect(last.json).toEqual([before]);
	expect(last.hints).toEqual(['1 message was sent before, and not again.']);
});

// docs/send-once.md: one message to one recipient
it('a key belongs to a message to one recipient: the next list with the same row numbers is sent', async () => {
	const list = (...customers: number[]) =>
		customers.map((customer, row) => ({ key: row + 2, to: `+1415555267${customer}` }));
	const spelled = { key: 3, to: '001 (415) 555-2672' };
	expect((await send(list(1, 2, 3))).json).toEqual([message, message, message]);
	const { json } = await send([...list(4, 2, 5), spelled]);
	expect(json).toEqual([message, before, message, before]);
	const one = { sendOnceKey: 'welcome', spendingLimit: 0.23 };
	expect((await send(list(1, 1, 2), one)).json).toEqual([message, before, message]);
});

// docs/send-once.md: in a tool; whichever of its nodes
it('the key of a tool is sent once, to whomever, because a model fills in the number; it is that of other nodes, too', async () => {
	const callTool = async (key: string, ...numbers: string[]) => {
		const options = { sendOnceKey: key };
		const parameters = { ...SEND, to: "={{ $fromAI('to') }}", options };
		const calls = numbers.map((to) => ({ to }));
		const read = await runAgent({ baseUrl: api().url, parameters, calls });
		return read.map((each) => (JSON.parse(each) as IDataObject[])[0]);
	};
	expect((await send([A])).json).toEqual([message]);
	expect(await callTool('a', '+14155552671')).toEqual([before]);
	expect(await callTool('b', '+14155552671', '+14155552673')).toEqual([message, before]);
	const other = { ...B, to: '+14155552672' };
	expect((await send([B, other])).json).toEqual([before, message]);
	expect(api().messages.size).toBe(3);
});

// docs/send-once.md: said above the output
it('a key that could not be marked is told above the output, or in the error of a run that fails', async () => {
	const untold = 'The memory of Send Once Key could not be updated for 1 message, so the next run';
	const { json, hints } = await sendTo(breaksAt(0), [A]);
	expect(json).toEqual([message]);
	expect(hints.join()).toContain(untold);
	memory().fail();
	const { error } = await sendTo(breaksAt(1), [B, { key: 'c' }, { key: 'd' }], STOPS);
	expect(error?.message).toContain("The memory of Send Once Key can't be used");
	expect(error?.description).toContain(untold);
});

// docs/send-once.md: Dry Run looks, and records nothing
it('a dry run shows what was sent before, costs nothing for it, and records nothing', async () => {
	await send([A]);
	const rows = structuredClone(memory().rows);
	const { json, hints } = await send([A, B, B], { dryRun: true });
	expect(json).toEqual([shown('sentBefore'), shown(), shown('sentBefore')]);
	expect(hints).toEqual([
		'Dry run: nothing was sent. 1 message would cost about INR 0.115. 2 would be skipped: with a Send Once Key that is used already. To send, turn off Dry Run under Options.',
	]);
	expect(memory().rows).toEqual(rows);
});

it('an item in a dry run keeps no other item of the run from being sent', async () => {
	const rows = [true, false].map((dry) => ({ ...A, dry }));
	const { json } = await send(rows, { dryRun: '={{ $json.dry }}', concurrency: 1 });
	expect(json).toEqual([shown(), message]);
});

it('the spending limit counts what is not left out', async () => {
	await send([A]);
	const one = { spendingLimit: 0.2 };
	expect((await send([A, B, B], one)).json).toEqual([before, message, before]);
	const { error } = await send([{ key: 'c' }, { key: 'd' }], one, STOPS);
	expect(error?.message).toContain('cost about');
});

it.each<[string, INodeParameters, 'manual' | 'trigger']>([
	['with a test recipient', { sendOnceKey: 'a', testRecipient: '+14155552679' }, 'manual'],
	['without keys', {}, 'trigger'],
])('a run %s neither asks nor records', async (_, options, mode) => {
	memory().statements.length = 0;
	const parameters = { ...SEND, options: { ...options, requestsPerMinute: 0 } };
	const items = [{ to: '+14155552671' }];
	const { json } = await runNode({ baseUrl: api().url, parameters, items, mode });
	expect(json).toEqual([message]);
	expect(memory().statements).toEqual([]);
});

// docs/outputs.md: notSent is certain
it('a row that is wrong when a run by hand goes on may have been sent before', async () => {
	server.behave = (number) => MISBEHAVIORS[number < 2 ? 'sent' : 'refused400'];
	const execute = async (...numbers: string[]) => {
		const run = { baseUrl: server.url, parameters: SEND, items: numbers.map((to) => ({ to })) };
		return (await runNode({ ...run, ...BY_HAND })).error?.description;
	};
	await execute('+14155552671', '+14155552672', '+14155552673');
	expect(await execute('call me', '+14155552672', '+14155552673')).toContain(
		'1 were sent before: item 1. May have been sent: item 0. Retry',
	);
});

// docs/send-once.md: messages of unknown outcome
it('what may have gone in an earlier run fails, until it is sent with another key', async () => {
	const first = await sendTo(() => MISBEHAVIORS.unreadable200, [A]);
	expect(first.json).toEqual([failed({ outcome: 'unknown' })]);
	const second = await send([A]);
	const mayBeSent = 'A message with this Send Once Key may already have been sent';
	const remedy = expect.stringContaining('To send it again, run its item with another key.');
	expect(second.json).toEqual([failed({ message: mayBeSent, remedy, outcome: 'unknown' })]);
	expect(second.hints.join()).toContain('1 may have been sent');
	expect((await send([A], {}, STOPS)).error?.message).toContain(mayBeSent);
	expect(api().messages.size).toBe(0);

	const again = { key: `${A.key}-2` };
	expect((await send([again])).json).toEqual([message]);
	expect((await send([again])).json).toEqual([before]);
});

// Passed on as it came in, an item would look as if its message had been sent.
it.each([...Array(14).keys()])(
	'when the memory fails after %d answers, each item still says what became of it',
	async (count) => {
		memory().fail('no database', count);
		const { json } = await send([A, B], { concurrency: 1 });
		const sent = json.filter((item) => 'message_id' in item);
		expect(sent).toHaveLength(api().messages.size);
		expect(json.filter((item) => 'error' in item)).toHaveLength(2 - sent.length);
	},
);
