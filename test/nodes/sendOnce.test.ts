import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { startLocalApi } from '../../playground/api/server.ts';
import type { LocalApi } from '../../playground/api/server.ts';
import { FAILS } from '../../playground/api/wellKnown.ts';
import { useDeduplicator } from '../support/deduplicator.ts';
import { MISBEHAVIORS, startFaultServer } from '../support/faultServer.ts';
import { ACCOUNT, runNode, SEND } from '../support/runNode.ts';

jest.mock('../../nodes/BusinessMessaging/clock', () =>
	jest.requireActual('../support/fastClock.ts'),
);

let memory: Awaited<ReturnType<typeof useDeduplicator>>;
let api: LocalApi;
/** The process remembers what it wrote last: each test has keys of its own. */
let test = 0;

beforeAll(async () => {
	memory = await useDeduplicator();
});

beforeEach(async () => {
	test += 1;
	memory.fail();
	api = await startLocalApi({ apiKeys: [ACCOUNT], requestsPerWindow: 0, deliveredAfterMs: 0 });
});

afterEach(async () => await api.close());

/** Sends a row each, with its `key`. */
async function send(
	rows: IDataObject[],
	options: INodeParameters = {},
	onError = 'stopWorkflow',
	baseUrl = api.url,
) {
	return await runNode({
		baseUrl,
		parameters: {
			...SEND,
			options: {
				sendOnceKey: `={{ $json.key && ${test} + $json.key }}`,
				requestsPerMinute: 0,
				...options,
			},
		},
		items: rows.map((row) => ({ to: '+14155552671', ...row })),
		settings: { onError: onError as 'stopWorkflow' },
	});
}

const leftOut = (key: string) => ({ skipped: 'sentBefore', key: test + key });
const message = expect.objectContaining({ message_id: expect.any(String) });

// README, Send once: a message with the same key is sent once
it('what was sent leaves as left out in the next run, and is counted', async () => {
	expect((await send([{ key: 'a' }, { key: 'b' }])).json).toEqual([message, message]);
	const { json, hints } = await send([{ key: 'b' }, { key: 7 }, { key: 'a' }]);
	expect(json).toEqual([leftOut('b'), message, leftOut('a')]);
	expect(hints.join()).toContain('2 left out: sent before with this Send Once Key');
	expect(api.messages.size).toBe(3);
});

it('a run of which all is left out says so', async () => {
	await send([{ key: 'a' }]);
	const { json, hints } = await send([{ key: 'a ' }]);
	expect(json).toEqual([leftOut('a')]);
	expect(hints).toEqual(['1 left out: sent before with this Send Once Key.']);
});

// README, Send once: not sent, refused or not delivered
it.each<[string, string, INodeParameters, string]>([
	['was refused', '+12025550126', {}, 'rejected'],
	['could not be delivered', FAILS, { waitFor: 'delivered' }, 'rejected'],
])('a message that %s can be sent again with its key', async (_, to, options, outcome) => {
	const { json } = await send([{ to, key: 'a' }], options, 'continueRegularOutput');
	expect(json).toEqual([{ error: expect.objectContaining({ outcome }) }]);
	expect((await send([{ key: 'a' }])).json).toEqual([message]);
});

// README, Send once: Dry Run looks, and records nothing
it('a dry run shows what would be left out, costs nothing for it, and records nothing', async () => {
	await send([{ key: 'a' }]);
	const before = new Set(memory.entries);
	const rows = [{ key: 'a' }, { key: 'b' }, { key: 'b' }];
	const { json, hints } = await send(rows, { dryRun: true });
	expect(json).toEqual([leftOut('a'), expect.objectContaining({ dryRun: true }), leftOut('b')]);
	expect(hints.join()).toContain('1 message would cost');
	expect(memory.entries).toEqual(before);
});

it('an item in a dry run keeps no other item of the run from being sent', async () => {
	const rows = [
		{ key: 'a', dry: true },
		{ key: 'a', dry: false },
	];
	const { json } = await send(rows, { dryRun: '={{ $json.dry }}', concurrency: 1 });
	expect(json).toEqual([expect.objectContaining({ dryRun: true }), message]);
});

it('the spending limit counts what is not left out', async () => {
	await send([{ key: 'a' }]);
	const one = { spendingLimit: 0.2 };
	expect((await send([{ key: 'a' }, { key: 'b' }, { key: 'b' }], one)).json).toEqual([
		leftOut('a'),
		message,
		leftOut('b'),
	]);
	expect((await send([{ key: 'c' }, { key: 'd' }], one)).error?.message).toContain('cost about');
});

