import fc from 'fast-check';

import {
	type Cap,
	FrequencyCap,
	type HeldBackUntil,
} from '../../../nodes/BusinessMessaging/memory/frequencyCap';
import { openRows } from '../../../nodes/BusinessMessaging/memory/rows';
import type { Outcome } from '../../../nodes/BusinessMessaging/outcome';
import { mayHaveIt, type OutcomeName, OUTCOMES } from '../../support/outcomes.mts';
import { contextOn, ProcessedData, type Statement } from '../../support/processedData.mts';
import { sample } from '../../support/sample.mts';
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
const least = (periodMs: number) => (periodMs * 15) / 16;
const most = (periodMs: number) => least(periodMs) + 2 * MINUTE_MS;
/** Of a message whose n8n was killed. */
const mostKilled = (periodMs: number) => least(periodMs) + 70 * MINUTE_MS;
const STRETCH_MS = 72 * HOUR_MS;
const REQUEST_TIMEOUT_MS = 500;
/** Between the clocks of processes, at most. */
const SKEW_MS = 6000;

/** So many hours after the beginning of a stretch. */
function inStretch(hours: number): number {
	const someDay = Date.UTC(2026, 0, 31);
	return someDay - (someDay % STRETCH_MS) + hours * HOUR_MS;
}

interface Sending {
	cap?: Cap;
	outcome?: OutcomeName;
	/** The rate limit holds the request up. */
	waitsMs?: number;
	/** From the request to the response. Infinity: its n8n is killed meanwhile. */
	takesMs?: number;
}

/** The message has no slot yet, and its claim is about to end. */
const CLAIM_ENDED: Outcome = { ...OUTCOMES.notSent };
const shown: Outcome = { kind: 'shown', json: {}, estimate: 0.115 };
const show = async () => await Promise.resolve(shown);
const heldBack = { until: expect.any(Number) };
const inDoubt = { ...heldBack, earlier: 'unknown' };

/** A message that the API got, and when its node began to send it. */
interface Sent {
	cap: Cap;
	from: number;
	at: number;
}

const NEVER = new Promise<never>(() => undefined);

/** Runs of nodes of one workflow, each with a database connection of its own. */
function scene(latencyMs: () => number = () => 5, startMs?: number) {
	const clock = createVirtualClock(startMs);
	const table = new ProcessedData();
	const sent: Sent[] = [];
	function newRun(
		fails: (statement: Statement) => boolean = () => false,
		{ aheadMs = 0, insertMs = 0, diesAfter = Infinity } = {},
	) {
		let statements = 0;
		let inserts = 0;
		const own = new ProcessedData(
			async (statement) => {
				const isFirstInsert = statement === 'insert' && inserts++ === 0;
				const ms = latencyMs() + (isFirstInsert ? insertMs : 0);
				if (ms > 0) await clock.sleep(ms);
				if (statements++ >= diesAfter) await NEVER;
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
			const from = clock.now();
			const slotAt = clock.ticks() + waitsMs;
			const request = async ({ endsAt }: { endsAt: number }) => {
				const deadline = endsAt - REQUEST_TIMEOUT_MS;
				const leftMs = Math.min(slotAt, deadline) - clock.ticks();
				if (leftMs > 0) await clock.sleep(leftMs);
				if (clock.ticks() >= deadline) return CLAIM_ENDED;
				if (takesMs > 0) await clock.sleep(Math.min(takesMs, REQUEST_TIMEOUT_MS));
				if (mayHaveIt(name)) sent.push({ cap, from, at: clock.now() });
				if (takesMs === Infinity) await NEVER;
				return OUTCOMES[name];
			};
			let outcome: Outcome | HeldBackUntil = CLAIM_ENDED;
			while (outcome === CLAIM_ENDED) {
				outcome = await frequencyCap.withClaim(cap, request, stopping.signal);
			}
			const names = Object.keys(OUTCOMES) as OutcomeName[];
			return names.find((each) => OUTCOMES[each] === outcome) ?? (outcome as HeldBackUntil);
		}
		return { frequencyCap, send, stop: () => stopping.abort() };
	}
	/** By a run that is killed meanwhile. */
	async function killed(cap = CAP) {
		void newRun().send({ cap, takesMs: Infinity });
		await clock.run(clock.sleep(1000));
	}
	return { clock, table, sent, newRun, killed };
}

/** How many messages too many the number had got within the period of this one, when it got this one. */
function excessAt({ cap, from, at }: Sent, sent: Sent[]): number {
	const before = sent.filter((other) => {
		const isWithin = other.at <= at && other.at > at - least(cap.periodMs) + SKEW_MS;
		// A node whose cap allows more may send beside this one.
		const isBeside = other.cap.messages > cap.messages && other.at >= from;
		return other.cap.number === cap.number && isWithin && !isBeside;
	});
	return before.length - cap.messages;
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
});

