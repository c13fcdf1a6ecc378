import { setTimeout as sleep } from 'node:timers/promises';
import { between, type Conditions, faultyScene, once, threeAtOnce } from './faultyScene.mts';
import { during } from './measure.mts';

const WORKERS_AWAY_MS = Number(process.env.QUEUE_WORKERS_AWAY_SECONDS ?? 15) * 1000;

const { scene, measureUnder, underLoad } = faultyScene();

const heldUp: Conditions = async (sending) => {
	const { webhooks, workers } = scene().cluster;
	const members = [...webhooks, ...workers];
	return await during(sending, async () => {
		await sleep(500);
		const member = members[Math.floor(Math.random() * members.length)];
		await member.holdUp(between(300, 5000));
	});
};

const redisRestarts = underLoad(async () => await scene().cluster.redis.restart());
const noWorkers = underLoad(async () => await withoutWorkers(WORKERS_AWAY_MS));
const redisForgetsTheQueue = underLoad(async () => {
	await withoutWorkers(5000, async () => await scene().cluster.redis.restartEmpty());
});

async function withoutWorkers(forMs: number, atItsEnd?: () => Promise<void>) {
	const { workers } = scene().cluster;
	await Promise.all(workers.map(async (worker) => await worker.stop()));
	await sleep(forMs);
	await atItsEnd?.();
	await Promise.all(workers.map(async (worker) => await worker.restart()));
}

describe.each([
	['while processes are held up', 'Processes held up', heldUp],
	['while all workers are away', 'No workers', noWorkers],
	['when Redis restarts', 'Redis restarted', redisRestarts],
])('%s', (_situation, proof, conditions) => {
	it('nothing that was acknowledged is lost, and the trigger runs nothing twice', async () => {
		const figures = await measureUnder(conditions, proof);
		expect(figures).toMatchObject({ lost: 0, twice: 0 });
	});
});

// docs/scaling.md: a row that the database lets only one process create
it('while processes are held up, of three deliveries at once one runs', async () => {
	const figures = await measureUnder(heldUp, 'Three at once', threeAtOnce);
	expect(figures).toMatchObject({ lost: 0, twice: 0 });
});

it('when Redis restarts empty, is lost only what n8n lists as failed', async () => {
	const figures = await measureUnder(redisForgetsTheQueue, 'Redis restarted empty', once);
	expect(figures).toMatchObject({ nowhere: 0, twice: 0 });
});
