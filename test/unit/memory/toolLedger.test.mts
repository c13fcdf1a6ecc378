import fc from 'fast-check';
import type { IExecuteFunctions } from 'n8n-workflow';

import type { Rows } from '../../../nodes/BusinessMessaging/memory/rows';
import {
	openToolLedger,
	type ToolMessage,
} from '../../../nodes/BusinessMessaging/memory/toolLedger';
import { mayHaveIt, type OutcomeName, OUTCOMES } from '../../support/outcomes.mts';
import { sample } from '../../support/sample.mts';
import { databaseScene } from '../../support/simulation/database.mts';

const SENT_BEFORE = { kind: 'sentBefore', json: { sentBefore: true } } as const;
const IN_DOUBT = {
	kind: 'failed',
	failure: expect.objectContaining({ code: 'earlierCallUnknown', outcome: 'unknown' }),
};
const HOUR_MS = 3_600_000;

/** Calls of a tool. */
function scene(latencyMs?: () => number) {
	const { clock, table, connect } = databaseScene(latencyMs);
	const sent: unknown[] = [];
	const handlers: Array<(execution: { status: string }) => void> = [];
	const addHandler = (event: string, handler: (typeof handlers)[number]) =>
		event === 'workflowExecuteAfter' && handlers.push(handler);
	async function open(host: object = {}, aheadMs = 0, openRows?: () => Promise<Rows>) {
		const { context, rows, clock: ownClock } = connect({ node: 'tool', aheadMs });
		const calling: IExecuteFunctions = Object.assign(context, {
			getNode: () => ({ id: 'tool', name: 'Tool', type: 'businessMessagingTool' }),
			getExecutionContext: () => ({ establishedAt: 1 }),
			getExecutionId: () => '7',
			additionalData: { hooks: { addHandler } },
			parentNode: { type: '@n8n/n8n-nodes-langchain.agent' },
			...host,
		});
		return await openToolLedger(calling, openRows ?? rows, ownClock);
	}
	/** Begins to send some words to a number. */
	async function start(
		content: string | undefined,
		name: OutcomeName = 'sent',
		{ takesMs = 50, host = {}, aheadMs = 0 } = {},
	) {
		const ledger = (await open(host, aheadMs))!;
		const message: ToolMessage = { kind: 'Asha', content, sentBefore: SENT_BEFORE };
		// That it can't be delivered is known after the API has accepted it.
		const response = OUTCOMES[name === 'undelivered' ? 'sent' : name];
		const request = async () => {
			await clock.sleep(takesMs);
			if (mayHaveIt(name)) sent.push(content);
			return response;
		};
		const outcome = await ledger.withClaim(message, request, new AbortController().signal);
		if (outcome !== response) return outcome;
		await clock.sleep(takesMs);
		if (name === 'undelivered') await ledger.free(message);
		return name;
	}
	const call = async (...given: Parameters<typeof start>) => await clock.run(start(...given));
	return { clock, table, sent, handlers, open, start, call };
}

const MCP = { parentNode: { type: '@n8n/n8n-nodes-langchain.mcpTrigger' } };
const OTHER_EXECUTION = { getExecutionContext: () => ({ establishedAt: 2 }) };

// docs/ai-agents.md: AI agents
describe('in an execution, a tool', () => {
	it.each<[OutcomeName, unknown, unknown]>([
		['sent', SENT_BEFORE, 'sent'],
		['unknown', IN_DOUBT, IN_DOUBT],
		['notSent', 'sent', 'sent'],
		['undelivered', 'sent', 'sent'],
	])('after a message that was %s answers the same, and other words', async (name, same, other) => {
		const { clock, call } = scene();
		expect(await call('hello', name)).toBe(name);
		const before = clock.ticks();
		expect([await call('hello'), await call('bye')]).toEqual([same, other]);
		expect(await call('hello', 'sent', { host: OTHER_EXECUTION })).toBe('sent');
		// Nobody waits for what nobody will find out.
		expect(clock.ticks() - before).toBeLessThan(1000);
	});

	it('does not send a message of a call that was killed, whatever its words', async () => {
		const { clock, sent, start, call } = scene();
		void start('hello', 'sent', { takesMs: Infinity });
		await clock.run(clock.sleep(100));
		expect([await call('bye'), sent]).toEqual([IN_DOUBT, []]);
	});

	it('that gives back an undelivered message does not give back what another call has claimed', async () => {
		const { clock, sent, start } = scene();
		const after = async (ms: number, ...given: Parameters<typeof start>) =>
			await clock.sleep(ms).then(async () => await start(...given));
		const outcomes = Promise.all([
			after(0, 'hello', 'undelivered', { takesMs: 100 }),
			after(190, 'bye', 'unknown', { takesMs: 500 }),
			after(400, 'again'),
		]);
		expect(await clock.run(outcomes)).toEqual(['undelivered', 'unknown', IN_DOUBT]);
		expect(sent).toEqual(['bye']);
	});

	it('asks a question again, unless it may have been asked', async () => {
		const { table, call } = scene();
		expect([await call(undefined), await call(undefined)]).toEqual(['sent', 'sent']);
		expect(table.rows.size).toBe(0);
		expect(await call(undefined, 'unknown')).toBe('unknown');
		expect(await call(undefined)).toEqual(IN_DOUBT);
	});

	it.each([
		['success', 0],
		['error', 2],
		['waiting', 2],
	])('that ends with %s leaves %d rows for a Retry', async (status, left) => {
		const { clock, table, handlers, call } = scene();
		await call('hello');
		await call('bye', 'unknown');
		for (const handler of handlers) handler({ status });
		await clock.run(clock.sleep(1000));
		expect(table.rows.size).toBe(left);
	});
});

