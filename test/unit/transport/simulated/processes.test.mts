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
