import fc from 'fast-check';
import type { IExecuteFunctions } from 'n8n-workflow';

import { openRows } from '../../../nodes/BusinessMessaging/memory/rows';
import {
	openToolLedger,
	type ToolMessage,
} from '../../../nodes/BusinessMessaging/memory/toolLedger';
import { mayHaveIt, type OutcomeName, OUTCOMES } from '../../support/outcomes.mts';
import { contextOn, ProcessedData } from '../../support/processedData.mts';
import { createVirtualClock } from '../../support/virtualClock.mts';

const SENT_BEFORE = { kind: 'sentBefore', json: { sentBefore: true } } as const;
const IN_DOUBT = {
	kind: 'failed',
	failure: expect.objectContaining({ code: 'earlierCallUnknown', outcome: 'unknown' }),
};
const HOUR_MS = 3_600_000;

/** Calls of a tool, each with a database connection of its own. */
function scene(latencyMs: () => number = () => 5) {
	const clock = createVirtualClock();
	const table = new ProcessedData();
	const sent: unknown[] = [];
	const handlers: Array<(execution: { status: string }) => void> = [];
	const context = (more: object): IExecuteFunctions => {
		const delay = async () => await clock.sleep(latencyMs());
		const own = contextOn(new ProcessedData(delay, delay, table), 'tool').context;
		return Object.assign(own, {
			getNode: () => ({ id: 'tool', name: 'Tool', type: 'businessMessagingTool' }),
			getExecutionContext: () => ({ establishedAt: 1 }),
			getExecutionId: () => '7',
			additionalData: {
				hooks: {
					addHandler: (_: string, handler: (typeof handlers)[number]) => handlers.push(handler),
				},
			},
			...more,
		});
	};
	/** Begins to send some words to a number. */
	async function start(
		content: string | undefined,
		name: OutcomeName = 'sent',
		{ takesMs = 50, host = {}, kind = 'Asha', aheadMs = 0 } = {},
	) {
		const calling = context(host);
		const open = async () => await openRows(calling, clock);
		const ledger = (await openToolLedger(calling, open, {
			...clock,
			now: () => clock.now() + aheadMs,
		}))!;
		const message: ToolMessage = { kind, content, sentBefore: SENT_BEFORE };
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
	return { clock, table, sent, handlers, context, start, call };
}

const MCP = { parentNode: { type: '@n8n/n8n-nodes-langchain.mcpTrigger' } };
const OTHER_EXECUTION = { getExecutionContext: () => ({ establishedAt: 2 }) };

beforeAll(async () => {
	const clock = createVirtualClock();
	await clock.run(openRows(contextOn(new ProcessedData()).context, clock));
});

// docs/ai-agents.md: AI agents
describe('in an execution, a tool', () => {
	it('sends a message once; other words, another number and another execution are others', async () => {
		const { sent, call } = scene();
		expect(await call('hello')).toBe('sent');
		expect(await call('hello')).toEqual(SENT_BEFORE);
		expect(await call('bye')).toBe('sent');
		expect(await call('hello', 'sent', { kind: 'Bela' })).toEqual(SENT_BEFORE);
		expect(await call('hello', 'sent', { host: OTHER_EXECUTION })).toBe('sent');
		expect(sent).toEqual(['hello', 'bye', 'hello']);
	});

	it.each<[OutcomeName, unknown, unknown]>([
		['unknown', IN_DOUBT, IN_DOUBT],
		['notSent', 'sent', 'sent'],
		['undelivered', 'sent', 'sent'],
	])('after a message that was %s answers the same, and other words', async (name, same, other) => {
		const { clock, call } = scene();
		expect(await call('hello', name)).toBe(name);
		const before = clock.ticks();
		expect(await call('hello')).toEqual(same);
		expect(await call('bye')).toEqual(other);
		// Nobody waits for what nobody will find out.
		expect(clock.ticks() - before).toBeLessThan(1000);
	});

	it('does not send a message of a call that was killed, whatever its words', async () => {
		const { clock, sent, start, call } = scene();
		void start('hello', 'sent', { takesMs: Infinity });
		await clock.run(clock.sleep(100));
		expect(await call('bye')).toEqual(IN_DOUBT);
		expect(sent).toEqual([]);
	});

	it('that gives back an undelivered message does not give back what another call has claimed', async () => {
		const { clock, sent, start } = scene();
		const after = async (ms: number, ...given: Parameters<typeof start>) => {
			await clock.sleep(ms);
			return await start(...given);
		};
		const outcomes = Promise.all([
			after(0, 'hello', 'undelivered', { takesMs: 100 }),
			after(190, 'bye', 'unknown', { takesMs: 500 }),
			after(400, 'again'),
		]);
		expect(await clock.run(outcomes)).toEqual(['undelivered', 'unknown', IN_DOUBT]);
		expect(sent).toEqual(['bye']);
	});

	it('asks a question again, unless it may have been asked', async () => {
		const { call } = scene();
		expect([await call(undefined), await call(undefined)]).toEqual(['sent', 'sent']);
		expect(await call(undefined, 'unknown')).toBe('unknown');
		expect(await call(undefined)).toEqual(IN_DOUBT);
	});

	it('leaves no rows after a good end, and all after another one, for a Retry', async () => {
		for (const [status, left] of [
			['success', 0],
			['error', 2],
			['waiting', 2],
		] as const) {
			const { clock, table, handlers, call } = scene();
			await call('hello');
			await call('bye', 'unknown');
			for (const handler of handlers) handler({ status });
			await clock.run(clock.sleep(1000));
			expect([status, table.rows.size]).toEqual([status, left]);
		}
	});

	it('asks the database for a message with 8 statements, for a known one with 2', async () => {
		const { table, call } = scene();
		await call('hello');
		expect(table.statements.splice(0)).toHaveLength(8);
		await call('hello');
		expect(table.statements).toHaveLength(2);
	});
});

it('to clients of MCP Server Trigger a message goes once within an hour', async () => {
	for (const [waitsMs, expected] of [
		[HOUR_MS, SENT_BEFORE],
		[2 * HOUR_MS, 'sent'],
	] as const) {
		const { clock, handlers, call } = scene();
		await call('hello', 'sent', { host: MCP });
		expect(handlers).toEqual([]);
		clock.pass(waitsMs);
		const host = { ...MCP, ...OTHER_EXECUTION };
		expect(await call('hello', 'sent', { host })).toEqual(expected);
	}
});

it('an n8n that tells of no execution, as for an MCP client without a worker, is one of them', async () => {
	const host = { getExecutionContext: undefined, getExecutionId: () => undefined };
	const { call } = scene();
	expect(await call('hello', 'sent', { host })).toBe('sent');
	expect(await call('hello', 'sent', { host: MCP })).toEqual(SENT_BEFORE);
});

it('there is none for a node that is no tool, and where n8n gives no rows', async () => {
	const { clock, context } = scene();
	const open = async (more: object) => {
		const calling = context(more);
		return await clock.run(
			openToolLedger(calling, async () => await openRows(calling, clock), clock),
		);
	};
	expect(await open({})).toBeDefined();
	expect(await open({ getNode: () => ({ id: 'n', type: 'businessMessaging' }) })).toBeUndefined();
	expect(await open({ node: undefined })).toBeUndefined();
});

/** @param edgeMs how long before the end of an hour the first one can begin */
async function expectEachOnce(calls: fc.Arbitrary<AnyCall[]>, edgeMs: number, numRuns: number) {
	await fc.assert(
		fc.asyncProperty(
			calls,
			fc.boolean(),
			fc.nat(edgeMs),
			fc.infiniteStream(fc.nat(60)),
			async (all, isMcp, leftMs, delays) => {
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
		{ numRuns },
	);
}

const anyCall = fc.record({
	afterMs: fc.nat(400),
	content: fc.constantFrom('a', 'a', 'b'),
	name: fc.constantFrom<OutcomeName>('sent', 'sent', 'sent', 'unknown', 'notSent', 'undelivered'),
	takesMs: fc.nat(300),
	/** How far the clock of its process is ahead. */
	aheadMs: fc.nat(1000),
});
type AnyCall = typeof anyCall extends fc.Arbitrary<infer T> ? T : never;

it('of calls at any moments, in any host, each message goes once, and none after one in doubt', async () => {
	await expectEachOnce(fc.array(anyCall, { minLength: 2, maxLength: 6 }), 2000, 300);
});

it('of two calls at once near the end of an hour one sends', async () => {
	const twin = anyCall.map((each) => ({
		...each,
		content: 'a' as const,
		name: 'sent' as const,
		afterMs: each.afterMs / 4,
		takesMs: each.takesMs / 4,
	}));
	await expectEachOnce(fc.tuple(twin, twin), 300, 500);
});