it.each<[string, Partial<Cap>]>([
	['another number', { number: '+14155552672' }],
	['another node or name', { counter: 'node:1' }],
])('%s counts alone', async (_, other) => {
	const { clock, newRun } = scene();
	await clock.run(newRun().send());
	expect(await clock.run(newRun().send({ cap: { ...CAP, ...other } }))).toBe('sent');
});

// docs/sending.md: a changed cap
describe('what was sent under another cap counts,', () => {
	const daily = CAP;
	it.each<[string, Cap, number, Partial<Cap>, unknown]>([
		['of a shorter period', daily, 24, { periodMs: 2 * DAY_MS }, heldBack],
		['as long as it does now', daily, 47, { periodMs: 2 * DAY_MS }, 'sent'],
		[
			'of a much longer period',
			{ ...CAP, periodMs: 30 * DAY_MS },
			0.12,
			{ periodMs: 5 * MINUTE_MS },
			'sent',
		],
		[
			'to the minute',
			{ ...CAP, periodMs: 30 * DAY_MS },
			0.05,
			{ periodMs: 5 * MINUTE_MS },
			heldBack,
		],
		[
			'of a much shorter period',
			{ ...CAP, periodMs: MINUTE_MS },
			28 * 24,
			{ periodMs: 30 * DAY_MS },
			heldBack,
		],
		['of more messages', { ...CAP, messages: 10 }, 12, {}, heldBack],
	])('%s', async (_, former, hours, change, expected) => {
		const { clock, newRun } = scene();
		expect(await clock.run(newRun().send({ cap: former }))).toBe('sent');
		clock.pass(hours * HOUR_MS);
		expect(await clock.run(newRun().send({ cap: { ...CAP, ...change } }))).toEqual(expected);
	});
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

it.each([
	['of a message', /:1$/],
	['of its outcome', /:outcome$/],
])('a number whose row %s another version has written gets nothing', async (_, which) => {
	const { clock, table, sent, newRun } = scene();
	await clock.run(newRun().send());
	for (const [name, row] of table.rows) {
		if (which.test(name)) row.data.push(...Array.from({ length: 80 }, (__, n) => `x${n}`));
	}
	const after = await clock.run(newRun().send());
	expect(after).toMatchObject({
		failure: { message: expect.stringContaining('another version'), outcome: 'notSent' },
	});
	expect(sent).toHaveLength(1);
});

// docs/sending.md: a message that is held up
describe('a message that the rate limit holds up', () => {
	// The margin of the request is the last moment at which it may begin.
	it('has until the end of its claim, which others know', async () => {
		const { clock, newRun } = scene(() => 0, inStretch(12));
		let endsAt = 0;
		const { frequencyCap } = newRun();
		const held = frequencyCap.withClaim(
			CAP,
			async (end) => {
				({ endsAt } = end);
				await clock.sleep(endsAt - clock.ticks());
				return OUTCOMES.sent;
			},
			new AbortController().signal,
		);
		await clock.run(held);
		expect(clock.ticks()).toBe(endsAt);
		expect(endsAt).toBe(10 * MINUTE_MS);
		const other = await clock.run(newRun().send());
		expect((other as HeldBackUntil).until - clock.now()).toBeGreaterThanOrEqual(least(DAY_MS));
	});
});

describe('the number of a message that did not reach the customer is free', () => {
	it.each([
		['at once', 0],
		['after it was held up', 10 * HOUR_MS],
	])('%s', async (_, waitsMs) => {
		const { clock, newRun } = scene(undefined, inStretch(20));
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
});

// docs/sending.md: what a killed run was sending
describe('a number whose message was sent by a run that was killed', () => {
	it.each([[5 * MINUTE_MS], [DAY_MS]])(
		'is skipped as unknown after a minute, which is waited for once in a run (%d ms)',
		async (periodMs) => {
			const { clock, newRun, killed } = scene(() => 0);
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
	['in the middle of a stretch', 30, 7, 7],
	['early in a stretch, when a message of the one before may count', 20, 8, 7],
	['at its beginning', 1, 9, 7],
	['at its end', 71, 9, 8],
])(
	'%s a new number takes few statements, and a known one few more',
	async (_, hours, ...counts) => {
		const { clock, table, newRun } = scene(undefined, inStretch(hours));
		await clock.run(newRun().send());
		const fresh = table.statements.splice(0).length;
		await clock.run(newRun().send());
		expect(table.statements.splice(0)).toEqual(Array(hours === 71 ? 4 : 3).fill('select'));
		clock.pass(DAY_MS);
		await clock.run(newRun().send());
		expect([fresh, table.statements.length]).toEqual(counts);
	},
);

// docs/scaling.md: two rows for each message of the last 30 days
it.each([
	[1, 26 * HOUR_MS],
	[1, 400 * DAY_MS],
])(
	'a number that gets a message every so often (%d in 24 hours, every %d ms) has two rows for each of 36 days',
	async (messages, everyMs) => {
		const { clock, table, sent, newRun } = scene();
		for (let message = 0; message < 60; message++) {
			await clock.run(newRun().send({ cap: { ...CAP, messages } }));
			const kept = sent.filter(({ at }) => at > clock.now() - 36 * DAY_MS);
			expect(table.rows.size).toBeLessThanOrEqual(1 + 2 * kept.length);
			clock.pass(everyMs);
		}
	},
);

it('a row has no number in its name', async () => {
	const { clock, table, newRun } = scene();
	await clock.run(newRun().send());
	const name = /^workflow n:cap:[\w-]{22}(:\d{4}:1(:outcome)?)?$/;
	expect([...table.rows.keys()]).toEqual(Array(3).fill(expect.stringMatching(name)));
});

describe('without rows', () => {
	it('a row that could not be removed keeps no message from being sent', async () => {
		const { clock, newRun } = scene();
		await clock.run(newRun().send());
		clock.pass(40 * DAY_MS);
		const run = newRun((statement) => statement === 'delete');
		expect(await clock.run(run.send())).toBe('sent');
		expect(run.frequencyCap.problem).toBeUndefined();
		expect(await clock.run(newRun().send())).toEqual(heldBack);
	});
});

interface Planned {
	/** In hours. */
	at: number;
	number: string;
	/** Which of the caps. */
	cap: number;
	outcome: OutcomeName;
	waitsMs: number;
	run: number;
	/** After so many statements its n8n is killed. */
	diesAfter: number;
}

interface Attempt {
	cap: Cap;
	isHeldUp: boolean;
	from: number;
	end: number;
	/** Undefined: its n8n was killed. */
	result?: unknown;
}

const CAPS: Array<Pick<Cap, 'messages' | 'periodMs'>> = [
	{ messages: 1, periodMs: DAY_MS },
	{ messages: 1, periodMs: 2 * DAY_MS },
	{ messages: 2, periodMs: DAY_MS },
	{ messages: 3, periodMs: 7 * DAY_MS },
	{ messages: 1, periodMs: 5 * MINUTE_MS },
	{ messages: 10, periodMs: 30 * DAY_MS },
];

const planned = fc.record<Planned>({
	// Also at the edges of stretches, and of periods.
	at: fc.oneof(
		fc.double({ min: 0, max: 240, noNaN: true }),
		fc
			.tuple(fc.integer({ min: 0, max: 3 }), fc.integer({ min: -20, max: 20 }))
			.map(([stretch, ms]) => Math.max(0, (stretch * STRETCH_MS + ms) / HOUR_MS)),
		fc.constantFrom(0, 0.08, 0.1, 22.5, 23, 24, 45, 46, 48),
	),
	number: fc.constantFrom('+14155552671', '+14155552671', '+14155552672'),
	cap: fc.nat({ max: CAPS.length - 1 }),
	outcome: fc.constantFrom('sent', 'sent', 'sent', 'unknown', 'undelivered', 'notSent'),
	waitsMs: fc.constantFrom(0, 0, 0, 8 * MINUTE_MS, 7 * HOUR_MS),
	run: fc.integer({ min: 0, max: 3 }),
	diesAfter: fc.oneof(
		{ weight: 4, arbitrary: fc.constant(Infinity) },
		fc.integer({ min: 0, max: 14 }),
	),
});

// docs/sending.md: exact for all runs and n8n processes, whichever caps they have
it.each([
	['one cap', 1],
	['two caps', 2],
	['changing caps', CAPS.length],
])(
	'whatever processes with %s send at whatever moments, by the API a number gets no more messages in a period than it may, and no fewer',
	async (_, caps) => {
		await fc.assert(
			fc.asyncProperty(
				fc.array(planned, { minLength: 2, maxLength: 20 }),
				fc.nat({ max: CAPS.length - 1 }),
				fc.integer(),
				async (plan, firstCap, seed) => {
					const random = seededRandom(seed);
					const { clock, sent, newRun } = scene(() => Math.round(random() * 20), inStretch(0));
					const aheadMs = () => Math.round((random() * SKEW_MS) / 2);
					const runs = Array.from({ length: 4 }, () => newRun(undefined, { aheadMs: aheadMs() }));
					const all: Attempt[] = [];
					const ends = plan.map(
						async ({ at, number, outcome, waitsMs, run, diesAfter, ...each }) => {
							await clock.sleep(at * HOUR_MS);
							const cap = { ...CAP, number, ...CAPS[(firstCap + (each.cap % caps)) % CAPS.length] };
							const from = clock.now();
							// Or killed by then.
							const end = from + waitsMs + 2 * MINUTE_MS;
							const message: Attempt = { cap, isHeldUp: waitsMs > 0, from, end };
							all.push(message);
							const dying = newRun(undefined, { aheadMs: aheadMs(), diesAfter });
							const { send } = diesAfter === Infinity ? runs[run] : dying;
							const sending = send({ cap, outcome, waitsMs });
							// Nobody waits for a process that was killed.
							const isOver = sending.then((result) =>
								Object.assign(message, { result, end: clock.now() }),
							);
							if (diesAfter === Infinity) await isOver;
						},
					);
					await clock.run(Promise.all(ends));
					for (const each of sent) expect(excessAt(each, sent)).toBeLessThanOrEqual(0);
					for (const { cap, from, end, result } of all) {
						if (result === undefined || typeof result === 'string') continue;
						const { until } = result as HeldBackUntil;
						expect(until).toBeGreaterThan(from - SKEW_MS);
						const others = all.filter((other) => {
							if (other.cap.number !== cap.number || other.from > end) return false;
							// It may have had a claim meanwhile.
							if (other.end >= from) return typeof other.result !== 'object' || other.isHeldUp;
							const isKilled = other.result === undefined;
							if (!isKilled && !mayHaveIt(other.result as OutcomeName)) return false;
							const counts = isKilled ? mostKilled : most;
							return other.end >= from - counts(cap.periodMs) - 10_000;
						});
						expect(others.length).toBeGreaterThanOrEqual(cap.messages);
					}
				},
			),
			sample(20),
		);
	},
);

it.each([
	[1, 0],
	[1, 2 * HOUR_MS],
	[3, 20 * MINUTE_MS],
])(
	'of 20 processes that send to a number at the same moment, at the edge of a stretch, %d do (clocks differ by %d ms)',
	async (messages, differMs) => {
		const random = seededRandom(7);
		for (const beforeMs of [0, 5, 10, 20, 40, 300_000]) {
			const { clock, sent, newRun } = scene(
				() => Math.round(random() * 20),
				inStretch(0) - beforeMs,
			);
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
	['in the same stretch', 0, 24],
	['in the next one', 60, 24],
	['at the edge of the next one', 70.5, 1.7],
])('a process whose claim reaches the database late, %s, does not send', async (_, hour, hours) => {
	const { clock, sent, newRun } = scene(undefined, inStretch(hour));
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
