import { RANDOM_TIMES } from '../../../support/sample.mts';
import { seededRandom } from '../../../support/simulation/random.mts';
import { play, processesWith, SERVERS } from '../../../support/simulation/scenes.mts';

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

it.each(['fixed', 'sliding'] as const)(
	'runs that start one after the other get few 429s at the end of a window, however close they are: %s window',
	async (window) => {
		const seeds = 5 * RANDOM_TIMES;
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
			const outcome = await play({ limit: { window }, latencyMs, processes, seed });
			expect(outcome).toMatchObject({ sends: 96, twice: 0, failed: 0 });
			expect([seed, outcome.rateLimited <= 9]).toEqual([seed, true]);
		}
	},
);
