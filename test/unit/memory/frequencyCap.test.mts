import fc from 'fast-check';

import { type Cap, FrequencyCap } from '../../../nodes/BusinessMessaging/memory/frequencyCap';
import { NoRows, openRows, type Rows } from '../../../nodes/BusinessMessaging/memory/rows';
import type { Outcome } from '../../../nodes/BusinessMessaging/outcome';
import { mayHaveIt, type OutcomeName, OUTCOMES } from '../../support/outcomes.mts';
import { contextOn, ProcessedData, type Statement } from '../../support/processedData.mts';
import { seededRandom } from '../../support/simulation/random.mts';
import { createVirtualClock } from '../../support/virtualClock.mts';

const HOUR_MS = 3_600_000;
const CAP: Cap = { counter: 'name:marketing', number: '+14155552671', hours: 24 };
/** A message may count for so much longer than the hours. */
const ROUNDING_MS = (24 * HOUR_MS) / 48;

interface Sending {
	cap?: Cap;
	outcome?: OutcomeName;
	/** The rate limit and the API hold the message up. */
	takesMs?: number;
}

const shown: Outcome = { kind: 'shown', json: {}, estimate: 0.115 };
const show = async () => await Promise.resolve(shown);

const capOn = (open: () => Promise<Rows>) => new FrequencyCap(open, createVirtualClock());

/** Runs of nodes of one workflow, each with a database connection of its own. */
function scene(latencyMs: () => number = () => 5) {
	const clock = createVirtualClock();
	const table = new ProcessedData();
	/** When a message went out to which number, as far as it did. */
	const sent: Array<{ number: string; at: number }> = [];
	function newRun(
		fails: (statement: Statement) => boolean = () => false,
		{ aheadMs = 0, insertMs = 0 } = {},
	) {
		const own = new ProcessedData(
			async (statement) => {
				await clock.sleep(latencyMs() + (statement === 'insert' ? insertMs : 0));
				if (fails(statement)) throw new Error('no database');
			},
			async () => await clock.sleep(latencyMs()),
			table,
		);
		const { context } = contextOn(own);
		const ownClock = { ...clock, now: () => clock.now() + aheadMs };
		const frequencyCap = new FrequencyCap(async () => await openRows(context, ownClock), ownClock);
		/** @returns the name of the outcome, if it is the message's own */
		async function send({ cap = CAP, outcome: name = 'sent', takesMs = 50 }: Sending = {}) {
			const outcome = await frequencyCap.send(cap, async () => {
				await clock.sleep(takesMs);
				if (mayHaveIt(name)) sent.push({ number: cap.number, at: clock.now() });
				return OUTCOMES[name];
			});
			return outcome === OUTCOMES[name] ? name : outcome;
		}
		return { frequencyCap, send };
	}
	return { clock, table, sent, newRun };
}

beforeAll(async () => {
	const clock = createVirtualClock();
	await clock.run(openRows(contextOn(new ProcessedData()).context, clock));
});

// docs/sending.md: at most one message
it('the second message within the hours says from when on it may be sent, and is sent then', async () => {
	const { clock, newRun, sent } = scene();
	const start = clock.now();
	expect(await clock.run(newRun().send())).toBe('sent');
	const freeAt = Number(await clock.run(newRun().send()));
	expect(freeAt - start).toBeGreaterThanOrEqual(24 * HOUR_MS);
	expect(freeAt - start).toBeLessThanOrEqual(24 * HOUR_MS + ROUNDING_MS);
	clock.pass(freeAt - clock.now() - 1);
	expect(await clock.run(newRun().frequencyCap.show(CAP, show))).toBe(freeAt);
	expect(await clock.run(newRun().send())).toBe('sent');
	expect(sent).toHaveLength(2);
});

it.each<[string, Partial<Cap>]>([
	['another number', { number: '+14155552672' }],
	['another node or name', { counter: 'node:1' }],
	['other hours', { hours: 12 }],
])('%s counts alone', async (_, other) => {
	const { clock, newRun } = scene();
	await clock.run(newRun().send());
	expect(await clock.run(newRun().send({ cap: { ...CAP, ...other } }))).toBe('sent');
});

