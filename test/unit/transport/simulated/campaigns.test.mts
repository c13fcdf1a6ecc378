import { RANDOM_TIMES } from '../../../support/sample.mts';
import type { SimulatedRun } from '../../../support/simulation/run.mts';
import { play, type Scene } from '../../../support/simulation/scenes.mts';

const SLIDING = { window: 'sliding', headers: true } as const;
const FAST = { requestsPerMinute: 600 };

// docs/good-to-know.md: how long a campaign takes
it.each<[number, number, Partial<SimulatedRun>?, Omit<Scene, 'processes'>?]>([
	[57, 2],
	[61, 61],
	[600, 604],
	[600, 604, { batchSize: 1 }],
	[1200, 1208],
	// Takes longer than all others.
	...(RANDOM_TIMES > 1 ? [[6000, 6050] as [number, number]] : []),
	// The responses take seconds.
	[200, 300, {}, { limit: SLIDING, latencyMs: 5000 }],
	[200, 300, {}, { limit: { ...SLIDING, headers: false }, latencyMs: 5000 }],
	[1500, 150, { ...FAST, concurrency: 50 }, { limit: { ...SLIDING, ...FAST }, latencyMs: 1000 }],
])(
	'%d messages take at most %d s with %j and %j',
	async (items, seconds, more = {}, scene = {}) => {
		const outcome = await play({ ...scene, processes: [[{ name: 'campaign', items, ...more }]] });
		expect(outcome).toMatchObject({ sends: items, rateLimited: 0, failed: 0 });
		expect(outcome.lastSendAt).toBeLessThanOrEqual(seconds);
	},
);

it.each([true, false])(
	'a run with a lower limit gets its share beside one with a higher (headers: %p)',
	async (headers) => {
		const low = { name: 'low', items: 40, requestsPerMinute: 20, startsAfterMs: 10_000 };
		const outcome = await play({
			limit: { headers },
			processes: [[{ name: 'campaign', items: 240 }, low]],
		});
		expect(outcome).toMatchObject({ sends: 280, rateLimited: 0 });
		expect(outcome.firstSendOf.low).toBeLessThan(65);
	},
);
