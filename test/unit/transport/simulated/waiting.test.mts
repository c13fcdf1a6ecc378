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

it.each([10_000, 45_000, 80_000])(
	'a login code does not wait for a campaign that waits for its messages: after %d ms',
	async (startsAfterMs) => {
		const processes = [[wait(100, 60_000), loginAt(startsAfterMs)]];
		const outcome = await play({ processes, deliveredAfterMs: 3000 });
		expect(outcome).toMatchObject({ sends: 101, delivered: 100, rateLimited: 0 });
		expect(outcome.firstSendOf.login - startsAfterMs / 1000).toBeLessThan(0.5);
	},
);

// docs/good-to-know.md: half of the limit is kept for status checks
it.each(SERVERS)(
	'messages that are delivered in seconds are reported in time: %p',
	async (limit) => {
		const outcomeOf = async (messages: number) => {
			const processes = [[wait(messages, 60_000)]];
			return await play({ limit, processes, deliveredAfterMs: 3000 });
		};
		const ten = await outcomeOf(10);
		expect(ten).toMatchObject({ delivered: 10, rateLimited: 0 });
		expect(ten.endsAt).toBeLessThan(8);
		const hundred = await outcomeOf(100);
		expect(hundred).toMatchObject({ delivered: 100, rateLimited: 0 });
		expect(hundred.longestWait).toBeLessThanOrEqual(61.2);
		// 200 requests or more at 60 a minute take three minutes, and look-ups have half of each.
		expect(hundred.endsAt).toBeLessThanOrEqual(225);
	},
);
