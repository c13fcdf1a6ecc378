import fc from 'fast-check';

import {
	type Cap,
	FrequencyCap,
	type HeldBackUntil,
} from '../../../nodes/BusinessMessaging/memory/frequencyCap';
import { NoRows, openRows, type Rows } from '../../../nodes/BusinessMessaging/memory/rows';
import type { Outcome } from '../../../nodes/BusinessMessaging/outcome';
import { mayHaveIt, type OutcomeName, OUTCOMES } from '../../support/outcomes.mts';
import { contextOn, ProcessedData, type Statement } from '../../support/processedData.mts';
import { seededRandom } from '../../support/simulation/random.mts';
import { createVirtualClock } from '../../support/virtualClock.mts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const CAP: Cap = {
	counter: 'name:marketing',
	number: '+14155552671',
	messages: 1,
	periodMs: DAY_MS,
};

/** How long a message counts: so long at least, and at most. docs/sending.md */
const least = (periodMs: number) => (periodMs * 30) / 32;
const most = (periodMs: number) => (periodMs * 31) / 32;
const SLOT_MS = most(DAY_MS);
const REQUEST_TIMEOUT_MS = 500;

/** So many hours after the beginning of a slot of 24 hours. */
function inSlot(hours: number): number {
	const someDay = Date.UTC(2026, 0, 31);
	return someDay - (someDay % SLOT_MS) + hours * HOUR_MS;
}

interface Sending {
	cap?: Cap;
	outcome?: OutcomeName;
	/** The rate limit holds the request up. */
	waitsMs?: number;
	/** From the request to the response. */
	takesMs?: number;
}

const shown: Outcome = { kind: 'shown', json: {}, estimate: 0.115 };
const show = async () => await Promise.resolve(shown);
const heldBack = { until: expect.any(Number) };
const inDoubt = { ...heldBack, earlier: 'unknown' };

const capOn = (open: () => Promise<Rows>) => new FrequencyCap(open, createVirtualClock());

/** Runs of nodes of one workflow, each with a database connection of its own. */
function scene(latencyMs: () => number = () => 5, startMs?: number) {
	const clock = createVirtualClock(startMs);
	const table = new ProcessedData();
	/** When the API got a message to which number. */
	const sent: Array<{ number: string; at: number }> = [];
	function newRun(
		fails: (statement: Statement) => boolean = () => false,
		{ aheadMs = 0, insertMs = 0 } = {},
	) {
		const own = new ProcessedData(
			async (statement) => {
				const ms = latencyMs() + (statement === 'insert' ? insertMs : 0);
				if (ms > 0) await clock.sleep(ms);
				if (fails(statement)) throw new Error('no database');
			},
			async () => {
				const ms = latencyMs();
				if (ms > 0) await clock.sleep(ms);
			},
			table,
		);
		const { context } = contextOn(own);
		const ownClock = { ...clock, now: () => clock.now() + aheadMs };
		const frequencyCap = new FrequencyCap(async () => await openRows(context, ownClock), ownClock);
		const stopping = new AbortController();
		/** @returns the name of the outcome, if it is the message's own */
		async function send({
			cap = CAP,
			outcome: name = 'sent',
			waitsMs = 0,
			takesMs = 50,
		}: Sending = {}) {
			const request = async ({ endsAt }: { endsAt: number }) => {
				const deadline = endsAt - REQUEST_TIMEOUT_MS;
				if (waitsMs > 0) await clock.sleep(Math.min(waitsMs, deadline - clock.ticks()));
				if (clock.ticks() >= deadline) return OUTCOMES.notSent;
				if (takesMs > 0) await clock.sleep(Math.min(takesMs, REQUEST_TIMEOUT_MS));
				if (mayHaveIt(name)) sent.push({ number: cap.number, at: clock.now() });
				return OUTCOMES[name];
			};
			const outcome = await frequencyCap.withClaim(cap, request, stopping.signal);
			const names = Object.keys(OUTCOMES) as OutcomeName[];
			return names.find((each) => OUTCOMES[each] === outcome) ?? (outcome as HeldBackUntil);
		}
		return { frequencyCap, send, stop: () => stopping.abort() };
	}
	/** By a run that is killed meanwhile. */
	async function killed(cap = CAP) {
		void newRun().send({ cap, takesMs: Infinity, waitsMs: Infinity });
		await clock.run(clock.sleep(100));
	}
	return { clock, table, sent, newRun, killed };
}

