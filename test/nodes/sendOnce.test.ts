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
/** Each test has keys of its own. */
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

const skipped = (key: string) => ({ skipped: 'sentBefore', key: test + key });
const message = expect.objectContaining({ message_id: expect.any(String) });

// README, Send once: a message with the same key is sent once
it('what was sent leaves as left out in the next run, and is counted', async () => {
	expect((await send([{ key: 'a' }, { key: 'b' }])).json).toEqual([message, message]);
	const { json, hints } = await send([{ key: 'b' }, { key: 7 }, { key: 'a' }]);
	expect(json).toEqual([skipped('b'), message, skipped('a')]);
	expect(hints.join()).toContain('2 skipped: sent before with the same Send Once Key');
	expect(api.messages.size).toBe(3);
});

it('a run of which all is left out says so', async () => {
	await send([{ key: 'a' }]);
	const { json, hints } = await send([{ key: 'a ' }]);
	expect(json).toEqual([skipped('a')]);
	expect(hints).toEqual(['1 skipped: sent before with the same Send Once Key.']);
});

// README, Send once: said above the output
it('a key that could not be marked is told above the output', async () => {
	const server = await startFaultServer(() => {
		memory.fail('no database');
		return MISBEHAVIORS.sent;
	});
	const { json, hints } = await send([{ key: 'a' }], {}, 'stopWorkflow', server.url);
	await server.close();
	expect(json).toEqual([message]);
	expect(hints.join()).toContain('1 Send Once Key could not be updated, so the next run');
});

it('a key that could not be marked is told in the error of a run that then fails', async () => {
	const server = await startFaultServer((number) => {
		if (number === 0) return MISBEHAVIORS.sent;
		memory.fail('no database');
		return MISBEHAVIORS.sent;
	});
	const options = { concurrency: 1 };
	const rows = [{ key: 'a' }, { key: 'b' }, { key: 'c' }];
	const { error } = await send(rows, options, 'stopWorkflow', server.url);
	await server.close();
	expect(error?.message).toContain("The memory of Send Once Key can't be used");
	expect(error?.description).toContain('1 Send Once Key could not be updated, so the next run');
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
	const before = structuredClone(memory.rows);
	const rows = [{ key: 'a' }, { key: 'b' }, { key: 'b' }];
	const { json, hints } = await send(rows, { dryRun: true });
	expect(json).toEqual([skipped('a'), expect.objectContaining({ dryRun: true }), skipped('b')]);
	expect(hints.join()).toContain('1 message would cost');
	expect(memory.rows).toEqual(before);
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
		skipped('a'),
		message,
		skipped('b'),
	]);
	expect((await send([{ key: 'c' }, { key: 'd' }], one)).error?.message).toContain('cost about');
});

it('a run with a test recipient neither asks nor records', async () => {
	await send([{ key: 'a' }]);
	memory.statements.length = 0;
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
	expect(memory.statements).toEqual([]);
});

it('a run without keys asks the memory nothing', async () => {
	memory.statements.length = 0;
	const parameters = { ...SEND, options: { requestsPerMinute: 0 } };
	const items = [{ to: '+14155552671' }];
	expect((await runNode({ baseUrl: api.url, parameters, items })).json).toEqual([message]);
	expect(memory.statements).toEqual([]);
});

// README, Send once: in doubt
it('what may have gone in an earlier run fails, and is sent when unknown outcomes are retried', async () => {
	const server = await startFaultServer(() => MISBEHAVIORS.unreadable200);
	const first = await send([{ key: 'a' }], {}, 'continueRegularOutput', server.url);
	await server.close();
	expect(first.json).toEqual([{ error: expect.objectContaining({ outcome: 'unknown' }) }]);
	const second = await send([{ key: 'a' }], {}, 'continueRegularOutput');
	const inDoubt = {
		message: 'A message with this Send Once Key may already have been sent',
		remedy: expect.stringContaining('turn on Retry When Outcome Is Unknown'),
		outcome: 'unknown',
	};
	expect(second.json).toEqual([{ error: expect.objectContaining(inDoubt) }]);
	expect(second.hints.join()).toContain('1 may have been sent');
	expect((await send([{ key: 'a' }])).error?.message).toContain(inDoubt.message);
	expect(api.messages.size).toBe(0);

	expect((await send([{ key: 'a' }], { retryUnknownOutcome: true })).json).toEqual([message]);
	expect((await send([{ key: 'a' }])).json).toEqual([skipped('a')]);
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
			'lacks a part',
			'={{ $json.to }}-{{ $json.key }}',
			undefined,
			'The expression {{ $json.key }} in Send Once Key gives nothing: the key is "+14155552671-"',
			ANY,
		],
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

	// Only the first customer would get a message.
	it('customers share a key: each of their items is named', async () => {
		const rows = [{ key: 'a' }, { key: 'b' }, { key: 'a', to: '+14155552672' }, { key: 'b' }];
		const { error } = await send(rows);
		expect(error?.message).toContain('2 of 4 items are wrong');
		expect(error?.message).toContain(`2 recipients have the same Send Once Key "${test}a"`);
		expect(error?.description).toMatch(/Item 0: .* Item 2: /s);
		expect(api.messages.size).toBe(0);
		const { json } = await send(rows, {}, 'continueRegularOutput');
		expect(json.map((item) => 'error' in item)).toEqual([true, false, true, false]);
		expect(api.messages.size).toBe(1);
	});

	it('the memory does not answer', async () => {
		memory.fail('no database');
		const { error } = await send([{ key: 'a' }]);
		expect(error?.message).toContain("The memory of Send Once Key can't be used: no database");
		expect(api.messages.size).toBe(0);
	});
});
