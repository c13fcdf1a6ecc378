import { createHash } from 'node:crypto';

import type { Clock } from '../../../nodes/BusinessMessaging/clock';
import { claimEvent } from '../../../nodes/BusinessMessaging/memory/eventMemory';
import { openRows } from '../../../nodes/BusinessMessaging/memory/rows';
import { contextOn, ProcessedData } from '../../support/processedData.mts';
import { RANDOM_TIMES } from '../../support/sample.mts';
import { seededRandom } from '../../support/simulation/random.mts';
import { createVirtualClock } from '../../support/virtualClock.mts';

/** What a lock is exact for, less the time that its own statements take. */
const EXACT_MS = 9500;
const LATENCY_MS = 28;
/** Of a claim that nobody disturbs: five statements, there and back, and a sixth near the ends of a lock's epoch. */
const POINTS = Array.from({ length: 12 }, (_, point) => point);

/** A statement of a claim, on its way to the database or back, by its number from 0 on. */
type Point = (number: number) => Promise<unknown>;

/** A cluster whose executions claim events of one trigger in one table. */
function cluster(startMs?: number, latencyMs = () => LATENCY_MS / 2) {
	const clock = createVirtualClock(startMs);
	const table = new ProcessedData();
	let executions = 0;
	/** @param point is passed by the execution's statements, and may hold it up or kill it */
	async function claim(key: string, point: Point = async () => undefined, execution?: string) {
		let number = 0;
		const pass = async () => {
			await clock.sleep(latencyMs());
			await point(number++);
		};
		const { context } = contextOn(new ProcessedData(pass, pass, table));
		execution ??= `execution ${executions++}`;
		const event = { trigger: 'node', key, execution, receivedAt: clock.now(), hours: 1 };
		return await claimEvent(async () => await openRows(context, clock), event, clock);
	}
	return { clock, table, claim };
}

/** Nobody hears of it again. */
const dead = async () => await new Promise<never>(() => undefined);

/** Of all rows of events. */
const ROWS = 16_384;
const rowOf = (key: string) => createHash('sha256').update(key).digest().readUInt16BE() % ROWS;

it('an event belongs to one execution, which finds it again when n8n repeats it', async () => {
	const { clock, claim } = cluster();
	const belongsTo = async (execution: string, key = 'event') =>
		await clock.run(claim(key, undefined, execution));
	expect(await belongsTo('1')).toBe(true);
	expect(await belongsTo('2')).toBe(false);
	expect(await belongsTo('1')).toBe(true);
	// A copy leaves no trace of its own.
	expect(await belongsTo('2')).toBe(false);
	expect(await belongsTo('2', 'other event')).toBe(true);
});

it('an event whose row another version has written is told at once that it has no memory, so it runs', async () => {
	const { clock, table, claim } = cluster();
	await clock.run(claim('event'));
	for (const row of table.rows.values()) row.mode = 'another';
	const before = clock.ticks();
	await expect(clock.run(claim('event'))).rejects.toThrow('incompatible');
	expect(clock.ticks() - before).toBeLessThan(10_000);
});

it('without a database is asked for during five minutes', async () => {
	const clock = createVirtualClock();
	const noRows = async () => await Promise.reject(new Error('no database'));
	const claim = claimEvent(noRows, { ...EVENT, execution: '1' }, clock);
	await expect(clock.run(claim)).rejects.toThrow('no database');
	expect(clock.ticks()).toBe(300_000);
});

describe('three copies at once and two later, of which the first', () => {
	/** The epoch of the locks has begun, goes on, or ends meanwhile; the row is there, or has to be made. */
	const SITUATIONS = [0, 15_000, 29_900].flatMap((intoEpochMs) =>
		[true, false].map((hasRow) => ({ intoEpochMs, hasRow })),
	);

	type Played = (typeof SITUATIONS)[number] & { at: number; ran: number };

	/** How many of the five run, if this happens to the first at one point of its claim. */
	async function play(
		{ intoEpochMs, hasRow }: (typeof SITUATIONS)[number],
		at: number,
		meets: (clock: Clock) => Promise<unknown>,
	) {
		const { clock, table, claim } = cluster(Date.UTC(2026, 0, 31, 12) + intoEpochMs);
		if (hasRow)
			table.rows.set(`workflow n:event:node:${rowOf('event')}`, {
				mode: 'entries',
				data: ['older'],
			});
		let isDead = false;
		const first = claim('event', async (number) => {
			if (number !== at) return;
			isDead = meets === dead;
			await meets(clock);
		});
		const later = [1, 2, 3000, 25_000].map(async (ms) => {
			await clock.sleep(ms);
			return await claim('event');
		});
		const others = await clock.run(Promise.all(later));
		const ran = isDead ? others : [await clock.run(first), ...others];
		return ran.filter(Boolean).length;
	}

	/** Each point in each situation at which not so many run as expected. */
	async function wrongAfter(
		meets: (clock: Clock) => Promise<unknown>,
		isRight = ({ ran }: Played) => ran === 1,
	) {
		const points = SITUATIONS.flatMap((situation) => POINTS.map((at) => ({ ...situation, at })));
		const played = points.map(async (point) => {
			return { ...point, ran: await play(point, point.at, meets) };
		});
		return (await Promise.all(played)).filter((each) => !isRight(each));
	}

	// docs/scaling.md: held up
	it.each([100, EXACT_MS])('is held up for %d ms: one runs', async (ms) => {
		expect(await wrongAfter(async (clock) => await clock.sleep(ms))).toEqual([]);
	});

	it.each([12_000, 30_000])('is held up for %d ms: none is lost', async (ms) => {
		const isNotLost = ({ ran }: Played) => ran > 0;
		expect(await wrongAfter(async (clock) => await clock.sleep(ms), isNotLost)).toEqual([]);
	});

	it('loses its connection: one runs', async () => {
		const terminated = new Error('terminated');
		expect(await wrongAfter(async () => await Promise.reject(terminated))).toEqual([]);
	});

	it('is killed: another runs, unless the killed one had recorded the event', async () => {
		const wrong = await wrongAfter(dead, ({ ran, at, intoEpochMs }) => {
			const statements = intoEpochMs === 15_000 ? 5 : 6;
			// The last one removes the lock; after the one before it the event is recorded.
			const isRecorded = at >= 2 * statements - 3 && at < 2 * statements;
			return ran === (isRecorded ? 0 : 1);
		});
		expect(wrong).toEqual([]);
	});
});

