import fc from 'fast-check';

import { notStarted } from '../../../nodes/BusinessMessaging/errors/failure';
import { NoRows, openRows } from '../../../nodes/BusinessMessaging/memory/rows';
import { SendOnce } from '../../../nodes/BusinessMessaging/memory/sendOnce';
import type { Outcome } from '../../../nodes/BusinessMessaging/outcome';
import { mayHaveIt, type OutcomeName, OUTCOMES } from '../../support/outcomes.mts';
import { contextOn, ProcessedData, type Statement } from '../../support/processedData.mts';
import { sample } from '../../support/sample.mts';
import { createVirtualClock } from '../../support/virtualClock.mts';

const UNKNOWN_OUTCOME = {
	kind: 'failed',
	failure: expect.objectContaining({
		message: 'A message with this Send Once Key may already have been sent',
		outcome: 'unknown',
	}),
};

type Fails = (statement: Statement) => boolean;

/** Runs of nodes of one workflow, each with a database connection of its own. */
function scene(latencyMs: () => number = () => 5) {
	const clock = createVirtualClock();
	const table = new ProcessedData();
	const sent: string[] = [];
	function newRun(fails: Fails = () => false, node = 'node') {
		const own = new ProcessedData(
			async (statement) => {
				await clock.sleep(latencyMs());
				if (fails(statement)) throw new Error('no database');
			},
			async () => await clock.sleep(latencyMs()),
			table,
		);
		const { context } = contextOn(own, node);
		const sendOnce = new SendOnce(async () => await openRows(context, clock), clock);
		const stopping = new AbortController();
		/** @returns the name of the outcome, if it is the message's own */
		async function start(key: string, name: OutcomeName = 'sent', { takesMs = 50 } = {}) {
			const request = async () => {
				await clock.sleep(takesMs);
				if (mayHaveIt(name)) sent.push(key);
				return OUTCOMES[name];
			};
			const outcome = await sendOnce.withClaim(key, request, stopping.signal);
			return outcome === OUTCOMES[name] ? name : outcome;
		}
		return {
			sendOnce,
			stop: () => stopping.abort(),
			/** Begins to send, in virtual time that passes only with `clock.run`. */
			start,
			send: async (...given: Parameters<typeof start>) => await clock.run(start(...given)),
		};
	}
	/** In a run of its own. */
	const send: ReturnType<typeof newRun>['send'] = async (...given) => await newRun().send(...given);
	/** By a run that is killed meanwhile. */
	async function killed() {
		void newRun().start('order-1', 'sent', { takesMs: Infinity });
		await clock.run(clock.sleep(100));
	}
	return { clock, table, sent, newRun, send, killed };
}

const shown: Outcome = { kind: 'shown', json: {}, estimate: 0.115 };
const show = async () => await Promise.resolve(shown);

beforeAll(async () => {
	const clock = createVirtualClock();
	await clock.run(openRows(contextOn(new ProcessedData()).context, clock));
});

// docs/send-once.md: a message with the same key is sent once
it('sends a message once, in whatever run of whatever node of the workflow', async () => {
	const { sent, newRun, send } = scene();
	expect(await send('order-1')).toBe('sent');
	expect(await send('order-1')).toBe('wasSent');
	expect(await newRun(undefined, 'copied node').send('order-1')).toBe('wasSent');
	expect(await send('order-2')).toBe('sent');
	expect(sent).toEqual(['order-1', 'order-2']);
});

it('does not send with a key whose row another version has written, and sends the others', async () => {
	const { table, sent, send } = scene();
	await send('order-1');
	for (const row of table.rows.values()) row.data.push(...'abcdefgh');
	expect(await send('order-1')).toMatchObject({
		kind: 'failed',
		failure: { code: 'otherVersion', outcome: 'unknown' },
	});
	expect(await send('order-2')).toBe('sent');
	expect(sent).toEqual(['order-1', 'order-2']);
});

