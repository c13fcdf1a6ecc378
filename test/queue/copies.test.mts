import { eventually } from '../../playground/eventually.mts';
import { EVENTS, LONGEST_PROOF_MS, measure, sceneOfFile } from './measure.mts';
import { CONCURRENCY } from './scene.mts';

const DELIVERIES_AT_A_TIME = 10;
const PACE = { deliveriesAtATime: DELIVERIES_AT_A_TIME };
const MAX_TWICE_WHEN_OVERLAPPING = EVENTS * 0.005;

const scene = sceneOfFile();

const oneToFour = (index: number) => 1 + (index % 4);
const once = () => ({});
const separateCopies = (index: number) => ({ copies: oneToFour(index), pauseMs: 2000 });
const overlappingCopies = (index: number) => ({ copies: oneToFour(index), overlapping: true });

// docs/scaling.md: repeated events, measured
it('runs each event once whose copies come one after the other', async () => {
	const figures = await measure(
		scene(),
		'Separate copies',
		async (events) => await scene().send(events, separateCopies, PACE),
	);
	expect(figures).toMatchObject({ lost: 0, twice: 0 });
});

it('loses no event whose copies overlap, and runs at most 0.5 % of them twice', async () => {
	const figures = await measure(
		scene(),
		'Overlapping copies',
		async (events) => await scene().send(events, overlappingCopies, PACE),
	);
	expect(figures.lost).toBe(0);
	expect(figures.twice).toBeLessThanOrEqual(MAX_TWICE_WHEN_OVERLAPPING);
});

it('knows events again after the webhook processes have been restarted', async () => {
	const { cluster } = scene();
	const figures = await measure(scene(), '20 % repeated after a restart', async (events) => {
		const sent = await scene().send(events, once, PACE);
		await Promise.all(cluster.webhooks.map(async (webhook) => await webhook.restart()));
		const everyFifth = events.filter((_, index) => index % 5 === 0);
		return [...sent, ...(await scene().send(everyFifth, once, PACE))];
	});
	expect(figures).toMatchObject({ lost: 0, twice: 0 });
});

// docs/scaling.md: with a webhook process and a worker killed
// n8n 2.x does not repeat what a worker had taken when it died; it lists it as failed or crashed, and
// so it lists what a webhook process had stored and not queued, which the sender repeats.
it('loses nothing else and runs nothing twice when processes are killed', async () => {
	const { webhooks, workers } = scene().cluster;
	const figures = await measure(scene(), 'Killed under load', async (events) => {
		const sending = scene().send(events, separateCopies, PACE);
		const ran = () => events.filter(({ id }) => scene().runs.has(id)).length;
		const isThirdDone = () => ran() > EVENTS / 3;
		await eventually('a third of the runs', isThirdDone, LONGEST_PROOF_MS);
		await Promise.all([webhooks[0].kill(), workers[0].kill()]);
		await Promise.all([webhooks[0].restart(), workers[0].restart()]);
		const sent = await sending;
		await scene().findOrphans();
		return sent;
	});
	expect(figures).toMatchObject({ nowhere: 0, twice: 0 });
	expect(figures.lost).toBeLessThanOrEqual(CONCURRENCY);
	expect(figures.listedAsFailed).toBeLessThanOrEqual(CONCURRENCY + DELIVERIES_AT_A_TIME);
});