// docs/scaling.md: while the database is away
it.each([200, 5000, 40_000])(
	'of three copies of each event one runs when the database is away for %d ms meanwhile',
	async (outageMs) => {
		const random = seededRandom(outageMs);
		const { clock, claim } = cluster(undefined, () => 5 + random() * 10);
		const isDown = () => clock.ticks() >= 60 && clock.ticks() < 60 + outageMs;
		const meets = async () => await (isDown() && Promise.reject(new Error('terminated')));
		const runs = Array.from({ length: 32 }, async (_, event) => {
			const copies = Array.from({ length: 3 }, async () => {
				await clock.sleep(random() * 60);
				return await claim(`event ${event}`, meets);
			});
			return (await Promise.all(copies)).filter(Boolean).length;
		});
		expect(await clock.run(Promise.all(runs))).toEqual(Array(32).fill(1));
	},
);

const HOUR_MS = 3_600_000;
const EVENT = { trigger: 'node', key: 'event', receivedAt: 1000 * HOUR_MS, hours: 2 };

function claimsIn(table: ProcessedData) {
	const clock = createVirtualClock();
	const rows = openRows(contextOn(table).context, clock);
	return async (event: Partial<typeof EVENT> & { execution: string }) =>
		await claimEvent(async () => await rows, { ...EVENT, ...event }, clock);
}

// docs/scaling.md: for the hours that are set, and up to a day longer
// docs/scaling.md: what came before counts as well
it('what came under another setting is remembered for the hours that are set now', async () => {
	const random = seededRandom(1);
	const wrong: object[] = [];
	for (let run = 0; run < 200 * RANDOM_TIMES; run++) {
		const claim = claimsIn(new ProcessedData());
		const pick = (choices: number[]) => choices[Math.floor(random() * choices.length)];
		const settings = [1, 2.5, 24, 25, 100, 720];
		const [before, hours] = [pick(settings), pick(settings)];
		const receivedAt = Math.floor(random() * 1e6 * HOUR_MS);
		// Of two at one moment, either may be claimed first.
		const apartHours = pick([-1 / HOUR_MS, random() * hours, hours, hours + 24 + random()]);
		expect(await claim({ execution: '1', hours: before, receivedAt })).toBe(true);
		const again = { execution: '2', hours, receivedAt: receivedAt + apartHours * HOUR_MS };
		if ((await claim(again)) !== apartHours > hours) wrong.push({ before, apartHours, ...again });
	}
	expect(wrong).toEqual([]);
});

it('keeps no more of an event with long hours than of others', async () => {
	const table = new ProcessedData();
	const claim = claimsIn(table);
	for (const execution of ['1', '2']) await claim({ execution, hours: 720 });
	expect([...table.rows.values()].map(({ data }) => data.length)).toEqual([3]);
});

// docs/scaling.md: the last 50,000 events
it('remembers the last 50,000 of many events, in rows that stay small', async () => {
	const table = new ProcessedData();
	for (let row = 0; row < ROWS; row++) {
		// Full, empty and in between.
		const data = Array.from({ length: 3 * (row % 20) }, (_, index) => `older ${index}`);
		table.rows.set(`workflow n:event:node:${row}`, { mode: 'entries', data });
	}
	const claim = claimsIn(table);
	// No row knows another: each fiftieth has its events.
	const events = Array.from({ length: 60_000 }, (_, event) => ({
		event,
		key: `event ${event}`,
	})).filter(({ key }) => rowOf(key) < ROWS / 50);
	for (const { key } of events) await claim({ key, execution: '1' });
	for (const { event, key } of events) {
		if (event >= 10_000) expect(await claim({ key, execution: '2' })).toBe(false);
	}
	const sizes = [...table.rows.values()].map(({ data }) => data.length);
	expect(table.rows.size).toBe(ROWS);
	expect(Math.max(...sizes)).toBeLessThanOrEqual(60);
});
