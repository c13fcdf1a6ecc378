import { RANDOM_TIMES } from '../../../support/sample.mts';
import type { SimulatedRun } from '../../../support/simulation/run.mts';
import { play, processesWith, type Scene, SERVERS } from '../../../support/simulation/scenes.mts';

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

// docs/scaling.md: several workers keep one limit
describe.each(SERVERS)('several processes that know nothing of each other: %p', (limit) => {
	it.each([1, 4])(
		'%d of them lose nothing, send nothing twice, and take hardly longer than one',
		async (count) => {
			const outcome = await play({ limit, processes: processesWith(count, 240) });
			expect(outcome).toMatchObject({ sends: 240, twice: 0, failed: 0 });
			expect(outcome.lastSendAt / 240).toBeLessThanOrEqual(1.1);
			if (limit.headers) expect(outcome.rateLimited / 240).toBeLessThanOrEqual(0.05);
		},
	);
});

it('a message that meets a full window time and again is not given up while others get through', async () => {
	const processes = Array.from({ length: 8 }, (_, index) => [
		{ name: `p${index}`, items: 60, startsAfterMs: index * 100 },
	]);
	const outcome = await play({ limit: { headers: false }, processes });
	expect(outcome).toMatchObject({ sends: 480, failed: 0 });
});