/** Of each number, how many messages at most are within so long. */
function mostWithin(sent: Array<{ number: string; at: number }>, ms: number): number {
	const counts = sent.map(
		({ number, at }) =>
			sent.filter((other) => other.number === number && other.at >= at && other.at - at < ms)
				.length,
	);
	return Math.max(0, ...counts);
}

beforeAll(async () => {
	const clock = createVirtualClock();
	await clock.run(openRows(contextOn(new ProcessedData()).context, clock));
});

// docs/sending.md: at most so many messages
it.each([
	[1, DAY_MS],
	[1, MINUTE_MS],
	[3, 7 * DAY_MS],
	[10, 30 * DAY_MS],
])(
	'of more than %d messages in %d ms each further one is told from when on it may be sent, and is sent then',
	async (messages, periodMs) => {
		const { clock, newRun, sent } = scene();
		const cap = { ...CAP, messages, periodMs };
		const start = clock.now();
		for (let message = 0; message < messages; message++) {
			expect(await clock.run(newRun().send({ cap }))).toBe('sent');
		}
		const held = await clock.run(newRun().send({ cap }));
		expect(held).toEqual(heldBack);
		const { until } = held as { until: number };
		expect(until - start).toBeGreaterThan(least(periodMs));
		expect(until - start).toBeLessThanOrEqual(most(periodMs) + 1000);
		clock.pass(until - clock.now() - 50);
		expect(await clock.run(newRun().frequencyCap.show(cap, show))).toEqual({ until });
		clock.pass(until - clock.now());
		expect(await clock.run(newRun().send({ cap }))).toBe('sent');
		expect(sent).toHaveLength(messages + 1);
	},
);

// docs/sending.md: a campaign at the same time every day
describe('with 24 hours a campaign at 9:00 reaches everybody each day,', () => {
	it('although it begins 2 s later each day', async () => {
		const { clock, newRun } = scene(undefined, Date.UTC(2026, 0, 31, 9));
		for (let day = 0; day < 6; day++) {
			expect(await clock.run(newRun().send())).toBe('sent');
			clock.pass(DAY_MS + 2000);
		}
	});

	it('whatever the order of 2,000 rows at 60 a minute', async () => {
		const { clock, table, sent, newRun } = scene(() => 0, Date.UTC(2026, 0, 31, 9));
		const random = seededRandom(3);
		const numbers = Array.from({ length: 2000 }, (_, index) => `+1555${1_000_000 + index}`);
		for (let day = 0; day < 3; day++) {
			const { send } = newRun();
			const rows = numbers.map((number) => ({ number, at: random() }));
			for (const { number } of rows.sort((a, b) => a.at - b.at)) {
				await send({ cap: { ...CAP, number }, takesMs: 0 });
				clock.pass(1000);
			}
			clock.pass(Date.UTC(2026, 0, 31 + day + 1, 9) - clock.now());
			expect(sent).toHaveLength((day + 1) * numbers.length);
		}
		expect(table.rows.size).toBe(2 * numbers.length);
	});
});

it.each<[string, Partial<Cap>]>([
	['another number', { number: '+14155552672' }],
	['another node or name', { counter: 'node:1' }],
	['another period', { periodMs: DAY_MS / 2 }],
	['another number of messages', { messages: 2 }],
])('%s counts alone', async (_, other) => {
	const { clock, newRun } = scene();
	await clock.run(newRun().send());
	expect(await clock.run(newRun().send({ cap: { ...CAP, ...other } }))).toBe('sent');
});

