import fc from 'fast-check';

import {
	PeriodBudget,
	type PeriodLimit,
	STEP_INR,
} from '../../../nodes/BusinessMessaging/memory/periodBudget';
import { openRows } from '../../../nodes/BusinessMessaging/memory/rows';
import { contextOn, ProcessedData, type Statement } from '../../support/processedData.mts';
import { seededRandom } from '../../support/simulation/random.mts';
import { createVirtualClock } from '../../support/virtualClock.mts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const LIMIT: PeriodLimit = {
	counter: 'name:agents',
	period: 'day',
	timeZone: 'UTC',
	limit: 10,
	people: Infinity,
};
const NUMBER = '+14155552671';
const UTILITY = 0.115;
const MARKETING = 0.8631;
const NEVER = new Promise<never>(() => undefined);
/** What a price counts as, in INR. */
const counted = (price: number) => Math.ceil((price - 1e-9) / STEP_INR) * STEP_INR;
const inr = (amount: number) => Math.round(amount * 10_000) / 10_000;

/** Runs of nodes of one workflow, each with a database connection of its own. */
function scene(latencyMs: () => number = () => 0, startMs = Date.UTC(2026, 0, 31, 12)) {
	const clock = createVirtualClock(startMs);
	const table = new ProcessedData();
	function newRun({
		aheadMs = 0,
		diesAfter = Infinity,
		losesAnswer = () => false,
		fails = () => false,
	}: Partial<{
		aheadMs: number;
		diesAfter: number;
		losesAnswer: (statement: Statement) => boolean;
		fails: (statement: Statement) => boolean;
	}> = {}) {
		let statements = 0;
		const own = new ProcessedData(
			async (statement) => {
				const ms = latencyMs();
				if (ms > 0) await clock.sleep(ms);
				if (statements++ >= diesAfter) await NEVER;
				if (fails(statement)) throw new Error('no database');
			},
			async (statement) => {
				if (losesAnswer(statement)) throw new Error('connection lost');
			},
			table,
		);
		const { context } = contextOn(own);
		const ownClock = { ...clock, now: () => clock.now() + aheadMs };
		return new PeriodBudget(async () => await openRows(context, ownClock), ownClock);
	}
	/** Sends in a run of its own. @returns what keeps it from being sent */
	async function send(limit: Partial<PeriodLimit> = {}, price = UTILITY, number = NUMBER) {
		const taken = await clock.run(newRun().take({ ...LIMIT, ...limit }, price, number));
		return 'reached' in taken ? taken : undefined;
	}
	const left = async (limit: Partial<PeriodLimit> = {}) =>
		await clock.run(newRun().show({ ...LIMIT, ...limit }, 0));
	return { clock, table, newRun, send, left };
}

beforeAll(async () => {
	const clock = createVirtualClock();
	await clock.run(openRows(contextOn(new ProcessedData()).context, clock));
});

it('a period whose row another version has written lets nothing through', async () => {
	const { send, table } = scene();
	await send();
	const [[name, row]] = [...table.rows].filter(([each]) => each.endsWith('taken:0'));
	table.rows.set(name, { ...row, data: Array.from({ length: 10_001 }, (_, entry) => `${entry}`) });
	await expect(send()).rejects.toThrow('another version');
});

// docs/sending.md: steps of INR 0.03
it.each([
	[UTILITY, 0.6, 5],
	[UTILITY, 0.59, 4],
	[MARKETING, 2.61, 3],
	[0.03, 0.3, 10],
	[0.0301, 0.3, 5],
])('messages at %d: a budget of %d is enough for %d', async (price, limit, messages) => {
	const { send, left } = scene();
	for (let message = 0; message < messages; message++) {
		expect(await send({ limit }, price)).toBeUndefined();
	}
	const spent = inr(messages * counted(price));
	expect(await send({ limit }, price)).toEqual({ reached: 'limit', spent });
	expect(await send({ limit }, 0)).toBeUndefined();
	expect(await left({ limit })).toEqual({ left: inr(limit - spent) });
});

it.each<[string, Partial<PeriodLimit>, number, boolean]>([
	['the next hour', { period: 'hour' }, HOUR_MS, true],
	['the same hour', { period: 'hour' }, HOUR_MS - 1, false],
	['the next day', { period: 'day' }, 12 * HOUR_MS, true],
	['the same day', { period: 'day' }, 12 * HOUR_MS - 1, false],
	['a day in its time zone', { timeZone: 'Asia/Kolkata' }, 6.5 * HOUR_MS, true],
	['the same day in its time zone', { timeZone: 'Asia/Kolkata' }, 6.5 * HOUR_MS - 1, false],
	['the next month', { period: 'month' }, 12 * HOUR_MS, true],
	['a later day of the month', { period: 'month' }, -DAY_MS, false],
	['a conversation', { period: { conversation: 'a' } }, 99 * DAY_MS, false],
	['another conversation', { period: { conversation: 'b' } }, 0, true],
	['another node', { counter: 'node:1' }, 0, true],
	['another limit', { limit: 0.2 }, 0, false],
])('what was spent counts in %s: unless it is another one', async (_, change, laterMs, isOther) => {
	const { clock, send } = scene();
	const before = change.period && typeof change.period === 'object' ? 'a' : undefined;
	const first = { ...change, ...(before ? { period: { conversation: before } } : {}) };
	const { counter: __, limit: ___, ...sameCounter } = first;
	await send({ limit: 0.12, ...sameCounter });
	clock.set(laterMs);
	expect((await send({ limit: 0.12, ...change })) === undefined).toBe(isOther);
});

