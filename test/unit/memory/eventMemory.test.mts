import { createHash } from 'node:crypto';

import type { Clock } from '../../../nodes/BusinessMessaging/clock';
import { claimEvent, type EventClaim } from '../../../nodes/BusinessMessaging/memory/eventMemory';
import { RANDOM_TIMES } from '../../support/sample.mts';
import { databaseScene, NEVER } from '../../support/simulation/database.mts';
import { seededRandom } from '../../support/simulation/random.mts';

const HOUR_MS = 3_600_000;
/** What a lock is exact for, less the time that its own statements take. */
const EXACT_MS = 9500;
/** Of a statement, there or back. */
const LATENCY_MS = 14;

/** A statement of a claim, on its way to the database or back, by its number from 0 on. */
type Point = (number: number) => Promise<unknown>;

/** A cluster whose executions claim events of one trigger in one table, each in its own execution unless told otherwise. */
function cluster(latencyMs = () => 0, startMs?: number) {
	const { clock, table, connect } = databaseScene(latencyMs, startMs);
	let executions = 0;
	/** @param point is passed by the execution's statements, and may hold it up or kill it */
	async function claim(event: Partial<EventClaim> = {}, point?: Point) {
		let number = 0;
		const pass = async () => await point?.(number++);
		const { rows } = connect({ before: pass, after: pass });
		const execution = `execution ${executions++}`;
		const claimed = { trigger: 'node', key: 'event', execution, receivedAt: clock.now(), hours: 2 };
		return await claimEvent(rows, { ...claimed, ...event }, clock);
	}
	return { clock, table, claim };
}

/** Of all rows of events. */
const ROWS = 16_384;
const rowOf = (key: string) => createHash('sha256').update(key).digest().readUInt16BE() % ROWS;

it('an event belongs to one execution, which finds it again when n8n repeats it; a copy leaves no trace', async () => {
	const { clock, table, claim } = cluster();
	const claims = ['1', '2', '1', '2'].map((execution) => ({ execution, hours: 720 }));
	const belongs: boolean[] = [];
	for (const each of claims) belongs.push(await clock.run(claim(each)));
	expect(belongs).toEqual([true, false, true, false]);
	// With many hours no more is kept than with few.
	expect([...table.rows.values()].map(({ data }) => data.length)).toEqual([3]);
	expect(await claim({ key: 'other event' })).toBe(true);
});

const cutOff = async () => await Promise.reject(new Error('terminated'));

it('a copy whose trace can not be removed does not run', async () => {
	// After four statements of its lock and its record.
	for (const at of [8, 9, 10, 11]) {
		const { clock, claim } = cluster(undefined, Date.UTC(2026, 0, 31, 12) + 15_000);
		await clock.run(claim());
		const copy = claim({}, async (number) => await (number === at && cutOff()));
		expect(await clock.run(copy)).toBe(false);
	}
});

it('an event whose row another version has written is told at once that it has no memory, so it runs', async () => {
	const { clock, table, claim } = cluster();
	await claim();
	for (const row of table.rows.values()) row.mode = 'another';
	const before = clock.ticks();
	await expect(clock.run(claim())).rejects.toThrow('incompatible');
	expect(clock.ticks() - before).toBeLessThan(10_000);
});

