import fc from 'fast-check';

import {
	PeriodBudget,
	type PeriodLimit,
	STEP_INR,
} from '../../../nodes/BusinessMessaging/memory/periodBudget';
import { sample } from '../../support/sample.mts';
import { databaseScene } from '../../support/simulation/database.mts';
import { seededRandom } from '../../support/simulation/random.mts';

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
/** What a price counts as, in INR. */
const counted = (price: number) => Math.ceil((price - 1e-9) / STEP_INR) * STEP_INR;
const inr = (amount: number) => Math.round(amount * 10_000) / 10_000;

/** Runs of nodes of one workflow. */
function scene(latencyMs: () => number = () => 0, startMs = Date.UTC(2026, 0, 31, 12)) {
	const { clock, table, connect } = databaseScene(latencyMs, startMs);
	function newRun(process?: Parameters<typeof connect>[0]) {
		const { rows, clock: ownClock } = connect(process);
		return new PeriodBudget(rows, ownClock);
	}
	/** @returns what keeps the message from being sent, or what settles its cost */
	async function take(run: PeriodBudget, limit = {}, price = UTILITY, number = NUMBER) {
		const taken = await clock.run(run.take({ ...LIMIT, ...limit }, price, number));
		if ('reached' in taken) return { reached: taken };
		return { settle: async (cost: number) => await clock.run(taken.settle(cost)) };
	}
	/** Sends in a run of its own. @returns what keeps it from being sent */
	const send = async (limit = {}, price?: number, number?: string) =>
		(await take(newRun(), limit, price, number)).reached;
	const left = async (limit = {}) => await clock.run(newRun().show({ ...LIMIT, ...limit }, 0));
	return { clock, table, newRun, take, send, left };
}

it('a period whose row another version has written lets nothing through', async () => {
	const { send, table } = scene();
	await send();
	const [[name, row]] = [...table.rows].filter(([each]) => each.endsWith('taken:0'));
	const data = Array.from({ length: 10_000 }, (_, entry) => `${entry}`);
	table.rows.set(name, { ...row, data });
	expect(await send({ limit: 1000 })).toBeUndefined();
	table.rows.set(name, { ...row, data: [...data, 'more'] });
	await expect(send()).rejects.toThrow('another version');
});

