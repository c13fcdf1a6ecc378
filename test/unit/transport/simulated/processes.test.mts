import { RANDOM_TIMES } from '../../../support/sample.mts';
import type { SimulatedLimit } from '../../../support/simulation/api.mts';
import { seededRandom } from '../../../support/simulation/random.mts';
import { play, processesWith } from '../../../support/simulation/scenes.mts';

const SERVERS: Array<[string, Partial<SimulatedLimit>]> = [
	['a fixed window, told in headers', {}],
	['a fixed window without headers', { headers: false }],
	['a sliding window, told in headers', { window: 'sliding' }],
	['a sliding window without headers', { window: 'sliding', headers: false }],
];

// docs/scaling.md: several workers keep one limit
describe.each(SERVERS)('several processes that know nothing of each other, and %s', (_, limit) => {
	it.each([
		[1, 240],
		[2, 240],
		// What fits into a window goes out at its beginning, and the last one begins after three minutes.
		[4, 180],
	])(
		'%d of them lose nothing, send nothing twice, and take hardly longer than %d s',
		async (count, seconds) => {
			const outcome = await play({ limit, processes: processesWith(count, 240) });
			expect(outcome).toMatchObject({ sends: 240, twice: 0, failed: 0 });
			expect(outcome.lastSendAt / seconds).toBeLessThanOrEqual(1.05);
			expect(outcome.rateLimited / 240).toBeLessThanOrEqual(0.1);
		},
	);
});

it.each([8, 32])('%d of them send everything once when headers tell of it', async (count) => {
	const outcome = await play({ processes: processesWith(count, 480) });
	expect(outcome).toMatchObject({ sends: 480, twice: 0, failed: 0 });
});

it('a message that meets a full window time and again is not given up while others get through', async () => {
	const processes = Array.from({ length: 8 }, (_, index) => [
		{ name: `p${index}`, items: 60, startsAfterMs: index * 100 },
	]);
	const outcome = await play({ limit: { headers: false }, processes });
	expect(outcome).toMatchObject({ sends: 480, failed: 0 });
});

it.each([
	{ window: 'fixed', headers: true },
	{ window: 'sliding', headers: true },
	{ window: 'fixed', headers: false },
	{ window: 'sliding', headers: false },
] as const)(
	'runs that start one after the other get few 429s at the end of a window, however close they are: $window, headers $headers',
	async (limit) => {
		const seeds = 10 * RANDOM_TIMES;
		for (let seed = 1; seed <= seeds; seed++) {
			const random = seededRandom(seed);
			const latencyMs = 10 * 40 ** (seed / seeds);
			const apartMs = 300 * random();
			const processes = Array.from({ length: 4 }, (_, process) =>
				[0, 1].map((run) => ({
					name: `p${process}r${run}`,
					items: 12,
					startsAfterMs: (process + 4 * run) * apartMs + 300 * random(),
				})),
			);
			const outcome = await play({ limit, latencyMs, processes, seed });
			expect(outcome).toMatchObject({ sends: 96, twice: 0, failed: 0 });
			expect([seed, outcome.rateLimited <= 9]).toEqual([seed, true]);
		}
	},
);