it('what was certainly not sent or delivered does not count, and what may have been does', async () => {
	const { clock, table, newRun } = scene();
	for (const outcome of ['notSent', 'undelivered'] as const) {
		expect(await clock.run(newRun().send({ outcome }))).toBe(outcome);
		expect(table.rows.size).toBe(0);
	}
	expect(await clock.run(newRun().send({ outcome: 'unknown' }))).toBe('unknown');
	expect(await clock.run(newRun().send())).toEqual(expect.any(Number));
});

it('a message that was held up counts from the moment at which it went out', async () => {
	const { clock, newRun } = scene();
	await clock.run(newRun().send({ takesMs: 10 * HOUR_MS }));
	clock.pass(23 * HOUR_MS);
	expect(await clock.run(newRun().send())).toEqual(expect.any(Number));
});

describe('the number of a message that did not reach the customer is free', () => {
	it.each([
		['at once', 50],
		['after it was held up', 10 * HOUR_MS],
	])('%s', async (_, takesMs) => {
		const { clock, newRun } = scene();
		const run = newRun();
		await clock.run(run.send({ takesMs }));
		await clock.run(run.frequencyCap.free(CAP));
		expect(await clock.run(newRun().send())).toBe('sent');
	});

	it('unless another message has gone to it meanwhile, or another run sent it', async () => {
		const { clock, newRun } = scene();
		const run = newRun();
		await clock.run(run.send());
		await clock.run(run.frequencyCap.free(CAP));
		await clock.run(newRun().send());
		for (const { frequencyCap } of [run, newRun()]) {
			await clock.run(frequencyCap.free(CAP));
			expect(frequencyCap.problem).toBeUndefined();
			expect(await clock.run(newRun().send())).toEqual(expect.any(Number));
		}
	});

	it('without a message there is nothing to free', async () => {
		const { clock, table, newRun } = scene();
		const { frequencyCap } = newRun();
		await clock.run(frequencyCap.free(CAP));
		expect(frequencyCap.problem).toBeUndefined();
		expect(table.statements).not.toContain('delete');
	});
});

it('a dry run shows one message to a number, and from when on the next one may go', async () => {
	const { clock, newRun } = scene();
	const { frequencyCap } = newRun();
	expect(await clock.run(frequencyCap.show(CAP, show))).toBe(shown);
	const freeIn = Number(await clock.run(frequencyCap.show(CAP, show))) - clock.now();
	expect(freeIn).toBeGreaterThanOrEqual(24 * HOUR_MS);
	expect(freeIn).toBeLessThanOrEqual(24 * HOUR_MS + ROUNDING_MS);
});

it('asks the database for a new number with 13 statements, for a known one with 6', async () => {
	const { clock, table, newRun } = scene();
	await clock.run(newRun().send());
	expect(table.statements.splice(0)).toHaveLength(13);
	await clock.run(newRun().send());
	expect(table.statements).toEqual(Array(6).fill('select'));
});

it('a row has no number in its name', async () => {
	const { clock, table, newRun } = scene();
	await clock.run(newRun().send());
	expect([...table.rows.keys()]).toEqual([expect.stringMatching(/^workflow n:cap:[\w-]{22}:\d+$/)]);
});

describe('without rows', () => {
	it('nothing is sent when the database does not answer', async () => {
		const { clock, sent, newRun } = scene();
		const run = newRun(() => true);
		expect(await clock.run(run.send())).toEqual({
			kind: 'failed',
			failure: expect.objectContaining({
				message: "The memory of At Most Once per Number can't be used: no database",
				remedy: 'Run it again when the database of n8n answers.',
				outcome: 'notSent',
			}),
		});
		await expect(clock.run(run.frequencyCap.check())).resolves.toBeUndefined();
		expect(sent).toEqual([]);
	});

	it.each<[string, Parameters<typeof capOn>[0], string, string]>([
		[
			'n8n gives none of its own',
			async () => await Promise.reject(new NoRows()),
			"At Most Once per Number can't be used here",
			'Remove the option.',
		],
		[
			'the database does not answer',
			async () => await Promise.reject(new Error('no database')),
			"The memory of At Most Once per Number can't be used: no database",
			'Run it again',
		],
	])('a run does not begin when %s', async (_, open, message, remedy) => {
		await expect(capOn(open).check()).rejects.toMatchObject({
			message: expect.stringContaining(message),
			remedy: expect.stringContaining(remedy),
		});
	});

	it('a number whose second look fails is free again, because nothing was sent', async () => {
		const { clock, table, sent, newRun } = scene();
		const run = newRun((statement) => statement === 'select' && table.rows.size > 0);
		expect(await clock.run(run.send())).toHaveProperty('failure.outcome', 'notSent');
		expect(sent).toEqual([]);
		expect(await clock.run(newRun().send())).toBe('sent');
	});

	it('a message that could not be taken back is told', async () => {
		const { clock, newRun } = scene();
		const run = newRun((statement) => statement === 'delete');
		expect(await clock.run(run.send({ outcome: 'notSent' }))).toBe('notSent');
		expect(run.frequencyCap.problem).toBe(
			'The memory of At Most Once per Number could not be updated: no database',
		);
	});
});