// docs/sending.md: steps of INR 0.03
it.each([
	[UTILITY, 0.6, 5],
	[UTILITY, 0.59, 4],
	[MARKETING, 2.61, 3],
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

const [A, B] = ['a', 'b'].map((conversation) => ({ conversation }));

it.each<[string, PeriodLimit['period'], Partial<PeriodLimit>, number, boolean]>([
	['the next hour', 'hour', {}, HOUR_MS, true],
	['the same hour', 'hour', {}, HOUR_MS - 1, false],
	['the next day', 'day', {}, 12 * HOUR_MS, true],
	['the same day', 'day', {}, 12 * HOUR_MS - 1, false],
	['the next day in its time zone', 'day', { timeZone: 'Asia/Kolkata' }, 6.5 * HOUR_MS, true],
	['the same day in its time zone', 'day', { timeZone: 'Asia/Kolkata' }, 6.5 * HOUR_MS - 1, false],
	['the next month', 'month', {}, 12 * HOUR_MS, true],
	['the same month', 'month', {}, -DAY_MS, false],
	['the same month of the next year', 'month', {}, 365 * DAY_MS, true],
	['the same conversation', A, {}, 99 * DAY_MS, false],
	['another conversation', A, { period: B }, 0, true],
	['another node', 'day', { counter: 'node:1' }, 0, true],
])('what was spent does not count in %s: %j %j %d %p', async (...row) => {
	const [, period, change, laterMs, isOther] = row;
	const { clock, newRun, take } = scene();
	const run = newRun();
	const { timeZone = 'UTC' } = change;
	const limit = { period, timeZone, limit: 0.12 };
	await take(run, limit);
	clock.set(laterMs);
	const { reached } = await take(run, { ...limit, ...change });
	expect(reached === undefined).toBe(isOther);
});

it('only so many people get messages, each as many as the limit allows, and no name of a row tells who', async () => {
	const { table, send, left } = scene();
	const limit = { people: 3, period: { conversation: 'Asha' } };
	for (const number of ['1', '2', '3', '2', '1', '3']) {
		expect(await send(limit, UTILITY, number)).toBeUndefined();
	}
	expect(await send(limit, UTILITY, '4')).toEqual({ reached: 'people', spent: 0.72 });
	const { size } = table.rows;
	expect(await send(limit, 0, '4')).toMatchObject({ reached: 'people' });
	expect(table.rows.size).toBe(size);
	expect(await left(limit)).toEqual({ left: 9.28 });
	expect(await send({ ...limit, people: 4 }, UTILITY, '4')).toBeUndefined();
	for (const name of table.rows.keys()) {
		expect(name).toMatch(/^workflow n:budget:[\w-]{22}(:0:(taken|taken:mark|back|person):\d+)?$/);
	}
});

it('a dry run counts what it shows, and changes nothing', async () => {
	const { clock, table, newRun, send, left } = scene();
	await send();
	const before = structuredClone(table.rows);
	const run = newRun();
	const show = async (price: number) => await run.show({ ...LIMIT, limit: 0.36 }, price);
	const both = [show(UTILITY), show(UTILITY)];
	expect(await clock.run(Promise.all(both))).toEqual([{ left: 0.12 }, { left: 0 }]);
	expect(await clock.run(show(UTILITY))).toEqual({ reached: 'limit', spent: 0.12 });
	expect(await clock.run(show(0))).toEqual({ left: 0 });
	expect(await left({ limit: 0.1 })).toEqual({ left: 0 });
	expect(table.rows).toEqual(before);
});

// docs/scaling.md: statements, rows
it('within a run a message takes two statements, and the first of a run few more', async () => {
	const { clock, table, newRun } = scene(() => 1);
	const limit = { ...LIMIT, limit: 1000 };
	for (let runs = 0; runs < 20; runs++) {
		const run = newRun();
		const take = async (price = UTILITY) => await run.take(limit, price, NUMBER);
		await clock.run(take(0));
		expect(table.statements).toEqual([]);
		// Beyond several marks.
		await clock.run(take(4));
		expect(table.statements.splice(0).length).toBeLessThanOrEqual(40);
		await clock.run(Promise.all(Array.from({ length: 49 }, async () => await take())));
		// A mark for every eighth.
		expect(table.statements.splice(0).length).toBeLessThan(2.3 * 49);
	}
});

it.each([
	['day', DAY_MS],
	['month', 31 * DAY_MS],
] as const)('of each %s the rows stay until the next one', async (period, periodMs) => {
	const { clock, table, newRun, take } = scene();
	const sizes: number[] = [];
	for (let day = 0; day < 6; day++) {
		const run = newRun();
		for (let message = 0; message < 20; message++) {
			const { settle } = await take(run, { period, people: 2 });
			if (message % 2) await settle?.(0);
		}
		sizes.push(table.rows.size);
		clock.pass(periodMs);
	}
	expect(sizes[5]).toBe(sizes[2]);
});

it('what was given back can be spent again, as often as it is', async () => {
	const { newRun, take, send } = scene();
	const run = newRun();
	for (let time = 0; time < 9; time++) {
		await (await take(run, { limit: 1 }, MARKETING)).settle?.(0);
	}
	expect(await send({ limit: 1 }, MARKETING)).toBeUndefined();
	expect(await send({ limit: 1 }, MARKETING)).toEqual({ reached: 'limit', spent: 0.87 });
});

it('what could not be given back is kept, and the next message goes', async () => {
	const { newRun, take, left } = scene();
	let isDown = false;
	const run = newRun({ fails: () => isDown });
	const { settle } = await take(run);
	isDown = true;
	await settle?.(0);
	isDown = false;
	expect((await take(run)).reached).toBeUndefined();
	expect(await left()).toEqual({ left: 9.76 });
});

const planned = fc.record({
	at: fc.oneof(fc.nat({ max: 200 }), fc.constant(0)),
	price: fc.constantFrom(UTILITY, UTILITY, MARKETING, 0, 4),
	outcome: fc.constantFrom('sent', 'sent', 'notSent', 'unknown'),
	/** How much more the message costs than its price. */
	dearer: fc.constantFrom(0, 0, 0, -0.1, 0.5),
	run: fc.nat({ max: 3 }),
	diesAfter: fc.oneof({ weight: 5, arbitrary: fc.constant(Infinity) }, fc.nat({ max: 20 })),
});
type Planned = ReturnType<typeof planned.generate>['value'];

// docs/sending.md: exact for all runs and n8n processes
it('whatever processes send, with kills and lost answers, no message goes beyond its limit, and what was not sent is given back', async () => {
	await fc.assert(
		fc.asyncProperty(
			fc.array(planned, { minLength: 2, maxLength: 40 }),
			fc.constantFrom(1, 5, 0.5),
			fc.constantFrom(0, 0, 0.05),
			fc.nat(),
			async (plan, limit, lost, seed) => {
				const random = seededRandom(seed);
				const { clock, newRun, left } = scene(() => Math.floor(random() * 20));
				const after = async () =>
					await (random() < lost && Promise.reject(new Error('connection lost')));
				const newBudget = (diesAfter = Infinity) =>
					newRun({ after, aheadMs: Math.floor(random() * 5000), diesAfter });
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
		sample(100),
	);
});
