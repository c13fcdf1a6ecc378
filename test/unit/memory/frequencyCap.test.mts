import fc from 'fast-check';

import {
	type Cap,
	FrequencyCap,
	type HeldBackUntil,
} from '../../../nodes/BusinessMessaging/memory/frequencyCap';
import type { Outcome } from '../../../nodes/BusinessMessaging/outcome';
import { mayHaveIt, type OutcomeName, OUTCOMES } from '../../support/outcomes.mts';
import type { Statement } from '../../support/processedData.mts';
import { sample } from '../../support/sample.mts';
import { databaseScene, NEVER } from '../../support/simulation/database.mts';
import { seededRandom } from '../../support/simulation/random.mts';

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
const STRETCH_MS = 72 * HOUR_MS;
const REQUEST_TIMEOUT_MS = 500;
/** Between the clocks of processes, at most. */
const SKEW_MS = 6000;

/** So many hours after the beginning of a stretch. */
function inStretch(hours: number): number {
	const someDay = Date.UTC(2026, 0, 31);
	return someDay - (someDay % STRETCH_MS) + hours * HOUR_MS;
}

const SENDING = {
	cap: CAP,
	outcome: 'sent' as OutcomeName,
	/** The rate limit holds the request up. */
	waitsMs: 0,
	/** From the request to the response. Infinity: its n8n is killed meanwhile. */
	takesMs: 50,
};
type Sending = Partial<typeof SENDING>;

/** The message has no slot yet, and its claim is about to end. */
const CLAIM_ENDED: Outcome = { ...OUTCOMES.notSent };
const shown: Outcome = { kind: 'shown', json: {}, estimate: 0.115 };
const heldBack = { until: expect.any(Number) };
const inDoubt = { ...heldBack, earlier: 'unknown' };

/** A message that the API got, and when its node began to send it. */
interface Sent {
	cap: Cap;
	from: number;
	at: number;
}