interface Planned {
	atMs: number;
	number: string;
	outcome: OutcomeName;
	takesMs: number;
	run: number;
}

const planned = fc.record<Planned>({
	// Also at the edges of rows, which are six hours apart.
	atMs: fc.oneof(
		fc.integer({ min: 0, max: 72 * HOUR_MS }),
		fc
			.tuple(fc.integer({ min: 0, max: 12 }), fc.integer({ min: -20, max: 20 }))
			.map(([row, ms]) => Math.max(0, row * 6 * HOUR_MS + ms)),
	),
	number: fc.constantFrom('+14155552671', '+14155552672'),
	outcome: fc.constantFrom('sent', 'sent', 'unknown', 'undelivered', 'notSent'),
	takesMs: fc.constantFrom(1, 1000, 5 * HOUR_MS),
	run: fc.integer({ min: 0, max: 3 }),
});

// docs/sending.md: exact for all runs and n8n processes
it('whatever processes send at whatever moments, no number gets two messages within the hours', async () => {
	await fc.assert(
		fc.asyncProperty(
			fc.array(planned, { minLength: 2, maxLength: 14 }),
			fc.integer(),
			async (plan, seed) => {
				const random = seededRandom(seed);
				const { clock, sent, newRun } = scene(() => Math.round(random() * 20));
				const runs = Array.from({ length: 4 }, () => newRun());
				const skipped: Array<{ at: number; freeAt: number }> = [];
				const sends = plan.map(async ({ atMs, number, outcome, takesMs, run }) => {
					await clock.sleep(atMs);
					const at = clock.now();
					const cap = { ...CAP, number };
					const result = await runs[run].send({ cap, outcome, takesMs });
					if (typeof result === 'number') {
						skipped.push({ at, freeAt: result });
					}
				});
				await clock.run(Promise.all(sends));
				for (const [index, { number, at }] of sent.entries()) {
					const later = sent.slice(index + 1).filter((other) => other.number === number);
					for (const other of later) expect(Math.abs(other.at - at)).toBeGreaterThan(24 * HOUR_MS);
				}
				for (const { at, freeAt } of skipped) expect(freeAt).toBeGreaterThan(at);
			},
		),
		{ numRuns: 150 },
	);
});

it.each([[0], [20 * 60_000]])(
	'of 20 processes that send to a number at the same moment, at the edge of a row, one does (clocks differ by %d ms)',
	async (differMs) => {
		const random = seededRandom(7);
		for (const beforeMs of [0, 5, 10, 20, 40, 300_000]) {
			const { clock, sent, newRun } = scene(() => Math.round(random() * 20));
			const row = 6 * HOUR_MS;
			clock.pass(row - (clock.now() % row) - beforeMs);
			const runs = Array.from({ length: 20 }, (_, index) =>
				newRun(undefined, { aheadMs: index % 2 ? differMs : 0 }),
			);
			await clock.run(Promise.all(runs.map(async ({ send }) => await send())));
			expect(sent).toHaveLength(1);
		}
	},
);

it('a process whose claim reaches the database half a day late does not send', async () => {
	const { clock, sent, newRun } = scene();
	const held = newRun(undefined, { insertMs: 13 * HOUR_MS }).send();
	const other = (async () => {
		await clock.sleep(12.5 * HOUR_MS);
		return await newRun().send();
	})();
	expect(await clock.run(Promise.all([held, other]))).toEqual([expect.any(Number), 'sent']);
	expect(sent).toHaveLength(1);
});

it('a message of a process whose clock is ahead counts', async () => {
	const { clock, newRun } = scene();
	const row = 6 * HOUR_MS;
	clock.pass(row - (clock.now() % row) - 60_000);
	await clock.run(newRun(undefined, { aheadMs: 120_000 }).send());
	expect(await clock.run(newRun().send())).toEqual(expect.any(Number));
});
