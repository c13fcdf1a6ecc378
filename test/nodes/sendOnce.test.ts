import fc from 'fast-check';
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { Category } from '../../nodes/BusinessMessaging/api';
import { PRICES, sumOf } from '../../nodes/BusinessMessaging/template/pricing';
import { startLocalApi, type LocalApi } from '../../playground/api/server.ts';
import { FAILS } from '../../playground/api/wellKnown.ts';
import { useDeduplicator } from '../support/deduplicator.ts';
import {
	MISBEHAVIORS,
	answer,
	startFaultServer,
	type Misbehavior,
} from '../support/faultServer.ts';
import { ACCOUNT, SEND, runNode } from '../support/runNode.ts';

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

// README, Send to a spreadsheet: Include Input Fields
it('what is skipped has its row in the output, if all have', async () => {
	const options = { includeInputFields: true };
	await send([{ key: 'a' }]);
	const { json } = await send([{ key: 'a', row_number: 2 }], options);
	expect(json).toEqual([
		{ ...skipped('a'), input: { to: '+14155552671', key: 'a', row_number: 2 } },
	]);
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
		['lacks a field', '={{ `a-${$json.key}` }}', undefined, 'Send Once Key is "a-undefined"', ANY],
		[
			'lacks a part',
			'={{ $json.to }}-{{ $json.key }}',
			undefined,
			'The expression {{ $json.key }} in Send Once Key gives nothing: the key is "+14155552671-"',
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

describe('the spending limit', () => {
	/** What the API does with a request, and whether the message then costs, or may cost. */
	const ANSWERS: Record<string, { costs: boolean; behave: (category: string) => Misbehavior }> = {
		sent: { costs: true, behave: (category) => sentIn(category) },
		sentWithoutCategory: { costs: true, behave: () => MISBEHAVIORS.sent },
		refused: { costs: false, behave: () => MISBEHAVIORS.refused400 },
		windowClosed: {
			costs: false,
			behave: () => answer('400 Bad Request', '{"error":{"code":131047}}'),
		},
		unclear: { costs: true, behave: () => MISBEHAVIORS.error500Empty },
		limited: { costs: false, behave: () => answer('429 Too Many Requests', '{}') },
	};

	function sentIn(category: string): Misbehavior {
		const cost = { amount: PRICES[category as Category], currency: 'INR' };
		const data = { message_id: 'm1', status: 'sent', category, cost };
		return answer('200 OK', JSON.stringify({ success: true, data }));
	}

	interface Row {
		category: string;
		key: string;
		dryRun: boolean;
		answers: string[];
	}

	/** Each key has one customer, and each customer the answers of one row. */
	const row = fc.record<Row>({
		category: fc.constantFrom('utility', 'marketing', 'service', 'auto'),
		key: fc.constantFrom('a', 'b', ''),
		dryRun: fc.boolean(),
		answers: fc.array(fc.constantFrom(...Object.keys(ANSWERS)), { minLength: 1, maxLength: 3 }),
	});

	interface Run {
		rows: Row[];
		spendingLimit: number;
		concurrency: number;
		retryUnknownOutcome: boolean;
		onError: 'stopWorkflow' | 'continueRegularOutput';
		/** What the expression of the category gives in the second try. */
		categoryOfRetry: string;
	}

	const anyRun = fc.record<Run>({
		rows: fc.array(row, { minLength: 1, maxLength: 5 }),
		spendingLimit: fc.constantFrom(0, 0.115, 0.23, 0.5, 0.8631, 1, 2),
		concurrency: fc.constantFrom(1, 5),
		retryUnknownOutcome: fc.boolean(),
		onError: fc.constantFrom('stopWorkflow', 'continueRegularOutput'),
		categoryOfRetry: fc.constantFrom('utility', 'marketing'),
	});

	function numberOf({ key }: Row, index: number): string {
		return `+1415555267${key === '' ? index : key === 'a' ? 8 : 9}`;
	}

	let runs = 0;

	/** @returns what the messages cost, or may have cost, by the API's own table (8.2) */
	async function costOf({ rows, categoryOfRetry, onError, ...options }: Run): Promise<number> {
		const run = (runs += 1);
		const costs: number[] = [];
		const requests = new Map<string, number>();
		const answersOf = new Map(rows.map((each, index) => [numberOf(each, index), each.answers]));
		const server = await startFaultServer((_, body) => {
			const { to, category } = JSON.parse(body) as { to: string; category: Category };
			const number = requests.get(to) ?? 0;
			requests.set(to, number + 1);
			const answers = answersOf.get(to) ?? [];
			const { costs: isPaid, behave } = ANSWERS[answers[number] ?? 'sent'];
			if (isPaid) costs.push(PRICES[category]);
			return behave(category);
		});
		const category = `={{ $node["Node"].context.sentMessages && $json.category !== "auto" ? "${categoryOfRetry}" : $json.category }}`;
		await runNode({
			baseUrl: server.url,
			parameters: {
				...SEND,
				category,
				customerLastMessageAt: '={{ $now.minus(1, "minute").toISO() }}',
				fallbackCategory: 'marketing',
				options: {
					dryRun: '={{ $json.dryRun }}',
					sendOnceKey: `={{ "${run}-" + $json.key }}`,
					requestsPerMinute: 0,
					...options,
				},
			},
			items: rows.map((each, index): IDataObject => ({
				...each,
				to: numberOf(each, index),
				key: each.key || String(index),
			})),
			settings: { onError, retryOnFail: true, maxTries: 2, waitBetweenTries: 1 },
		});
		await server.close();
		return sumOf(costs);
	}

	// README, Top: spending limit; SECURITY, Known limits: Spending Limit holds for one run of one node
	it('no run costs more than its limit, with all its tries, fallbacks, keys and refusals', async () => {
		await fc.assert(
			fc.asyncProperty(anyRun, async (run) => {
				expect(await costOf(run)).toBeLessThanOrEqual(run.spendingLimit);
			}),
			{ numRuns: 60 },
		);
	});

	it.each([
		['a dry run', true, ['sent']],
		['a refused message', false, ['refused', 'sent']],
	])('after %s, a message with its key is within the limit as well', async (_, dryRun, answers) => {
		const first = { category: 'utility', key: 'a', dryRun, answers };
		const cost = await costOf({
			rows: [first, { ...first, category: 'marketing', dryRun: false }],
			spendingLimit: 0.5,
			concurrency: 1,
			retryUnknownOutcome: false,
			onError: 'continueRegularOutput',
			categoryOfRetry: 'marketing',
		});
		expect(cost).toBeLessThanOrEqual(0.5);
	});
});
