import type { Clock } from '../../../nodes/BusinessMessaging/clock';
import { claimEvent } from '../../../nodes/BusinessMessaging/memory/eventMemory';
import { openRows } from '../../../nodes/BusinessMessaging/memory/rows';
import { contextOn, ProcessedData, type Statement } from '../../support/processedData.ts';
import { seededRandom } from '../../support/simulation/random.ts';
import { createVirtualClock } from '../../support/virtualClock.ts';

/** What a lock is exact for, less the time that its own statements take. */
const EXACT_MS = 9500;
const LATENCY_MS = 28;

/** A statement of a claim, on its way to the database or back. */
type Point = (statement: Statement, number: number, way: 'to' | 'back') => Promise<void>;

/** A cluster whose executions claim events of one trigger in one table. */
function cluster(startMs?: number, latencyMs = () => LATENCY_MS / 2) {
	const clock = createVirtualClock(startMs);
	const table = new ProcessedData();
	let executions = 0;
	return {
		clock,
		table,
		/** @param point is passed by the execution's statements, and may hold it up or kill it */
		async claim(key: string, point: Point = async () => undefined, execution?: string) {
			let number = 0;
			const pass = async (statement: Statement, way: 'to' | 'back') => {
				await clock.sleep(latencyMs());
				await point(statement, number++, way);
			};
			const own = new ProcessedData(
				async (statement) => await pass(statement, 'to'),
				async (statement) => await pass(statement, 'back'),
				table,
			);
			const rows = await openRows(contextOn(own).context, clock);
			execution ??= `execution ${executions++}`;
			return await claimEvent(rows, { trigger: 'node', key, execution });
		},
	};
}

/** Nobody hears of it again. */
const dead = async () => await new Promise<never>(() => undefined);

beforeAll(async () => {
	const clock = createVirtualClock();
	await clock.run(openRows(contextOn(new ProcessedData()).context, clock));
});

it('an event belongs to one execution, which finds it again when n8n repeats it', async () => {
	const { clock, claim } = cluster();
	expect(await clock.run(claim('event', undefined, '1'))).toBe(true);
	expect(await clock.run(claim('event', undefined, '2'))).toBe(false);
	expect(await clock.run(claim('event', undefined, '1'))).toBe(true);
	expect(await clock.run(claim('other event', undefined, '2'))).toBe(true);
});

describe('three copies at once and two later, of which the first', () => {
	/** Of a claim that nobody disturbs: seven statements, there and back. */
	const POINTS = Array.from({ length: 14 }, (_, point) => point);
	const EPOCH_BEGINS = Date.UTC(2026, 0, 31, 12);
	/** The epoch of the locks goes on, or ends meanwhile; the row is there, or has to be made. */
	const SITUATIONS = [0, 9900].flatMap((intoEpochMs) =>
		[true, false].map((hasRow) => ({ intoEpochMs, hasRow })),
	);

	/** @param meets what happens to the first, at a point of its claim */
	async function play(
		{ intoEpochMs, hasRow }: (typeof SITUATIONS)[number],
		at: number,
		meets: (clock: Pick<Clock, 'sleep'>) => Promise<void>,
	) {
		const { clock, table, claim } = cluster(EPOCH_BEGINS + intoEpochMs);
		for (let row = 0; hasRow && row < 1024; row++) {
			table.rows.set(`workflow n:event:node:${row}`, { mode: 'entries', data: ['older'] });
		}
		let passed = 0;
		const first = claim('event', async (_, number) => {
			passed = number;
			if (number === at) await meets(clock);
		});
		const later = [1, 2, 3000, 25_000].map(async (ms) => {
			await clock.sleep(ms);
			return await claim('event');
		});
		const others = await clock.run(Promise.all(later));
		const isRecorded = [...table.rows.values()].some(({ data }) => data.includes('event'));
		return { first, others, isRecorded, clock, passed };
	}

	it('is not disturbed: there are so many points', async () => {
		const { first, others, passed, clock } = await play(
			SITUATIONS[0],
			Infinity,
			async () => undefined,
		);
		expect([await clock.run(first), ...others]).toEqual([true, false, false, false, false]);
		expect(passed).toBe(POINTS.length - 1);
	});

	// README, Scaling: held up
	it.each([100, 3000, EXACT_MS])(
		'is held up for %d ms: one runs, at whatever point',
		async (ms) => {
			for (const situation of SITUATIONS) {
				for (const point of POINTS) {
					const { first, others, clock } = await play(
						situation,
						point,
						async ({ sleep }) => await sleep(ms),
					);
					const outcomes = [await clock.run(first), ...others];
					expect({ situation, point, ran: outcomes.filter(Boolean) }).toEqual({
						situation,
						point,
						ran: [true],
					});
				}
			}
		},
	);

	it.each([12_000, 30_000])('is held up for %d ms: none is lost', async (ms) => {
		for (const situation of SITUATIONS) {
			for (const point of POINTS) {
				const { first, others, clock } = await play(
					situation,
					point,
					async ({ sleep }) => await sleep(ms),
				);
				expect([await clock.run(first), ...others]).toContain(true);
			}
		}
	});

	it('is killed: another runs, unless the killed one had recorded the event', async () => {
		for (const situation of SITUATIONS) {
			for (const point of POINTS) {
				const { others } = await play(situation, point, dead);
				expect({ situation, point, ran: others.filter(Boolean) }).toEqual({
					situation,
					point,
					ran: point < 11 ? [true] : [],
				});
			}
		}
	});
});