it('what was certainly not sent or delivered does not count, and what may have been does', async () => {
	const { clock, newRun } = scene();
	const run = newRun();
	for (const outcome of ['notSent', 'undelivered', 'unknown'] as const) {
		expect(await clock.run(run.send({ outcome }))).toBe(outcome);
	}
	const start = clock.ticks();
	expect(await clock.run(run.send())).toEqual(inDoubt);
	expect(clock.ticks() - start).toBeLessThan(1000);
});

// As with two accounts, each of which sends its own messages.
it.each<[string, OutcomeName, unknown]>([
	['is held back when the first was sent', 'sent', heldBack],
	['is in doubt when the first is', 'unknown', inDoubt],
	['is sent when the first was not', 'notSent', 'sent'],
	['is sent when the first could not be delivered', 'undelivered', 'sent'],
])('a second message to a number at the same moment in one run %s', async (_, outcome, second) => {
	const { clock, newRun } = scene();
	const { send } = newRun();
	const both = [send({ outcome, waitsMs: 2 * HOUR_MS }), send({ cap: { ...CAP } })];
	expect((await clock.run(Promise.all(both)))[1]).toEqual(second);
});

// docs/sending.md: a message that is held up
describe('a message that the rate limit holds up', () => {
	it('counts from the moment at which it went out', async () => {
		const { clock, newRun } = scene();
		await clock.run(newRun().send({ waitsMs: 10 * HOUR_MS }));
		clock.pass(22 * HOUR_MS);
		expect(await clock.run(newRun().send())).toEqual(heldBack);
	});

	it('for nearly the whole period is not sent, because another may go to the number then', async () => {
		const { clock, sent, newRun } = scene();
		const heldUp = newRun().send({ waitsMs: 23.75 * HOUR_MS });
		const other = (async () => {
			await clock.sleep(23.5 * HOUR_MS);
			return await newRun().send();
		})();
		expect(await clock.run(Promise.all([heldUp, other]))).toEqual(['notSent', 'sent']);
		expect(sent).toHaveLength(1);
	});
});

