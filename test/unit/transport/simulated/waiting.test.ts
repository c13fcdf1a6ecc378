import { play } from '../../../support/simulation/scenes.ts';

const HOUR_MS = 3_600_000;

const wait = (items: number, waitTimeoutMs: number) => ({ name: 'run', items, waitTimeoutMs });

it('messages that stay undelivered for an hour do not hold up the sends of their run', async () => {
	const outcome = await play({ processes: [[wait(500, HOUR_MS)]] });
	expect(outcome).toMatchObject({ sends: 500, rateLimited: 0, timedOut: 500 });
	expect(outcome.lastSendAt).toBeLessThan(8.5 * 60);
	expect(outcome.longestWait).toBeLessThanOrEqual(3601.2);
});

it('a login code goes out at once while 500 messages are waited for', async () => {
	const login = { name: 'login', items: 1, startsAfterMs: 600_000 };
	const outcome = await play({ processes: [[wait(500, HOUR_MS), login]] });
	expect(outcome.firstSendOf.login).toBeLessThan(601);
});

it('nor does it wait for a campaign whose messages are waited for, and which keeps half of the limit for them', async () => {
	for (const startsAfterMs of [10_000, 45_000, 80_000]) {
		const login = { name: 'login', items: 1, startsAfterMs };
		const processes = [[wait(100, 60_000), login]];
		const outcome = await play({ processes, deliveredAfterMs: 3000 });
		expect(outcome).toMatchObject({ sends: 101, delivered: 100, rateLimited: 0 });
		expect(outcome.firstSendOf.login - startsAfterMs / 1000).toBeLessThan(0.5);
	}
});

describe.each(['fixed', 'sliding'] as const)('with a %s window', (window) => {
	it.each([true, false])(
		'a hundred messages that are delivered in seconds are all reported in time (headers: %p)',
		async (headers) => {
			const limit = { window, headers };
			const outcome = await play({
				limit,
				processes: [[wait(100, 60_000)]],
				deliveredAfterMs: 3000,
			});
			expect(outcome).toMatchObject({ delivered: 100, timedOut: 0, rateLimited: 0 });
			expect(outcome.longestWait).toBeLessThanOrEqual(61.2);
			// 200 requests or more at 60 a minute take three minutes, and look-ups have half of each.
			expect(outcome.endsAt).toBeLessThanOrEqual(225);
		},
	);

	// README, Good to know: 30 messages a minute go out, not 60
	it('thirty messages take one minute, half of it for look-ups', async () => {
		const processes = [[wait(30, 60_000)]];
		const outcome = await play({ limit: { window }, processes, deliveredAfterMs: 3000 });
		expect(outcome).toMatchObject({ delivered: 30, timedOut: 0 });
	});

	it('ten messages are seen delivered at once', async () => {
		const processes = [[wait(10, 60_000)]];
		const outcome = await play({ limit: { window }, processes, deliveredAfterMs: 3000 });
		expect(outcome.delivered).toBe(10);
		expect(outcome.endsAt).toBeLessThan(8);
	});
});