interface Disturbance {
	/** Of a claim to be held up, and for how long at most. */
	heldUp?: { jitter: number; forMs: number };
	/** The chance of a claim that its process is killed meanwhile. */
	killed?: number;
}

/** 100 workers that take 5 executions a second each; of three in ten events three copies come within 30 ms. */
async function simulate(seed: number, { heldUp, killed = 0 }: Disturbance = {}) {
	const EVENTS = 300;
	const PER_MS = 0.5;
	const random = seededRandom(seed);
	// The pauses of a lock, too, so that a failure can be repeated.
	jest.spyOn(Math, 'random').mockImplementation(random);
	const { clock, claim } = cluster(undefined, () => Math.ceil(random() * LATENCY_MS));
	const outcomes = Array.from({ length: EVENTS }, (): unknown[] => []);
	const execute = async (event: number) => {
		const isHeldUp = heldUp && random() < heldUp.jitter;
		const dies = random() < killed;
		const disturbedAt = Math.floor(random() * 14);
		let die: (outcome: 'killed') => void = () => undefined;
		const death = new Promise<'killed'>((resolve) => (die = resolve));
		await clock.sleep(Math.round(event / PER_MS + random() * 30));
		const claimed = claim(`event ${event}`, async (_, number) => {
			if (number !== disturbedAt) return;
			if (isHeldUp) await clock.sleep(random() * heldUp.forMs);
			if (!dies) return;
			die('killed');
			await dead();
		});
		outcomes[event].push(await Promise.race([claimed, death]));
	};
	const executions = outcomes.flatMap((_, event) =>
		Array.from({ length: random() < 0.3 ? 3 : 1 }, async () => await execute(event)),
	);
	await clock.run(Promise.all(executions));
	const count = (is: (ran: number, all: unknown[]) => boolean) =>
		outcomes.filter((all) => is(all.filter((each) => each === true).length, all)).length;
	return {
		twice: count((ran) => ran > 1),
		/** What n8n does not list as failed, and did not run. */
		lost: count((ran, all) => ran === 0 && !all.includes('killed')),
	};
}

// README, Scaling: none was lost or ran twice
describe('in 100 workers', () => {
	it.each<[string, Disturbance, object]>([
		['that nothing disturbs, no event is lost or runs twice', {}, { twice: 0, lost: 0 }],
		[
			'of whose claims one in twenty is held up for up to 9.5 s, no event is lost or runs twice',
			{ heldUp: { jitter: 0.05, forMs: EXACT_MS } },
			{ twice: 0, lost: 0 },
		],
		[
			'of whose claims one in twenty is held up for up to 30 s and some die, no event is lost',
			{ heldUp: { jitter: 0.05, forMs: 30_000 }, killed: 0.02 },
			{ twice: expect.any(Number), lost: 0 },
		],
	])('%s', async (_, disturbance, expected) => {
		for (const seed of [1, 2, 3]) expect(await simulate(seed, disturbance)).toEqual(expected);
	});
});

// README, Scaling: the last 50,000 events
it('remembers 50,000 events, in rows that stay small', async () => {
	const table = new ProcessedData();
	const clock = createVirtualClock();
	const rows = await openRows(contextOn(table).context, clock);
	const claim = async (event: number) =>
		await claimEvent(rows, { trigger: 'node', key: `event ${event}`, execution: '1' });
	for (let event = 0; event < 60_000; event++) await claim(event);
	const isNew = async (event: number) =>
		await claimEvent(rows, { trigger: 'node', key: `event ${event}`, execution: '2' });
	for (let event = 10_000; event < 60_000; event += 7) expect(await isNew(event)).toBe(false);
	const sizes = [...table.rows.values()].map(({ data }) => data.length);
	expect(table.rows.size).toBeLessThanOrEqual(1024);
	expect(Math.max(...sizes)).toBeLessThanOrEqual(200);
});
