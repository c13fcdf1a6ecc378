import { setTimeout as sleep } from 'node:timers/promises';
import type { EmitOptions } from '../../playground/api/server.ts';
import { startScene, type Scene, type SentEvent } from './scene.ts';

const EVENTS = Number(process.env.QUEUE_EVENTS ?? 200);
const ANSWER_DEADLINE_MS = 5000;

let scene: Scene;

beforeAll(async () => {
	scene = await startScene();
}, 300_000);

afterAll(async () => {
	await scene?.stop();
}, 120_000);

const oneToFour = (index: number) => 1 + (index % 4);

/** How the events of a proof fared. */
async function measure(proof: string, start: number, sent: SentEvent[]) {
	await scene.drained();
	const seconds = (Date.now() - start) / 1000;
	const deliveries = sent.flatMap(({ deliveries }) => deliveries);
	const runs = sent.map(({ id }) => scene.runs.get(id) ?? 0);
	const figures = {
		lost: runs.filter((count, index) => count === 0 && sent[index].answered).length,
		twice: runs.filter((count) => count > 1).length,
		slowestMs: Math.max(...deliveries.map(({ tookMs }) => tookMs ?? Infinity)),
	};
	const answers = new Map<string, number>();
	for (const { status, answer, error } of deliveries) {
		const kind = `${error ?? status} ${answer}`;
		answers.set(kind, (answers.get(kind) ?? 0) + 1);
	}
	process.stdout.write(
		`${proof}: ${sent.length} events, ${deliveries.length} deliveries, ` +
			`${figures.lost} lost, ${figures.twice} run twice, slowest answer ${figures.slowestMs} ms, ` +
			`${seconds.toFixed(0)} s (${(sent.length / seconds).toFixed(1)} events/s); ${JSON.stringify([...answers])}\n`,
	);
	return figures;
}

async function prove(proof: string, optionsOf: (index: number) => EmitOptions) {
	const start = Date.now();
	return await measure(proof, start, await scene.send(EVENTS, optionsOf));
}

it('runs each event once whose copies come one after the other', async () => {
	const figures = await prove('Separate copies', (index) => ({
		copies: oneToFour(index),
		pauseMs: 2000,
	}));
	expect(figures).toMatchObject({ lost: 0, twice: 0 });
	expect(figures.slowestMs).toBeLessThan(ANSWER_DEADLINE_MS);
}, 3_600_000);

it('runs each event once whose copies overlap', async () => {
	const figures = await prove('Overlapping copies', (index) => ({
		copies: oneToFour(index),
		overlapping: true,
	}));
	expect(figures.lost).toBe(0);
	expect(figures.twice).toBeLessThanOrEqual(EVENTS * 0.005);
	expect(figures.slowestMs).toBeLessThan(ANSWER_DEADLINE_MS);
}, 3_600_000);

it('knows events again after the webhook processes have been restarted', async () => {
	const start = Date.now();
	const sent = await scene.send(EVENTS, () => ({}));
	await scene.drained();
	await Promise.all(scene.cluster.webhooks.map(async (webhook) => await webhook.restart()));
	const repeated = await scene.repeat(sent.filter((_, index) => index % 5 === 0));
	const figures = await measure('Repeated after a restart', start, [...sent, ...repeated]);
	expect(figures).toMatchObject({ lost: 0, twice: 0 });
	expect(figures.slowestMs).toBeLessThan(ANSWER_DEADLINE_MS);
}, 3_600_000);

void sleep;
