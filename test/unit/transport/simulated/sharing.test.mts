import { play } from '../../../support/simulation/scenes.mts';

const campaign = { name: 'campaign', items: 500 };

it.each([true, false])(
	'a run with a lower limit gets its share beside one with a higher (headers: %p)',
	async (headers) => {
		const low = { name: 'low', items: 40, requestsPerMinute: 20, startsAfterMs: 10_000 };
		const processes = [[{ ...campaign, items: 240 }, low]];
		const outcome = await play({ limit: { headers }, processes });
		expect(outcome).toMatchObject({ sends: 280, rateLimited: 0 });
		expect(outcome.firstSendOf.low).toBeLessThan(65);
	},
);

it.each([true, false])(
	'200 sends whose responses take seconds keep to the limit with a sliding window (headers: %p)',
	async (headers) => {
		const limit = { window: 'sliding', headers } as const;
		const processes = [[{ ...campaign, items: 200 }]];
		const outcome = await play({ limit, processes, latencyMs: 5000 });
		expect(outcome).toMatchObject({ sends: 200, failed: 0 });
		expect(outcome.lastSendAt).toBeLessThan(300);
	},
);

it('1,500 sends at 600 a minute do not wait for one response after the other in a sliding window', async () => {
	const limit = { window: 'sliding', requestsPerMinute: 600 } as const;
	const processes = [[{ ...campaign, items: 1500, requestsPerMinute: 600, concurrency: 50 }]];
	const outcome = await play({ limit, processes, latencyMs: 1000 });
	expect(outcome).toMatchObject({ sends: 1500, failed: 0 });
	expect(outcome.lastSendAt).toBeLessThan(150);
});