describe('of three copies at once and two later, if the first', () => {
	/** The epoch of the locks has begun, goes on, or ends meanwhile; the row is there, or has to be made. */
	const SITUATIONS = [0, 15_000, 29_900].flatMap((intoEpochMs) =>
		[true, false].map((hasRow) => ({ intoEpochMs, hasRow })),
	);
	/** Of a claim that nobody disturbs: five statements, there and back, and a sixth near the ends of an epoch. */
	const POINTS = [...Array(12).keys()];
	const PLACES = SITUATIONS.flatMap((situation) => POINTS.map((at) => ({ ...situation, at })));

	type Place = (typeof PLACES)[number];
	type Played = Place & { ran: number };
	type Fate = (clock: Clock) => Promise<unknown>;

	const held = (ms: number) => async (clock: Clock) => await clock.sleep(ms);
	const dead = async () => await NEVER;

	const one = ({ ran }: Played) => ran === 1;
	const oneOrMore = ({ ran }: Played) => ran > 0;
	function oneOrRecorded({ ran, at, intoEpochMs }: Played) {
		const statements = intoEpochMs === 15_000 ? 5 : 6;
		// The last one removes the lock; after the one before it the event is recorded.
		const isRecorded = at >= 2 * statements - 3 && at < 2 * statements;
		return ran === (isRecorded ? 0 : 1);
	}

	/** How many of the five run, if this happens to the first at one point of its claim. */
	async function play({ intoEpochMs, hasRow, at }: Place, meets: Fate) {
		const startMs = Date.UTC(2026, 0, 31, 12) + intoEpochMs;
		const { clock, table, claim } = cluster(() => LATENCY_MS, startMs);
		const row = `workflow n:event:node:${rowOf('event')}`;
		if (hasRow) table.rows.set(row, { mode: 'entries', data: ['older'] });
		let isDead = false;
		const first = claim({}, async (number) => {
			if (number !== at) return;
			isDead = meets === dead;
			await meets(clock);
		});
		const later = [1, 2, 3000, 25_000].map(
			async (ms) => await clock.sleep(ms).then(async () => await claim()),
		);
		const others = await clock.run(Promise.all(later));
		const ran = isDead ? others : [await clock.run(first), ...others];
		return ran.filter(Boolean).length;
	}

	// docs/scaling.md: held up
	it.each<[string, Fate, (played: Played) => boolean]>([
		['is held up for 9.5 s one runs', held(EXACT_MS), one],
		['is held up for 12 s none is lost', held(12_000), oneOrMore],
		['is held up for 30 s none is lost', held(30_000), oneOrMore],
		['loses its connection one runs', cutOff, one],
		['is killed another runs, unless it had recorded the event', dead, oneOrRecorded],
	])('%s', async (_, meets, isRight) => {
		const played = PLACES.map(async (place) => ({ ...place, ran: await play(place, meets) }));
		expect((await Promise.all(played)).filter((each) => !isRight(each))).toEqual([]);
	});
});

// docs/scaling.md: while the database is away
it.each([200, 5000, 40_000])(
	'of three copies of each event one runs when the database is away for %d ms meanwhile',
	async (outageMs) => {
		const random = seededRandom(outageMs);
		const { clock, claim } = cluster(() => 5 + random() * 10);
		const isDown = () => clock.ticks() >= 60 && clock.ticks() < 60 + outageMs;
		const meets = async () => await (isDown() && cutOff());
		const runs = Array.from({ length: 32 }, async (_, event) => {
			const copies = Array.from({ length: 3 }, async () => {
				await clock.sleep(random() * 60);
				return await claim({ key: `event ${event}` }, meets);
			});
			return (await Promise.all(copies)).filter(Boolean).length;
		});
		expect(await clock.run(Promise.all(runs))).toEqual(Array(32).fill(1));
	},
);

// docs/scaling.md: for the hours that are set, and up to a day longer
// docs/scaling.md: what came before counts as well
it('what came under another setting is remembered for the hours that are set now', async () => {
	const random = seededRandom(1);
	const wrong: object[] = [];
	for (let run = 0; run < 200 * RANDOM_TIMES; run++) {
		const { claim } = cluster();
		const pick = (choices: number[]) => choices[Math.floor(random() * choices.length)];
		const settings = [1, 2.5, 24, 25, 100, 720];
		const [before, hours] = [pick(settings), pick(settings)];
		const receivedAt = Math.floor(random() * 1e6 * HOUR_MS);
		// Of two at one moment, either may be claimed first.
		const apartHours = pick([-1 / HOUR_MS, random() * hours, hours, hours + 24 + random()]);
		expect(await claim({ hours: before, receivedAt })).toBe(true);
		const again = { hours, receivedAt: receivedAt + apartHours * HOUR_MS };
		if ((await claim(again)) !== apartHours > hours) wrong.push({ before, apartHours, ...again });
	}
	expect(wrong).toEqual([]);
});

// docs/scaling.md: the last 50,000 events
it('remembers the last 50,000 of many events, in rows that stay small', async () => {
	const { clock, table, claim } = cluster();
	for (let row = 0; row < ROWS; row++) {
		// Full, empty and in between.
		const data = Array.from({ length: 3 * (row % 20) }, (_, index) => `older ${index}`);
		table.rows.set(`workflow n:event:node:${row}`, { mode: 'entries', data });
	}
	// No row knows another: each fiftieth has its events.
	const keys = Array.from({ length: 60_000 }, (_, event) => `event ${event}`);
	const isChosen = (key: string) => rowOf(key) < ROWS / 50;
	for (const key of keys.filter(isChosen)) await claim({ key });
	for (const key of keys.slice(10_000).filter(isChosen)) expect(await claim({ key })).toBe(false);
	// The last lock goes.
	await clock.run(clock.sleep(1));
	const sizes = [...table.rows.values()].map(({ data }) => data.length);
	expect(table.rows.size).toBe(ROWS);
	expect(Math.max(...sizes)).toBeLessThanOrEqual(60);
});