it('asks the database for a new key with 5 statements, for a known one with 1', async () => {
	const { table, send } = scene();
	await send('order-1');
	expect(table.statements.splice(0)).toHaveLength(5);
	await send('order-1');
	expect(table.statements).toEqual(['select']);
});

it('a run pauses after each lost race for the row, and sends nothing when it is stopped', async () => {
	const { clock, table, sent, newRun, send } = scene();
	await send('order-1');
	const [[address, row]] = table.rows;
	let races = 0;
	const run = newRun((statement) => {
		// Another execution creates the row at the last moment, and removes it at once.
		if (statement === 'insert') table.rows.set(address, row);
		else table.rows.delete(address);
		if (statement === 'insert' && ++races === 3) run.stop();
		return false;
	});
	const sleep = jest.spyOn(clock, 'sleep');
	expect(await run.send('order-1')).toMatchObject({ failure: { code: 'canceled' } });
	// Between a half and one and a half of 50 ms; the database takes 5 ms.
	expect(sleep.mock.calls.filter(([ms]) => ms >= 25 && ms <= 75)).toHaveLength(2);
	expect(sent).toEqual(['order-1']);
});

// docs/send-once.md: the same key twice in one run
it.each<[string, OutcomeName, unknown]>([
	['is skipped when the first was sent', 'sent', 'wasSent'],
	['is unknown when the first is', 'unknown', UNKNOWN_OUTCOME],
	['is sent when the first was not', 'notSent', 'sent'],
	['is sent when the first could not be delivered', 'undelivered', 'sent'],
])('the same key a second time in one run %s', async (_, first, second) => {
	const { clock, newRun } = scene();
	const run = newRun();
	const both = [run.start('order-1', first, { takesMs: 300_000 }), run.start('order-1')];
	expect((await clock.run(Promise.all(both)))[1]).toEqual(second);
	expect(clock.ticks()).toBeLessThan(301_000);
});

// docs/send-once.md: killed
it('what a killed run was sending is unknown after a minute, in every run', async () => {
	const { clock, sent, newRun, send, killed } = scene();
	await killed();
	const run = newRun();
	expect(await run.send('order-1')).toEqual(UNKNOWN_OUTCOME);
	expect(Math.round(clock.ticks() / 1000)).toBe(60);
	expect(await send('order-1')).toEqual(UNKNOWN_OUTCOME);
	expect(sent).toEqual([]);
});

it('a message that turned out not to reach the customer can be freed by the run that sent it', async () => {
	const { clock, sent, newRun, send } = scene();
	const run = newRun();
	await run.send('order-1');
	await clock.run(newRun().sendOnce.free('order-1'));
	expect(await send('order-1')).toBe('wasSent');
	await clock.run(run.sendOnce.free('order-1'));
	expect(await send('order-1')).toBe('sent');
	expect(sent).toEqual(['order-1', 'order-1']);
});

it('a run that did not send a message waits for another one that does', async () => {
	const { clock, newRun } = scene();
	const run = newRun();
	await run.send('order-1', 'notSent');
	await run.send('order-2');
	const other = newRun().start('order-1', 'sent', { takesMs: 5000 });
	await clock.run(clock.sleep(100));
	expect(await run.send('order-1')).toBe('wasSent');
	expect(await other).toBe('sent');
});

// docs/send-once.md: Dry Run looks, and records nothing
it('a dry run shows each key once, and neither what was sent nor what may have been', async () => {
	const { clock, table, newRun } = scene();
	const { send, sendOnce } = newRun();
	await send('sent');
	await send('unknown one', 'unknown');
	table.statements.length = 0;
	const showKey = async (key: string) => await clock.run(sendOnce.show(key, show));
	expect(await showKey('sent')).toBe('wasSent');
	expect(await showKey('unknown one')).toEqual(UNKNOWN_OUTCOME);
	expect(await showKey('new')).toBe(shown);
	expect(await showKey('new')).toBe('wasSent');
	expect(new Set(table.statements)).toEqual(new Set(['select']));
});