it('what was certainly not sent is given back, and a cost replaces the price', async () => {
	const { clock, newRun, left } = scene();
	const take = async () => {
		const taken = await clock.run(newRun().take(LIMIT, UTILITY, NUMBER));
		if ('reached' in taken) throw new Error('reached');
		return taken;
	};
	const leftAfter = async (work: Promise<void>) => {
		await clock.run(work);
		return ((await left()) as { left: number }).left;
	};
	expect(await leftAfter((await take()).settle(0))).toBe(10);
	expect(await leftAfter((await take()).settle(UTILITY))).toBe(9.88);
	expect(await leftAfter((await take()).settle(3))).toBe(6.88);
	expect(await leftAfter((await take()).settle(0.01))).toBe(6.85);
	expect(await leftAfter((await take()).settle(20))).toBe(0);
});

it('what was given back can be spent again, as often as it is', async () => {
	const { clock, newRun, send } = scene();
	const run = newRun();
	for (let time = 0; time < 40; time++) {
		const taken = await clock.run(run.take({ ...LIMIT, limit: 1 }, MARKETING, NUMBER));
		expect(taken).not.toHaveProperty('reached');
		if ('settle' in taken) await clock.run(taken.settle(0));
	}
	expect(await send({ limit: 1 }, MARKETING)).toBeUndefined();
	expect(await send({ limit: 1 }, MARKETING)).toEqual({ reached: 'limit', spent: 0.87 });
});

it('only so many people get messages, each as many as the limit allows', async () => {
	const { send, left } = scene();
	const people = 3;
	for (const number of ['1', '2', '3', '2', '1', '3']) {
		expect(await send({ people }, UTILITY, number)).toBeUndefined();
	}
	expect(await send({ people }, UTILITY, '4')).toEqual({ reached: 'people', spent: 0.72 });
	expect(await send({ people }, 0, '4')).toMatchObject({ reached: 'people' });
	expect(await left()).toEqual({ left: 9.28 });
	expect(await send({ people: 4 }, UTILITY, '4')).toBeUndefined();
});

it('a dry run counts what it shows, and changes nothing', async () => {
	const { clock, table, newRun, send } = scene();
	await send();
	const before = structuredClone(table.rows);
	const run = newRun();
	const limit = { ...LIMIT, limit: 0.4 };
	const show = async (price: number) => await run.show(limit, price);
	const both = [show(UTILITY), show(UTILITY)];
	expect(await clock.run(Promise.all(both))).toEqual([{ left: 0.16 }, { left: 0.04 }]);
	expect(await clock.run(show(UTILITY))).toEqual({ reached: 'limit', spent: 0.12 });
	expect(await clock.run(show(0))).toEqual({ left: 0.04 });
	expect(table.rows).toEqual(before);
});

// docs/scaling.md: statements, rows
it('within a run a message takes two statements, and the first of a run few more', async () => {
	const { clock, table, newRun } = scene();
	const limit = { ...LIMIT, limit: 1000 };
	const counts: number[] = [];
	const firsts: number[] = [];
	for (let runs = 0; runs < 20; runs++) {
		const run = newRun();
		for (let message = 0; message < 50; message++) {
			table.statements.splice(0);
			await clock.run(run.take(limit, UTILITY, NUMBER));
			(message === 0 ? firsts : counts).push(table.statements.length);
		}
	}
	expect(Math.max(...firsts)).toBeLessThanOrEqual(25);
	// A mark for every eighth.
	expect(new Set(counts)).toEqual(new Set([2, 4]));
	expect(counts.reduce((sum, count) => sum + count) / counts.length).toBeLessThan(2.3);
});

it.each<[PeriodLimit['period'], number]>([
	['hour', HOUR_MS],
	['day', DAY_MS],
	['month', 31 * DAY_MS],
])('of a number of %ss the rows of two stay', async (period, ms) => {
	const { clock, table, newRun } = scene();
	const sizes: number[] = [];
	for (let window = 0; window < 6; window++) {
		const run = newRun();
		for (let message = 0; message < 20; message++) {
			const taken = await clock.run(run.take({ ...LIMIT, period, people: 2 }, UTILITY, NUMBER));
			if (message % 2 && 'settle' in taken) await clock.run(taken.settle(0));
		}
		sizes.push(table.rows.size);
		clock.pass(ms);
	}
	expect(sizes[5]).toBe(sizes[2]);
});

