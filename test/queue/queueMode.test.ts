import type { EmitOptions } from '../../playground/api/server.ts';
import { eventually } from '../../playground/eventually.ts';
import { figuresOf, print } from './figures.ts';
import { CONCURRENCY, plan, startScene, type PlannedEvent, type Scene } from './scene.ts';

/** Of each proof; about 10 run in a second on two cores. */
const EVENTS = Number(process.env.QUEUE_EVENTS ?? 300);
/** 6.4 */
const ANSWER_DEADLINE_MS = 5000;
const MAX_TWICE_WHEN_OVERLAPPING = EVENTS * 0.005;

jest.setTimeout(3_600_000);

let scene: Scene;

beforeAll(async () => {
	scene = await startScene();
});

afterAll(async () => {
	await scene?.stop();
});

const oneToFour = (index: number) => 1 + (index % 4);
const separateCopies = (index: number) => ({ copies: oneToFour(index), pauseMs: 2000 });
const overlappingCopies = (index: number) => ({ copies: oneToFour(index), overlapping: true });

async function measure(
	proof: string,
	options: (index: number) => EmitOptions,
	during?: (events: PlannedEvent[]) => Promise<void>,
) {
	const startedAt = Date.now();
	const events = plan(EVENTS);
	const [sent] = await Promise.all([scene.send(events, options), during?.(events)]);
	await scene.drained();
	const figures = figuresOf(sent, scene.runs, startedAt);
	print(proof, figures);
	return figures;
}

it('runs each event once whose copies come one after the other', async () => {
	const figures = await measure('Separate copies', separateCopies);
	expect(figures).toMatchObject({ lost: 0, twice: 0, failed: 0 });
	expect(figures.slowestAnswerMs).toBeLessThan(ANSWER_DEADLINE_MS);
});

it('runs each event once whose copies overlap', async () => {
	const figures = await measure('Overlapping copies', overlappingCopies);
	expect(figures).toMatchObject({ lost: 0, failed: 0 });
	expect(figures.twice).toBeLessThanOrEqual(MAX_TWICE_WHEN_OVERLAPPING);
	expect(figures.slowestAnswerMs).toBeLessThan(ANSWER_DEADLINE_MS);
});

it('knows events again after the webhook processes have been restarted', async () => {
	const startedAt = Date.now();
	const events = plan(EVENTS);
	const sent = await scene.send(events, () => ({}));
	await Promise.all(scene.cluster.webhooks.map(async (webhook) => await webhook.restart()));
	const everyFifth = events.filter((_, index) => index % 5 === 0);
	sent.push(...(await scene.send(everyFifth, () => ({}))));
	await scene.drained();
	const figures = figuresOf(sent, scene.runs, startedAt);
	print('20 % again after a restart of the webhook processes', figures);
	expect(figures).toMatchObject({ lost: 0, twice: 0, failed: 0 });
	expect(figures.slowestAnswerMs).toBeLessThan(ANSWER_DEADLINE_MS);
});

it('loses and repeats nothing but what n8n lists as failed when processes are killed', async () => {
	const [webhook] = scene.cluster.webhooks;
	const [worker] = scene.cluster.workers;
	const failedBefore = await scene.failedExecutions();
	const figures = await measure('Killed processes', separateCopies, async (events) => {
		const ran = () => events.filter(({ id }) => scene.runs.has(id)).length;
		await eventually(
			'a third of the runs',
			() => (ran() > EVENTS / 3 ? true : undefined),
			3_600_000,
		);
		await Promise.all([webhook.kill(), worker.kill()]);
		await Promise.all([webhook.restart(), worker.restart()]);
	});
	const failed = (await scene.failedExecutions()) - failedBefore;
	process.stdout.write(`${failed} executions of the killed worker are listed as failed\n`);
	expect(figures.twice).toBe(0);
	expect(figures.lost).toBeLessThanOrEqual(failed);
	expect(failed).toBeLessThanOrEqual(CONCURRENCY);
});
