import type { SimulatedRun } from '../../../support/simulation/run.mts';
import { play, SERVERS } from '../../../support/simulation/scenes.mts';

const HOUR_MS = 3_600_000;

const wait = (items: number, waitTimeoutMs: number) => ({ name: 'run', items, waitTimeoutMs });
const loginAt = (startsAfterMs: number) => ({ name: 'login', items: 1, startsAfterMs });

// docs/good-to-know.md: half of the limit is kept for status checks
it('messages that stay undelivered for an hour leave sends half of the limit, and a login code its slot', async () => {
	const outcome = await play({ processes: [[wait(500, HOUR_MS), loginAt(600_000)]] });
	expect(outcome).toMatchObject({ sends: 501, rateLimited: 0, timedOut: 500 });
	expect(outcome.firstSendOf.login).toBeLessThan(601);
	expect(outcome.lastSendAt).toBeLessThan(18.5 * 60);
	expect(outcome.longestWait).toBeLessThanOrEqual(3601.2);
});

// docs/good-to-know.md: half of the limit is kept for status checks
it.each(SERVERS)(
	'messages that are delivered in seconds are reported in time, and a login code does not wait: %p',
	async (limit) => {
		const outcomeOf = async (...runs: SimulatedRun[]) =>
			await play({ limit, processes: [runs], deliveredAfterMs: 3000 });
		const ten = await outcomeOf(wait(10, 60_000));
		expect(ten).toMatchObject({ delivered: 10, rateLimited: 0 });
		expect(ten.endsAt).toBeLessThan(8);
		const hundred = await outcomeOf(wait(100, 60_000), loginAt(45_000));
		expect(hundred).toMatchObject({ sends: 101, delivered: 100, rateLimited: 0 });
		expect(hundred.firstSendOf.login).toBeLessThan(45.5);
		expect(hundred.longestWait).toBeLessThanOrEqual(61.2);
		// 200 requests or more at 60 a minute take three minutes, and look-ups have half of each.
		expect(hundred.endsAt).toBeLessThanOrEqual(225);
	},
);