it('a row has no number and no name of a conversation in its name', async () => {
	const { table, send } = scene();
	await send({ people: 2, period: { conversation: 'Asha' } });
	for (const name of table.rows.keys()) {
		expect(name).toMatch(/^workflow n:budget:[\w-]{22}(:0:(taken:0|person:0))?$/);
	}
});

describe('a database that does not answer', () => {
	it('keeps the message from being sent', async () => {
		const { clock, newRun } = scene();
		const run = newRun({ fails: () => true });
		await expect(clock.run(run.take(LIMIT, UTILITY, NUMBER))).rejects.toThrow('no database');
	});

	it('when a message is given back keeps it', async () => {
		const { clock, newRun, left } = scene();
		let isDown = false;
		const run = newRun({ fails: () => isDown });
		const taken = await clock.run(run.take(LIMIT, UTILITY, NUMBER));
		isDown = true;
		if ('settle' in taken) await clock.run(taken.settle(0));
		expect(await left()).toEqual({ left: 9.88 });
	});
});

interface Planned {
	at: number;
	price: number;
	outcome: 'sent' | 'notSent' | 'unknown';
	/** How much more the message costs than its price. */
	dearer: number;
	run: number;
	diesAfter: number;
}

const planned = fc.record<Planned>({
	at: fc.oneof(fc.nat({ max: 200 }), fc.constant(0)),
	price: fc.constantFrom(UTILITY, UTILITY, MARKETING, 0, 4),
	outcome: fc.constantFrom('sent', 'sent', 'notSent', 'unknown'),
	dearer: fc.constantFrom(0, 0, 0, -0.1, 0.5),
	run: fc.nat({ max: 3 }),
	diesAfter: fc.oneof({ weight: 5, arbitrary: fc.constant(Infinity) }, fc.nat({ max: 20 })),
});

// docs/sending.md: exact for all runs and n8n processes
it('whatever processes send, with kills and lost answers, no message goes beyond its limit, and what was not sent is given back', async () => {
	await fc.assert(
		fc.asyncProperty(
			fc.array(planned, { minLength: 2, maxLength: 40 }),
			fc.constantFrom(1, 5, 0.5),
			fc.constantFrom(0, 0, 0.05),
			fc.integer(),
			async (plan, limit, lost, seed) => {
				const random = seededRandom(seed);
				const { clock, newRun, left } = scene(() => Math.floor(Math.abs(random()) * 20));
				const losesAnswer = () => Math.abs(random()) < lost;
				const aheadMs = () => Math.floor(random() * 5000);
				const newBudget = (diesAfter = Infinity) =>
					newRun({ losesAnswer, aheadMs: aheadMs(), diesAfter });
				const runs = Array.from({ length: 4 }, () => newBudget());
				// What was spent at prices, and by how much more the costs were.
				let [spent, dearer] = [0, 0];
				const send = async (budget: PeriodBudget, each: Planned) => {
					const { price, outcome } = each;
					const taken = await budget.take({ ...LIMIT, limit }, price, NUMBER);
					if ('reached' in taken) {
						expect(taken.spent + counted(price)).toBeGreaterThan(limit - STEP_INR);
						return;
					}
					if (outcome === 'notSent') return await taken.settle(0);
					spent = inr(spent + counted(price));
					if (price > 0) expect(spent).toBeLessThanOrEqual(limit);
					if (outcome === 'unknown') return;
					await clock.sleep(10);
					const cost = Math.max(0, price + each.dearer);
					const more = counted(cost) - counted(price);
					if (more < 0) spent = inr(spent + more);
					await taken.settle(cost);
					if (more > 0) dearer = inr(dearer + more);
				};
				const ends = plan.map(async (each) => {
					await clock.sleep(each.at);
					const isKilled = each.diesAfter < Infinity;
					const sending = send(isKilled ? newBudget(each.diesAfter) : runs[each.run], each);
					// Nobody waits for a process that was killed.
					if (!isKilled) await sending;
				});
				await clock.run(Promise.all(ends));
				await clock.run(clock.sleep(1000));
				const { left: all } = (await left({ limit: 1000 })) as { left: number };
				const isCertain = lost === 0 && plan.every(({ diesAfter }) => diesAfter === Infinity);
				const used = inr(1000 - all);
				if (isCertain) expect(used).toBe(inr(spent + dearer));
				else expect(used).toBeGreaterThanOrEqual(inr(spent + dearer));
			},
		),
		{ numRuns: 200 },
	);
});