it('a run with a test recipient neither asks nor records', async () => {
	await send([{ key: 'a' }]);
	const before = new Set(memory.entries);
	const { json } = await runNode({
		baseUrl: api.url,
		parameters: {
			...SEND,
			options: { sendOnceKey: `${test}a`, testRecipient: '+14155552679', requestsPerMinute: 0 },
		},
		items: [{ to: '+14155552671' }],
		mode: 'manual',
	});
	expect(json).toEqual([message]);
	expect(memory.entries).toEqual(before);
});

// README, Send once: in doubt
it('what may have gone in an earlier run is told apart, and counted', async () => {
	const server = await startFaultServer(() => MISBEHAVIORS.unreadable200);
	const first = await send([{ key: 'a' }], {}, 'continueRegularOutput', server.url);
	await server.close();
	expect(first.json).toEqual([{ error: expect.objectContaining({ outcome: 'unknown' }) }]);
	const { json, hints } = await send([{ key: 'a' }]);
	expect(json).toEqual([{ skipped: 'outcomeUnknown', key: `${test}a` }]);
	expect(hints.join()).toContain(
		'1 left out: with this Send Once Key a message may have been sent',
	);
	expect(api.messages.size).toBe(0);
});

it('an item whose key can not be recorded any more is not sent', async () => {
	const server = await startFaultServer(() => {
		memory.fail('no database');
		return MISBEHAVIORS.sent;
	});
	const rows = [{ key: 'a' }, { key: 'b' }];
	const options = { concurrency: 1 };
	const { json } = await send(rows, options, 'continueRegularOutput', server.url);
	await server.close();
	expect(json).toEqual([
		message,
		{
			error: expect.objectContaining({
				message: "The memory of Send Once Key can't be used: no database",
				outcome: 'notSent',
			}),
		},
	]);
	expect(server.received).toHaveLength(1);
});

// Passed on as it came in, an item would look as if its message had been sent.
it.each(Array.from({ length: 20 }, (_, count) => count))(
	'when the memory fails after %d answers, each item still says what became of it',
	async (count) => {
		memory.fail('no database', count);
		const rows = [{ key: 'a' }, { key: 'b' }];
		const { json } = await send(rows, { concurrency: 1 }, 'continueRegularOutput');
		const sent = json.filter((item) => 'message_id' in item);
		expect(sent).toHaveLength(api.messages.size);
		expect(json.filter((item) => 'error' in item)).toHaveLength(rows.length - sent.length);
	},
);

describe('nothing is sent when', () => {
	const HOW = expect.stringContaining('order-{{ $json.orderNumber }}-shipped');
	const ANY = expect.any(String);

	// The keys of all rows without the field would be one, and only the first of them would be sent.
	it.each<[string, string, unknown, string, string]>([
		['gives nothing', '={{ $json.key }}', undefined, 'Send Once Key is empty', HOW],
		['is blank', '={{ $json.key }}', '  ', 'Send Once Key is empty', HOW],
		['is a list', '={{ $json.key }}', ['a'], 'Send Once Key is "["a"]"', HOW],
		['is no number', '={{ Number($json.key) }}', undefined, 'Send Once Key is "NaN"', ANY],
		['lacks a field', '={{ `a-${$json.key}` }}', undefined, 'Send Once Key is "a-undefined"', ANY],
		['has an object', '=order-{{ $json.key }}', {}, '[object Object]', ANY],
		[
			'consists of expressions that give nothing',
			'=order-{{ $json.key }}-{{ $json.state }}-shipped',
			'',
			'The expressions in Send Once Key give nothing: it is "order---shipped"',
			ANY,
		],
	])('the key %s', async (_, sendOnceKey, key, expected, description) => {
		const { error } = await send([{ key: key as string }], { sendOnceKey });
		expect(error).toMatchObject({ message: expect.stringContaining(expected), description });
		expect(api.messages.size).toBe(0);
	});

	it('the memory does not answer', async () => {
		memory.fail('no database');
		const { error } = await send([{ key: 'a' }]);
		expect(error?.message).toContain("The memory of Send Once Key can't be used: no database");
		expect(api.messages.size).toBe(0);
	});
});
