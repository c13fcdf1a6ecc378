import { setTimeout as sleep } from 'node:timers/promises';
import type { EmitOptions } from '../../playground/api/server.mts';
import { eventually } from '../../playground/eventually.mts';
import { during, EVENTS, measure, sceneOfFile } from './measure.mts';
import type { Pace, SentEvent } from './scene.mts';

/** Each packet, in each direction. */
const SLOW_MS: [number, number] = [20, 200];
const BREAKS_AFTER_MS = [10_000, 20_000] as const;
/** While the database is slow: more of them than it can take only make their senders give up. */
const EVENTS_AT_A_TIME = Number(process.env.QUEUE_EVENTS_AT_A_TIME ?? 5);
/** For how long PostgreSQL is away, in each of its restarts. */
const OUTAGES = (process.env.QUEUE_OUTAGE_SECONDS ?? '16').split(',').map(Number);
/** When the database is back, and its executions were lost. */
const COPY_LATER_MS = 30_000;
const MOST_RESTARTS = 5;
const WORKERS_AWAY_MS = Number(process.env.QUEUE_WORKERS_AWAY_SECONDS ?? 15) * 1000;

const scene = sceneOfFile();

const between = (least: number, most: number) => least + Math.random() * (most - least);

/** One to three, 0 to 5 s apart, whether the one before has been answered or not. */
function copiesApart(index: number) {
	const copies = 1 + (index % 3);
	return { copies, overlapping: true, pauseMs: between(0, 5000) / Math.max(1, copies - 1) };
}

const once = () => ({});
const threeAtOnce = () => ({ copies: 3, overlapping: true });

type Conditions = (sending: Promise<SentEvent[]>) => Promise<SentEvent[]>;

async function measureUnder(
	conditions: Conditions,
	proof: string,
	copies: (index: number) => EmitOptions = copiesApart,
	pace: Pace = { eventsAtATime: 10 },
) {
	return await measure(scene(), proof, async (events) => {
		const sent = await conditions(scene().send(events, copies, pace));
		await scene().findOrphans();
		return sent;
	});
}

/** So slow that n8n may still be storing an event when its sender has lost patience, and then fail to. */
const badDatabase: Conditions = async (sending) => {
	const { link } = scene().cluster;
	link.delayMs = SLOW_MS;
	try {
		return await during(sending, async () => {
			await sleep(between(...BREAKS_AFTER_MS));
			await link.cut();
		});
	} finally {
		link.delayMs = [0, 0];
	}
};

const heldUp: Conditions = async (sending) => {
	const { webhooks, workers } = scene().cluster;
	const members = [...webhooks, ...workers];
	return await during(sending, async () => {
		await sleep(500);
		const member = members[Math.floor(Math.random() * members.length)];
		await member.holdUp(between(300, 5000));
	});
};

/** While most events are still to run, however fast this machine is. */
const underLoad =
	(fault: () => Promise<void>): Conditions =>
	async (sending) => {
		const { runs } = scene();
		const enough = runs.size + EVENTS / 10;
		await eventually('the first runs', () => runs.size >= enough);
		await fault();
		return await sending;
	};
const redisRestarts = underLoad(async () => await scene().cluster.redis.restart());
const postgresRestarts = underLoad(async () => await scene().cluster.postgres.restart());
const postgresIsAway = (seconds: number) =>
	underLoad(async () => await scene().cluster.postgres.restart(async () => sleep(seconds * 1000)));
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

describe.each([
	['when Redis restarts empty', 'Redis restarted empty', redisForgetsTheQueue],
	['when PostgreSQL restarts', 'PostgreSQL restarted', postgresRestarts],
])('%s', (_situation, proof, conditions) => {
	it('is lost only what n8n lists as failed', async () => {
		const figures = await measureUnder(conditions, proof, once);
		expect(figures).toMatchObject({ nowhere: 0, twice: 0 });
	});
});

// docs/scaling.md: what a worker has accepted is lost with the database's connection, unless it comes again
it('when PostgreSQL restarts, a copy that comes later runs in place of an execution that n8n lost', async () => {
	const proof = 'PostgreSQL restarted, a copy later';
	const later = () => ({ copies: 2, overlapping: true, pauseMs: COPY_LATER_MS });
	let failed = 0;
	// A quick machine may have run all events before the restart, and then nothing is shown.
	for (let tries = 0; failed === 0 && tries < MOST_RESTARTS; tries++) {
		const figures = await measureUnder(postgresRestarts, proof, later, {});
		expect(figures).toMatchObject({ lost: 0, twice: 0 });
		failed = figures.listedAsFailed;
	}
	expect(failed).toBeGreaterThan(0);
});

// docs/scaling.md: restarts of PostgreSQL
it.each(OUTAGES)(
	'when PostgreSQL is away for %d s, of three deliveries at once at most one runs',
	async (seconds) => {
		const proof = `PostgreSQL away for ${seconds} s, three at once`;
		const figures = await measureUnder(postgresIsAway(seconds), proof, threeAtOnce);
		expect(figures).toMatchObject({ nowhere: 0, twice: 0 });
	},
);

// docs/scaling.md: faults
// Last, because some processes do not find back to their database, and those that are restarted list what is queued as
// crashed. When n8n's own look at the credentials of a workflow fails, it lists an execution as failed and answers 200
// all the same.
it('while the database is slow for webhook processes and breaks connections, only what runs, or what n8n lists as failed, is acknowledged', async () => {
	const pace = { eventsAtATime: EVENTS_AT_A_TIME };
	const figures = await measureUnder(badDatabase, 'Bad database', copiesApart, pace);
	expect(figures).toMatchObject({ nowhere: 0, twice: 0 });
	// Otherwise nothing would be shown.
	expect(figures.givenUp).toBeLessThan(figures.events);
});