// docs/send-once.md: tools of older AI agents
it('where n8n gives no rows nothing is sent, and the key is refused by name', async () => {
	const clock = createVirtualClock();
	const sendOnce = new SendOnce(async () => await Promise.reject(new NoRows()), clock);
	const failure = expect.objectContaining({
		code: 'memoryUnusable',
		message: expect.stringContaining("Send Once Key can't be used here, because n8n gives"),
		remedy: expect.stringContaining('Remove the option.'),
		outcome: 'notSent',
	});
	const show = async () => OUTCOMES.sent;
	expect(await sendOnce.show('key', show)).toEqual({ kind: 'failed', failure });
});

describe('without its database', () => {
	it('nothing is sent, that is certain, and a run gives it up once for all its keys', async () => {
		const { clock, sent, newRun } = scene();
		const { send, sendOnce } = newRun(() => true);
		const message = "The memory of Send Once Key can't be used: no database";
		const remedy = 'Run it again when the database of n8n answers.';
		const code = 'memoryUnusable';
		const failure = { ...notStarted().failure, code, message, remedy, retryable: false };
		const unusable = { kind: 'failed', failure };
		expect(await send('order-1')).toEqual(unusable);
		const start = clock.ticks();
		expect(await send('order-2')).toEqual(unusable);
		expect(clock.ticks()).toBe(start);
		expect(await clock.run(sendOnce.show('order-1', show))).toEqual(unusable);
		expect(sent).toEqual([]);
	});

	// docs/send-once.md: said above the output
	it.each<[OutcomeName, Statement]>([
		['sent', 'update'],
		['notSent', 'delete'],
	])(
		'a message that was %s has an unknown outcome, which the run says',
		async (outcome, broken) => {
			const { newRun, send } = scene();
			const run = newRun((statement) => statement === broken);
			expect(await run.send('order-1', outcome)).toBe(outcome);
			expect(run.sendOnce.problem).toBe(
				'The memory of Send Once Key could not be updated for 1 message, so the next run may skip what it should send, or report it as unknown: no database',
			);
			await run.send('order-2', outcome);
			expect(run.sendOnce.problem).toContain('could not be updated for 2 messages, so');
			expect(await send('order-1')).toEqual(UNKNOWN_OUTCOME);
		},
	);
});

it('sends each key once however runs overlap and are held up, says whose outcome is unknown, and frees what was not sent', async () => {
	const plan = fc.record({
		key: fc.constantFrom('0', '1', '2', '3', '4'),
		run: fc.nat(3),
		atMs: fc.nat(3000),
		takesMs: fc.integer({ min: 1, max: 2000 }),
		outcome: fc.constantFrom<OutcomeName[]>('sent', 'unknown', 'undelivered', 'notSent'),
	});
	const plans = fc.array(plan, { minLength: 1, maxLength: 15 });
	const latencies = fc.array(fc.integer({ min: 1, max: 3000 }), { minLength: 5, maxLength: 20 });
	await fc.assert(
		fc.asyncProperty(plans, latencies, async (all, latency) => {
			let step = 0;
			const { clock, sent, newRun, send } = scene(() => latency[step++ % latency.length]);
			const runs = [0, 1, 2, 3].map(() => newRun());
			const ends = all.map(async ({ key, run, atMs, takesMs, outcome }) => {
				await clock.sleep(atMs);
				return { key, result: await runs[run].start(key, outcome, { takesMs }) };
			});
			const results = await clock.run(Promise.all(ends));
			for (const key of new Set(all.map((each) => each.key))) {
				const ofKey = results.filter((each) => each.key === key).map(({ result }) => result);
				const gone = sent.filter((each) => each === key).length;
				expect(gone).toBeLessThanOrEqual(1);
				if (ofKey.includes('wasSent')) expect(ofKey).toContain('sent');
				if (gone === 0) expect(await send(key)).toBe('sent');
				else expect(['wasSent', UNKNOWN_OUTCOME]).toContainEqual(await send(key));
			}
		}),
		sample(40),
	);
});
