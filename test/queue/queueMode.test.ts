import { eventually } from '../../playground/eventually.ts';
import { figuresOf, print } from './figures.ts';
import {
	CONCURRENCY,
	DELIVERIES_AT_A_TIME,
	plan,
	startScene,
	type PlannedEvent,
	type Scene,
	type SentEvent,
} from './scene.ts';

/** Of each proof. */
const EVENTS = Number(process.env.QUEUE_EVENTS ?? 200);
const MAX_TWICE_WHEN_OVERLAPPING = EVENTS * 0.005;
const LONGEST_PROOF_MS = 3_600_000;

jest.setTimeout(LONGEST_PROOF_MS);

let scene: Scene;

beforeAll(async () => {
	scene = await startScene();
});

afterAll(async () => {
	await scene?.stop();
});

const oneToFour = (index: number) => 1 + (index % 4);
const once = () => ({});
const separateCopies = (index: number) => ({ copies: oneToFour(index), pauseMs: 2000 });
const overlappingCopies = (index: number) => ({ copies: oneToFour(index), overlapping: true });

async function measure(proof: string, load: (events: PlannedEvent[]) => Promise<SentEvent[]>) {
	const startedAt = Date.now();
	const sent = await load(plan(EVENTS));
	await scene.drained();
	const figures = figuresOf(sent, scene.runs, startedAt);
	print(proof, figures);
	return figures;
}

it('runs each event once whose copies come one after the other', async () => {
	const figures = await measure(
		'Separate copies',
		async (events) => await scene.send(events, separateCopies),
	);
	expect(figures).toMatchObject({ lost: 0, twice: 0 });
});

it('loses no event whose copies overlap, and runs at most 0.5 % of them twice', async () => {
	const figures = await measure(
		'Overlapping copies',
		async (events) => await scene.send(events, overlappingCopies),
	);
	expect(figures.lost).toBe(0);
	expect(figures.twice).toBeLessThanOrEqual(MAX_TWICE_WHEN_OVERLAPPING);
});

it('knows events again after the webhook processes have been restarted', async () => {
	const { webhooks } = scene.cluster;
	const figures = await measure('20 % repeated after a restart', async (events) => {
		const sent = await scene.send(events, once);
		await Promise.all(webhooks.map(async (webhook) => await webhook.restart()));
		const everyFifth = events.filter((_, index) => index % 5 === 0);
		return [...sent, ...(await scene.send(everyFifth, once))];
	});
	expect(figures).toMatchObject({ lost: 0, twice: 0 });
});

// n8n 2.x does not repeat what a worker had taken when it died; it lists it as failed or crashed, and
// so it lists what a webhook process had stored and not queued, which the sender repeats.
it('loses nothing else and runs nothing twice when processes are killed', async () => {
	const { webhooks, workers } = scene.cluster;
	const figures = await measure('Killed under load', async (events) => {
		const sending = scene.send(events, separateCopies);
		const ran = () => events.filter(({ id }) => scene.runs.has(id)).length;
		const isThirdDone = () => (ran() > EVENTS / 3 ? true : undefined);
		await eventually('a third of the runs', isThirdDone, LONGEST_PROOF_MS);
		await Promise.all([webhooks[0].kill(), workers[0].kill()]);
		await Promise.all([webhooks[0].restart(), workers[0].restart()]);
		const sent = await sending;
		await scene.findOrphans();
		return sent;
	});
	const failed = await scene.failedExecutions();
	process.stdout.write(`n8n lists ${failed} executions as failed or crashed\n`);
	expect(figures.twice).toBe(0);
	expect(figures.lost).toBeLessThanOrEqual(Math.min(failed, CONCURRENCY));
	expect(failed).toBeLessThanOrEqual(CONCURRENCY + DELIVERIES_AT_A_TIME);
});