/** Runs of nodes of one workflow. */
function scene(latencyMs?: () => number, startMs?: number) {
	const { clock, table, connect } = databaseScene(latencyMs, startMs);
	const sent: Sent[] = [];
	function newRun(process?: Parameters<typeof connect>[0]) {
		const { rows, clock: ownClock } = connect(process);
		const frequencyCap = new FrequencyCap(rows, ownClock);
		/**
		 * Begins to send, in virtual time that passes only with `clock.run`.
		 * @returns the name of the outcome, if it is the message's own
		 */
		async function start(sending: Sending = {}) {
			const { cap, outcome: name, waitsMs, takesMs } = { ...SENDING, ...sending };
			const from = clock.now();
			const slotAt = clock.ticks() + waitsMs;
			const request = async ({ endsAt }: { endsAt: number }) => {
				const deadline = endsAt - REQUEST_TIMEOUT_MS;
				const leftMs = Math.min(slotAt, deadline) - clock.ticks();
				if (leftMs > 0) await clock.sleep(leftMs);
				if (clock.ticks() >= deadline) return CLAIM_ENDED;
				await clock.sleep(Math.min(takesMs, REQUEST_TIMEOUT_MS));
				if (mayHaveIt(name)) sent.push({ cap, from, at: clock.now() });
				if (takesMs === Infinity) await NEVER;
				return OUTCOMES[name];
			};
			const { signal } = new AbortController();
			let outcome: Outcome | HeldBackUntil = CLAIM_ENDED;
			while (outcome === CLAIM_ENDED) {
				outcome = await frequencyCap.withClaim(cap, request, signal);
			}
			return outcome === OUTCOMES[name] ? name : (outcome as HeldBackUntil);
		}
		return {
			frequencyCap,
			start,
			send: async (sending?: Sending) => await clock.run(start(sending)),
			show: async (cap: Cap) =>
				await clock.run(frequencyCap.show(cap, async () => await Promise.resolve(shown))),
		};
	}
	/** In a run of its own. */
	const send = async (sending?: Sending) => await newRun().send(sending);
	return { clock, table, sent, newRun, send };
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

it.each([
	['of a message', /:1$/],
	['of its outcome', /:outcome$/],
])('a number whose row %s another version has written gets nothing', async (_, which) => {
	const { table, sent, send } = scene();
	await send();
	for (const [name, row] of table.rows) {
		if (which.test(name)) row.data.push(...Array.from({ length: 80 }, (__, n) => `x${n}`));
	}
	expect(await send()).toMatchObject({
		failure: {
			code: 'memoryUnusable',
			message:
				"The memory of Frequency Cap can't be used: another version of this package has saved it",
			remedy: expect.stringMatching(/^Nothing .* Install that version under Settings/),
			outcome: 'notSent',
		},
	});
	expect(sent).toHaveLength(1);
});

// docs/sending.md: a message that is held up
it.each([
	['sent', OUTCOMES.sent],
	['of unknown outcome', OUTCOMES.unknown],
	['killed', NEVER],
])(
	'a message that the rate limit holds up has until the end of its claim, which others know: then %s',
	async (_, outcome) => {
		const { clock, newRun, send } = scene(() => 0, inStretch(12.999));
		let endsAt = 0;
		const hold = async (end: { endsAt: number }) => {
			({ endsAt } = end);
			return await clock.sleep(endsAt - clock.ticks()).then(async () => await outcome);
		};
		void newRun().frequencyCap.withClaim(CAP, hold, new AbortController().signal);
		await clock.run(clock.sleep(10 * MINUTE_MS));
		expect([clock.ticks(), endsAt]).toEqual([10 * MINUTE_MS, 10 * MINUTE_MS]);
		const endedAt = clock.now();
		const { until } = (await send()) as HeldBackUntil;
		expect(until - endedAt).toBeGreaterThanOrEqual(least(DAY_MS));
	},
);

// docs/sending.md: what a killed run was sending
it.each<[string, Sending, number, number, number, number]>([
	['whose run was killed is waited for', { takesMs: Infinity }, 5 * MINUTE_MS, 0, 60, 70],
	['that may still end is waited for', { takesMs: Infinity }, DAY_MS, 16.5 * MINUTE_MS, 29, 70],
	['whose run was killed long ago is not', { takesMs: Infinity }, DAY_MS, 3 * HOUR_MS, 0, 70],
	['of unknown outcome is not', { outcome: 'unknown' }, DAY_MS, 0, 0, 56],
])('a message %s, and then the next one is in doubt', async (...row) => {
	const [, sending, periodMs, laterMs, waits, minutes] = row;
	const { clock, newRun, send } = scene(() => 0, inStretch(12.9));
	const cap = { ...CAP, messages: 2, periodMs };
	await send({ cap });
	void newRun().start({ cap, ...sending });
	await clock.run(clock.sleep(1000));
	clock.pass(laterMs);
	const start = clock.ticks();
	expect(await send({ cap })).toEqual(inDoubt);
	expect(Math.round((clock.ticks() - start) / 1000)).toBe(waits);
	const until = inStretch(12) + minutes * MINUTE_MS + least(periodMs);
	expect(await send({ cap: { ...cap, messages: 1 } })).toEqual({ until, earlier: 'unknown' });
});

// docs/sending.md: at most so many messages; a campaign at the same time every day
it('a dry run shows as many messages as a number may get, and from when on the next one may go', async () => {
	const { clock, table, newRun, send } = scene(() => 0);
	const cap = { ...CAP, messages: 3 };
	await send({ cap });
	const sentAt = clock.now();
	clock.pass(HOUR_MS);
	const before = structuredClone(table.rows);
	const run = newRun();
	await clock.run(run.frequencyCap.show(cap, async () => OUTCOMES.notSent));
	expect([await run.show(cap), await run.show(cap)]).toEqual([shown, shown]);
	const { until } = (await run.show(cap)) as HeldBackUntil;
	expect(until - sentAt).toBeGreaterThan(least(DAY_MS));
	expect(until - sentAt).toBeLessThanOrEqual(most(DAY_MS));
	const next = { until: clock.now() + most(DAY_MS) };
	expect(await run.show({ ...cap, messages: 2 })).toEqual(next);
	// Another node or name counts alone.
	const other = { ...CAP, counter: 'node:1' };
	expect([await run.show(other), await run.show(other)]).toEqual([shown, next]);
	expect(table.rows).toEqual(before);
});

// docs/scaling.md: statements, rows
it.each([
	['in the middle of a stretch', 23, 7, 3, 7, 17],
	['early in a stretch, when a message of the one before may count', 20, 8, 3, 7, 9],
	['near its beginning, where another process may add to the one before', 1, 12, 3, 7, 9],
])('%s a number takes few statements: %p h, %p, %p, %p, %p', async (_, hours, ...counts) => {
	const { clock, table, send } = scene(undefined, inStretch(hours));
	const statements = async () => {
		table.statements.length = 0;
		await send();
		return table.statements.length;
	};
	const asked = [await statements(), await statements()];
	for (let day = 0; day < 2; day++) {
		clock.pass(DAY_MS);
		asked.push(await statements());
	}
	expect(asked).toEqual(counts);
});

// docs/scaling.md: two rows for each message of the last 30 days
it.each([[26 * HOUR_MS], [400 * DAY_MS]])(
	'a number that gets a message every %d ms has two rows for each of 30 to 36 days, in whose names it is not',
	async (everyMs) => {
		const { clock, table, sent, send } = scene();
		for (let message = 0; message < 60; message++) {
			await send();
			const within = (days: number) => sent.filter(({ at }) => at > clock.now() - days * DAY_MS);
			expect(table.rows.size).toBeLessThanOrEqual(1 + 2 * within(36).length);
			expect(table.rows.size).toBeGreaterThanOrEqual(1 + 2 * within(30).length);
			clock.pass(everyMs);
		}
		const name = /^workflow n:cap:[\w-]{22}(:\d+:\d(:outcome)?)?$/;
		for (const each of table.rows.keys()) expect(each).toMatch(name);
	},
);

it('a message goes out, and counts, when old rows can not be removed', async () => {
	const { clock, newRun, send } = scene();
	await send();
	clock.pass(40 * DAY_MS);
	const run = newRun({ fails: (statement) => statement === 'delete' });
	expect(await run.send()).toBe('sent');
	expect(run.frequencyCap.problem).toBeUndefined();
	expect(await send()).toEqual(heldBack);
});

interface Attempt {
	cap: Cap;
	isHeldUp: boolean;
	from: number;
	end: number;
	/** Undefined: its n8n was killed. */
	result?: OutcomeName | HeldBackUntil;
}

const CAPS: Array<Pick<Cap, 'messages' | 'periodMs'>> = [
	{ messages: 1, periodMs: DAY_MS },
	{ messages: 1, periodMs: 2 * DAY_MS },
	{ messages: 2, periodMs: 5 * MINUTE_MS },
	{ messages: 3, periodMs: 7 * DAY_MS },
	{ messages: 1, periodMs: 5 * MINUTE_MS },
	{ messages: 10, periodMs: 30 * DAY_MS },
];

const planned = fc.record({
	/** In hours. Also at the edges of stretches, and of periods. */
	at: fc.oneof(
		fc.double({ min: 0, max: 240, noNaN: true }),
		fc
			.tuple(fc.nat({ max: 3 }), fc.integer({ min: -20, max: 20 }))
			.map(([stretch, ms]) => Math.max(0, (stretch * STRETCH_MS + ms) / HOUR_MS)),
		fc.constantFrom(0, 0.08, 0.1, 22.5, 23, 24, 45, 46, 48),
	),
	number: fc.constantFrom<string[]>('+14155552671', '+14155552671', '+14155552672'),
	/** Which of the caps. */
	cap: fc.nat(),
	outcome: fc.constantFrom<OutcomeName[]>('sent', 'sent', 'unknown', 'undelivered', 'notSent'),
	waitsMs: fc.constantFrom(0, 0, 0, 8 * MINUTE_MS, 40 * MINUTE_MS),
	run: fc.nat({ max: 3 }),
	/** After so many statements its n8n is killed. */
	diesAfter: fc.oneof({ weight: 4, arbitrary: fc.constant(Infinity) }, fc.nat({ max: 14 })),
});
type Planned = ReturnType<typeof planned.generate>['value'];

/** The first one goes out behind the second, and counts when that is over. */
const OVERTAKEN = [0, 0.02, 0.1, 0.14].map((at, run): Planned => {
	const waitsMs = at === 0 ? 8 * MINUTE_MS : 0;
	return { at, waitsMs, number: '1', cap: 0, outcome: 'sent', run, diesAfter: Infinity };
});

// docs/sending.md: exact for all runs and n8n processes, whichever caps they have
it('whatever processes with one or several caps send at whatever moments, by the API a number gets no more messages in a period than it may, and no fewer', async () => {
	await fc.assert(
		fc.asyncProperty(
			fc.array(planned, { minLength: 2, maxLength: 20 }),
			fc.oneof(
				fc.constantFrom(...CAPS).map((cap) => [cap]),
				fc.shuffledSubarray(CAPS, { minLength: 2 }),
			),
			fc.integer(),
			async (plan, caps, seed) => {
				const random = seededRandom(seed);
				const { clock, sent, newRun } = scene(() => Math.round(random() * 20), inStretch(0));
				const aheadMs = () => Math.round((random() * SKEW_MS) / 2);
				const runs = Array.from({ length: 4 }, () => newRun({ aheadMs: aheadMs() }));
				const all: Attempt[] = [];
				const ends = plan.map(async ({ at, number, outcome, waitsMs, run, diesAfter, ...each }) => {
					await clock.sleep(at * HOUR_MS);
					const cap = { ...CAP, number, ...caps[each.cap % caps.length] };
					const from = clock.now();
					// Or killed by then.
					const end = from + waitsMs + 2 * MINUTE_MS;
					const message: Attempt = { cap, isHeldUp: waitsMs > 0, from, end };
					all.push(message);
					const dying = newRun({ aheadMs: aheadMs(), diesAfter });
					const { start } = diesAfter === Infinity ? runs[run] : dying;
					const isOver = start({ cap, outcome, waitsMs }).then((result) =>
						Object.assign(message, { result, end: clock.now() }),
					);
					// Nobody waits for a process that was killed.
					if (diesAfter === Infinity) await isOver;
				});
				await clock.run(Promise.all(ends));
				for (const each of sent) expect(excessAt(each, sent)).toBeLessThanOrEqual(0);
				for (const { cap, from, end, result } of all) {
					if (result === undefined || typeof result === 'string') continue;
					expect(result.until).toBeGreaterThan(from - SKEW_MS);
					const others = all.filter((other) => {
						if (other.cap.number !== cap.number || other.from > end) return false;
						// It may have had a claim meanwhile.
						if (other.end >= from) return typeof other.result !== 'object' || other.isHeldUp;
						const isKilled = other.result === undefined;
						if (typeof other.result === 'string' && !mayHaveIt(other.result)) return false;
						const counts = isKilled ? least(cap.periodMs) + 70 * MINUTE_MS : most(cap.periodMs);
						return other.end >= from - counts - 10_000;
					});
					expect(others.length).toBeGreaterThanOrEqual(cap.messages);
				}
			},
		),
		{ ...sample(20), examples: [[OVERTAKEN, [CAPS[2]], 1]] },
	);
});

it.each([
	[1, 0],
	[1, 2 * HOUR_MS],
	[3, 20 * MINUTE_MS],
])(
	'of 20 processes that send to a number at the same moment, at the edge of a stretch, %d do (clocks differ by %d ms)',
	async (messages, differMs) => {
		const random = seededRandom(7);
		for (const beforeMs of [0, 5, 10, 20, 40, 300_000]) {
			const latencyMs = () => Math.round(random() * 20);
			const { clock, sent, newRun } = scene(latencyMs, inStretch(0) - beforeMs);
			const starting = Array.from({ length: 20 }, async (_, index) => {
				const run = newRun({ aheadMs: index % 2 ? differMs : 0 });
				return await run.start({ cap: { ...CAP, messages } });
			});
			await clock.run(Promise.all(starting));
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
	let heldMs = hours * HOUR_MS;
	const before = async (statement: Statement) => {
		if (statement !== 'insert') return;
		await clock.sleep(heldMs);
		heldMs = 0;
	};
	const held = newRun({ before }).start();
	const other = clock.sleep((hours - 0.5) * HOUR_MS).then(async () => await newRun().start());
	expect(await clock.run(Promise.all([held, other]))).toEqual([heldBack, 'sent']);
	expect(sent).toHaveLength(1);
});