describe('the number of a message that did not reach the customer is free', () => {
	it.each([
		['at once', 0],
		['after it was held up', 10 * HOUR_MS],
	])('%s', async (_, waitsMs) => {
		const { clock, newRun } = scene(undefined, inSlot(20));
		const run = newRun();
		await clock.run(run.send({ waitsMs }));
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
			expect(await clock.run(newRun().send())).toEqual(heldBack);
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

// docs/sending.md: what a killed run was sending
describe('a number whose message was sent by a run that was killed', () => {
	it.each([[5 * MINUTE_MS], [DAY_MS]])(
		'is skipped as unknown after a minute, which is waited for once in a run (%d ms)',
		async (periodMs) => {
			const { clock, newRun, killed } = scene();
			const caps = ['1', '2', '3'].map((number) => ({ ...CAP, periodMs, number }));
			for (const cap of caps) await killed(cap);
			const run = newRun();
			const start = clock.ticks();
			for (const cap of caps) expect(await clock.run(run.send({ cap }))).toEqual(inDoubt);
			expect(Math.round((clock.ticks() - start) / 1000)).toBe(60);
		},
	);

	it('is not waited for hours later', async () => {
		const { clock, newRun, killed } = scene();
		await killed();
		clock.pass(3 * HOUR_MS);
		const start = clock.ticks();
		expect(await clock.run(newRun().send())).toEqual(inDoubt);
		expect(clock.ticks() - start).toBeLessThan(1000);
	});

	it('is in doubt although an earlier message to it was not sent', async () => {
		const { clock, newRun, killed } = scene();
		await clock.run(newRun().send({ outcome: 'notSent' }));
		await killed();
		expect(await clock.run(newRun().send())).toEqual(inDoubt);
	});

	it('can be sent to when the period is over, and nothing is in doubt then', async () => {
		const { clock, newRun, killed } = scene();
		await killed();
		clock.pass(DAY_MS);
		expect(await clock.run(newRun().send())).toBe('sent');
		expect(await clock.run(newRun().send())).toEqual(heldBack);
	});

	it.each<[string, OutcomeName, unknown]>([
		['is skipped as usual', 'sent', heldBack],
		['is sent to', 'notSent', 'sent'],
	])('%s, if the run is only slow (%s)', async (_, outcome, expected) => {
		const { clock, newRun } = scene();
		const slow = newRun().send({ outcome, waitsMs: 20_000 });
		const other = newRun().send();
		expect(await clock.run(Promise.all([slow, other]))).toEqual([outcome, expected]);
	});

	it('keeps nobody waiting in a run that is stopped', async () => {
		const { clock, newRun, killed } = scene();
		await killed();
		const run = newRun();
		const waiting = run.send();
		await clock.run(clock.sleep(2000));
		const start = clock.ticks();
		run.stop();
		expect(await clock.run(waiting)).toEqual(inDoubt);
		expect(clock.ticks() - start).toBeLessThan(1000);
		expect(await clock.run(run.send({ cap: { ...CAP, number: '1' } }))).toMatchObject({
			failure: { code: 'canceled', outcome: 'notSent' },
		});
	});
});

it('a dry run shows as many messages as a number may get, and from when on the next one may go', async () => {
	const { clock, table, newRun } = scene();
	const cap = { ...CAP, messages: 3 };
	await clock.run(newRun().send({ cap }));
	const before = structuredClone(table.rows);
	const { frequencyCap } = newRun();
	const showNext = async () => await clock.run(frequencyCap.show(cap, show));
	expect([await showNext(), await showNext()]).toEqual([shown, shown]);
	const { until } = (await showNext()) as { until: number };
	expect(until - clock.now()).toBeGreaterThan(least(DAY_MS));
	expect(until - clock.now()).toBeLessThanOrEqual(most(DAY_MS));
	expect(table.rows).toEqual(before);
});

// docs/scaling.md: statements, rows
it.each([
	['in the middle of a slot', 12, 8],
	['at its beginning', 1, 9],
	['at its end', 22, 10],
])('%s a new number takes few statements, and a known one fewer', async (_, hours, statements) => {
	const { clock, table, newRun } = scene(undefined, inSlot(hours));
	await clock.run(newRun().send());
	expect(table.statements.splice(0)).toHaveLength(statements);
	await clock.run(newRun().send());
	expect(table.statements.splice(0)).toEqual(Array(hours === 22 ? 3 : 2).fill('select'));
	// At the same place of the next slot, where one statement removes the row.
	clock.pass(SLOT_MS);
	await clock.run(newRun().send());
	expect(table.statements).toHaveLength(statements + 1);
});

// docs/scaling.md: two rows for each message of the cap
it.each([
	[1, 30 * DAY_MS],
	[1, DAY_MS],
	[1, 400 * DAY_MS],
	[1, 26 * HOUR_MS],
	[4, 3 * HOUR_MS],
	[4, 40 * DAY_MS],
])(
	'a number that gets a message every so often (%d in 24 hours, every %d ms) has two rows for each of the cap',
	async (messages, everyMs) => {
		const { clock, table, newRun } = scene();
		for (let message = 0; message < 60; message++) {
			await clock.run(
				newRun().send({ cap: { ...CAP, messages }, waitsMs: (message % 7) * HOUR_MS }),
			);
			expect(table.rows.size).toBeLessThanOrEqual(2 * messages);
			clock.pass(everyMs);
		}
	},
);

it('a row has no number in its name', async () => {
	const { clock, table, newRun } = scene();
	await clock.run(newRun().send());
	const name = /^workflow n:cap:[\w-]{22}:0(:\d+)?$/;
	expect([...table.rows.keys()]).toEqual(Array(2).fill(expect.stringMatching(name)));
});

describe('without rows', () => {
	it('nothing is sent when the database does not answer', async () => {
		const { clock, sent, newRun } = scene();
		const run = newRun(() => true);
		expect(await clock.run(run.send())).toEqual({
			kind: 'failed',
			failure: expect.objectContaining({
				message: "The memory of Frequency Cap can't be used: no database",
				remedy: 'Run it again when the database of n8n answers.',
				outcome: 'notSent',
			}),
		});
		await expect(clock.run(run.frequencyCap.check())).resolves.toBeUndefined();
		expect(sent).toEqual([]);
	});

	it('nothing is sent when the database is too slow for the period', async () => {
		const { clock, sent, newRun } = scene(() => 1500);
		const cap = { ...CAP, periodMs: MINUTE_MS };
		expect(await clock.run(newRun().send({ cap }))).toHaveProperty(
			'failure.message',
			"The memory of Frequency Cap can't be used: the database of n8n is too slow for so short a period",
		);
		expect(clock.ticks()).toBeLessThan(2 * MINUTE_MS);
		expect(sent).toEqual([]);
		expect(await clock.run(newRun().send())).toBe('sent');
	});

	it.each<[string, Parameters<typeof capOn>[0], string, string]>([
		[
			'n8n gives none of its own',
			async () => await Promise.reject(new NoRows()),
			"Frequency Cap can't be used here",
			'Remove the option.',
		],
		[
			'the database does not answer',
			async () => await Promise.reject(new Error('no database')),
			"The memory of Frequency Cap can't be used: no database",
			'Run it again',
		],
	])('a run does not begin when %s', async (_, open, message, remedy) => {
		await expect(capOn(open).check()).rejects.toMatchObject({
			message: expect.stringContaining(message),
			remedy: expect.stringContaining(remedy),
		});
	});

	it('a number whose second look fails is free again, because nothing was sent', async () => {
		const { clock, table, sent, newRun } = scene(undefined, inSlot(0));
		const run = newRun((statement) => statement === 'select' && table.rows.size > 0);
		expect(await clock.run(run.send())).toHaveProperty('failure.outcome', 'notSent');
		expect(sent).toEqual([]);
		expect(await clock.run(newRun().send())).toBe('sent');
	});

	it.each<[OutcomeName, Statement]>([
		['notSent', 'delete'],
		['sent', 'update'],
	])('a message that was %s, without its row knowing it, is told', async (outcome, broken) => {
		const { clock, newRun } = scene();
		const run = newRun((statement) => statement === broken);
		expect(await clock.run(run.send({ outcome }))).toBe(outcome);
		expect(run.frequencyCap.problem).toBe(
			'The memory of Frequency Cap could not be updated for 1 message, so the next run may skip what it should send, or report it as unknown: no database',
		);
		expect(await clock.run(newRun().send())).toEqual(inDoubt);
	});

	it('a row that could not be removed keeps no message from being sent', async () => {
		const { clock, newRun } = scene();
		await clock.run(newRun().send());
		clock.pass(DAY_MS);
		const run = newRun((statement) => statement === 'delete');
		expect(await clock.run(run.send())).toBe('sent');
		expect(run.frequencyCap.problem).toBeUndefined();
		expect(await clock.run(newRun().send())).toEqual(heldBack);
	});
});

interface Planned {
	at: number;
	number: string;
	outcome: OutcomeName;
	waits: number;
	run: number;
}

const planned = fc.record<Planned>({
	// In periods. Also at the edges of slots.
	at: fc.oneof(
		fc.double({ min: 0, max: 3, noNaN: true }),
		fc
			.tuple(fc.integer({ min: 0, max: 3 }), fc.integer({ min: -20, max: 20 }))
			.map(([slot, ms]) => Math.max(0, (slot * SLOT_MS + ms) / DAY_MS)),
		fc.constantFrom(least(1), most(1), 1),
	),
	number: fc.constantFrom('+14155552671', '+14155552671', '+14155552672'),
	outcome: fc.constantFrom('sent', 'sent', 'sent', 'unknown', 'undelivered', 'notSent'),
	waits: fc.constantFrom(0, 0, 0, 0.02, 0.3, 0.95),
	run: fc.integer({ min: 0, max: 3 }),
});

// docs/sending.md: exact for all runs and n8n processes
it('whatever processes send at whatever moments, by the API a number gets no more messages in a period than it may, and no fewer', async () => {
	await fc.assert(
		fc.asyncProperty(
			fc.array(planned, { minLength: 2, maxLength: 20 }),
			fc.constantFrom(1, 1, 2, 3),
			fc.constantFrom(5 * MINUTE_MS, DAY_MS, 30 * DAY_MS),
			fc.integer(),
			async (plan, messages, periodMs, seed) => {
				const random = seededRandom(seed);
				const start = Date.UTC(2026, 0, 31);
				const slotMs = most(periodMs);
				const { clock, table, sent, newRun } = scene(
					() => Math.round(random() * 20),
					start - (start % slotMs),
				);
				const runs = Array.from({ length: 4 }, () => newRun());
				const ends = plan.map(async ({ at, number, outcome, waits, run }) => {
					await clock.sleep(at * periodMs);
					const from = clock.now();
					const cap = { ...CAP, number, messages, periodMs };
					const result = await runs[run].send({ cap, outcome, waitsMs: waits * periodMs });
					const keeps = ['sent', 'unknown'].includes(String(result));
					return { from, end: clock.now(), number, result, keeps };
				});
				const all = await clock.run(Promise.all(ends));
				expect(mostWithin(sent, least(periodMs) - REQUEST_TIMEOUT_MS)).toBeLessThanOrEqual(
					messages,
				);
				for (const { from, end, number, result } of all) {
					if (typeof result === 'string') continue;
					expect(result.until).toBeGreaterThan(from);
					const others = all.filter(
						(other) =>
							other.number === number &&
							typeof other.result === 'string' &&
							other.from <= end &&
							other.end >= (other.keeps ? from - most(periodMs) - 100 : from),
					);
					expect(others.length).toBeGreaterThanOrEqual(messages);
				}
				expect(table.rows.size).toBeLessThanOrEqual(2 * 2 * messages);
			},
		),
		{ numRuns: 150 },
	);
});

it.each([
	[1, 0],
	[1, 2 * HOUR_MS],
	[3, 20 * MINUTE_MS],
])(
	'of 20 processes that send to a number at the same moment, at the edge of a slot, %d do (clocks differ by %d ms)',
	async (messages, differMs) => {
		const random = seededRandom(7);
		for (const beforeMs of [0, 5, 10, 20, 40, 300_000]) {
			const { clock, sent, newRun } = scene(() => Math.round(random() * 20), inSlot(0) - beforeMs);
			const runs = Array.from({ length: 20 }, (_, index) =>
				newRun(undefined, { aheadMs: index % 2 ? differMs : 0 }),
			);
			const cap = { ...CAP, messages };
			await clock.run(Promise.all(runs.map(async ({ send }) => await send({ cap }))));
			expect(sent).toHaveLength(messages);
		}
	},
);

it.each([
	['in the same slot', 0, 13],
	['in the next one', 12, 20],
])('a process whose claim reaches the database late, %s, does not send', async (_, hour, hours) => {
	const { clock, sent, newRun } = scene(undefined, inSlot(hour));
	const held = newRun(undefined, { insertMs: hours * HOUR_MS }).send();
	const other = (async () => {
		await clock.sleep((hours - 0.5) * HOUR_MS);
		return await newRun().send();
	})();
	expect(await clock.run(Promise.all([held, other]))).toEqual([heldBack, 'sent']);
	expect(sent).toHaveLength(1);
});

it('a message is known to be sent although the clock was set back meanwhile', async () => {
	const { clock, newRun } = scene();
	const sending = newRun().send({ waitsMs: 1000 });
	await clock.run(clock.sleep(500));
	clock.set(-2 * HOUR_MS);
	expect(await clock.run(sending)).toBe('sent');
	expect(await clock.run(newRun().send())).toEqual(heldBack);
});

it('a message of a process whose clock is ahead counts until the time that the next one is told', async () => {
	const { clock, newRun } = scene(undefined, inSlot(0) - MINUTE_MS);
	await clock.run(newRun(undefined, { aheadMs: 2 * MINUTE_MS }).send());
	const held = await clock.run(newRun().send());
	expect(held).toEqual(heldBack);
	clock.pass((held as HeldBackUntil).until - clock.now());
	expect(await clock.run(newRun().send())).toBe('sent');
});
