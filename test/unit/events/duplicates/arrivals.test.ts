import { createArrivals } from '../../../../nodes/BusinessMessaging/events/duplicates/arrivals';
import { createRecentKeys } from '../../../../nodes/BusinessMessaging/events/duplicates/recentKeys';
import { createVirtualClock } from '../../../support/virtualClock.ts';

const HOUR_MS = 3_600_000;

function createScene() {
	const clock = createVirtualClock();
	const arrivals = createArrivals(createRecentKeys(1000, clock), clock);
	const start = clock.now();
	/** What becomes of a delivery that comes so many ms after the start, and when that is known. */
	const arriveAfter = async (ms: number, key = 'a') => {
		if (ms > 0) await clock.sleep(ms);
		const arrival = await arrivals.arrive(key, HOUR_MS);
		return [arrival, clock.now() - start] as const;
	};
	const settleAfter = async (ms: number, isStored: boolean, key = 'a') => {
		await clock.sleep(ms);
		arrivals.settle(key, isStored);
	};
	return { clock, arrivals, arriveAfter, settleAfter };
}

describe('a copy of an event that is under way', () => {
	/** What becomes of deliveries that come at these ms, when n8n stores the first or fails to. */
	async function fatesOf(comingAt: number[], storedAt: Record<number, boolean>) {
		const { clock, arriveAfter, settleAfter } = createScene();
		const arrivals = Promise.all(comingAt.map(async (ms) => await arriveAfter(ms)));
		const ends = Object.entries(storedAt).map(
			async ([ms, isStored]) => await settleAfter(Number(ms), isStored),
		);
		await clock.run(Promise.all([arrivals, ...ends]));
		return (await arrivals).map(([arrival, ms]) => `${arrival} after ${ms}`);
	}

	it('waits, and is a repeated one as soon as the first is stored', async () => {
		const fates = await fatesOf([0, 500, 1000], { 2000: true });
		expect(fates).toEqual(['first after 0', 'stored after 2000', 'stored after 2000']);
	});

	it('takes the place of the first when that failed, and only one of them does', async () => {
		const fates = await fatesOf([0, 500, 1000], { 2000: false, 3000: true });
		expect(fates).toEqual(['first after 0', 'first after 2000', 'stored after 3000']);
	});

	// SECURITY, The trigger: a copy waits, and gets 503 after 4 seconds at most
	it('is sent away after 4 s, also when another took the place of the first meanwhile', async () => {
		const fates = await fatesOf([0, 100, 1000], { 2000: false, 60_000: true });
		expect(fates).toEqual(['first after 0', 'first after 2000', 'underWay after 5000']);
	});

	// SECURITY, The trigger: a copy waits, and gets 503 after 4 seconds at most
	it('is sent away at once when a hundred others wait', async () => {
		const { clock, arriveAfter, settleAfter } = createScene();
		const copies = Array.from({ length: 102 }, async () => await arriveAfter(0));
		const [answers] = await clock.run(
			Promise.all([Promise.all(copies), settleAfter(1000, true), arriveAfter(0, 'other')]),
		);
		expect(answers[0]).toEqual(['first', 0]);
		expect(answers.slice(1, 101)).toEqual(Array.from({ length: 100 }, () => ['stored', 1000]));
		expect(answers[101]).toEqual(['underWay', 0]);
		expect(await clock.run(arriveAfter(0, 'third'))).toEqual(['first', 1000]);
	});

	it('leaves room for others to wait when it is done', async () => {
		const { clock, arriveAfter, settleAfter } = createScene();
		const round = async (key: string) => {
			const copies = Array.from({ length: 101 }, async () => await arriveAfter(0, key));
			return await clock.run(Promise.all([Promise.all(copies), settleAfter(10, true, key)]));
		};
		await round('a');
		const [answers] = await round('b');
		expect(answers.map(([arrival]) => arrival)).not.toContain('underWay');
	});

	it('does not keep events of other keys waiting', async () => {
		const { clock, arriveAfter } = createScene();
		const all = Promise.all([arriveAfter(0, 'a'), arriveAfter(0, 'b')]);
		expect(await clock.run(all)).toEqual([
			['first', 0],
			['first', 0],
		]);
	});
});

describe('an event', () => {
	it('that is stored is a repeated one until its time is over, counted from then', async () => {
		const { clock, arriveAfter, settleAfter } = createScene();
		await clock.run(Promise.all([arriveAfter(0), settleAfter(1000, true)]));
		expect(await clock.run(arriveAfter(HOUR_MS - 1))).toMatchObject(['stored', HOUR_MS + 999]);
		expect(await clock.run(arriveAfter(1))).toMatchObject(['first', HOUR_MS + 1000]);
	});

	it('that failed counts when it comes again', async () => {
		const { clock, arriveAfter, settleAfter } = createScene();
		await clock.run(Promise.all([arriveAfter(0), settleAfter(1000, false)]));
		expect(await clock.run(arriveAfter(0))).toEqual(['first', 1000]);
	});

	it('that nobody began can be settled without harm', async () => {
		const { clock, arrivals, arriveAfter } = createScene();
		arrivals.settle('a', true);
		expect(await clock.run(arriveAfter(0))).toEqual(['first', 0]);
	});
});