const none = () => undefined;

// An n8n that tells of no execution may serve an MCP client without a worker.
it.each([
	['MCP Server Trigger, an hour later', MCP, HOUR_MS, 0, SENT_BEFORE],
	['MCP Server Trigger, two hours later', MCP, 2 * HOUR_MS, 0, 'sent'],
	['MCP Server Trigger, in a process whose clock is behind', MCP, 0, HOUR_MS, SENT_BEFORE],
	['no context', { getExecutionContext: undefined, getExecutionId: none }, 0, 0, SENT_BEFORE],
	['no execution', { getExecutionContext: none, getExecutionId: none }, 0, 0, SENT_BEFORE],
])('a client of %s calls again', async (_, host, laterMs, aheadMs, told) => {
	const { clock, handlers, call } = scene();
	await call('hello', 'sent', { host, aheadMs });
	expect(handlers).toEqual([]);
	clock.pass(laterMs);
	expect(await call('hello', 'sent', { host: { ...MCP, ...OTHER_EXECUTION } })).toEqual(told);
});

it('a tool whose database does not answer sends nothing', async () => {
	const rows = async () => await Promise.reject(new Error('no database'));
	const ledger = await scene().open({}, 0, rows);
	const message = { kind: 'Asha', sentBefore: SENT_BEFORE };
	expect(await ledger?.show(message, async () => OUTCOMES.sent)).toMatchObject({
		failure: { message: "The memory of sent messages can't be used: no database" },
	});
});

it.each<[string, object, boolean]>([
	['a tool', {}, true],
	['a tool in an n8n that does not tell its end', { additionalData: undefined }, true],
	['a tool in an n8n that does not tell its end', { additionalData: {} }, true],
	['a tool in an n8n that does not tell its end', { additionalData: { hooks: {} } }, true],
	['a node that is no tool', { getNode: () => ({ id: 'n', type: 'businessMessaging' }) }, false],
	['a tool in an n8n that gives no rows', { node: undefined }, false],
])('%s has a ledger: %j %p', async (_, host, hasLedger) => {
	const { clock, open } = scene();
	expect((await clock.run(open(host))) !== undefined).toBe(hasLedger);
});

const aheadMs = fc.nat(1000);
const anyCall = fc.record({
	afterMs: fc.nat(400),
	content: fc.constantFrom('a', 'a', 'b'),
	name: fc.constantFrom<OutcomeName>('sent', 'sent', 'sent', 'unknown', 'notSent', 'undelivered'),
	takesMs: fc.nat(300),
	/** How far the clock of its process is ahead. */
	aheadMs,
});
const anyTwin = fc.record({
	afterMs: fc.nat(100),
	content: fc.constant('a'),
	name: fc.constant('sent' as const),
	takesMs: fc.nat(75),
	aheadMs,
});
/** `leftMs`: how long before the end of an hour the first one can begin. */
const anyCalls = fc.oneof(
	fc.record({ all: fc.array(anyCall, { minLength: 2, maxLength: 6 }), leftMs: fc.nat(2000) }),
	fc.record({ all: fc.tuple(anyTwin, anyTwin), leftMs: fc.nat(300) }),
);

it('of calls at any moments, in any host, each message goes once, and none after one in doubt', async () => {
	await fc.assert(
		fc.asyncProperty(
			anyCalls,
			fc.boolean(),
			fc.infiniteStream(fc.nat(60)),
			async ({ all, leftMs }, isMcp, delays) => {
				const { clock, sent, start } = scene(() => Number(delays.next().value));
				clock.pass(HOUR_MS - leftMs);
				const host = isMcp ? MCP : {};
				const running = all.map(async ({ afterMs, content, name, ...more }) => {
					await clock.sleep(afterMs);
					return await start(content, name, { ...more, host });
				});
				const outcomes = await clock.run(Promise.all(running));
				expect(sent).toEqual([...new Set(sent)]);
				const inDoubt = outcomes.indexOf('unknown');
				if (inDoubt >= 0) expect(sent.at(-1)).toBe(all[inDoubt].content);
			},
		),
		sample(300),
	);
});
