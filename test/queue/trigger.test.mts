import { setTimeout as sleep } from 'node:timers/promises';
import { isAccepted } from '../../playground/api/deliveryAttempt.mts';
import type { EmitOptions } from '../../playground/api/server.mts';
import { eventually } from '../../playground/eventually.mts';
import {
	CONCURRENCY,
	plan,
	startScene,
	type Pace,
	type PlannedEvent,
	type Scene,
	type SentEvent,
} from './scene.mts';

/** Of each test. */
const EVENTS = Number(process.env.QUEUE_EVENTS ?? 20);

/** All tests share one cluster, whose start costs more than most of them. */
let scene: Scene;

beforeAll(async () => {
	scene = await startScene();
});

afterAll(async () => {
	await scene?.stop();
});

const between = (least: number, most: number) => least + Math.random() * (most - least);

const once = () => ({});
const oneToFour = (index: number) => 1 + (index % 4);
const separateCopies = (index: number) => ({ copies: oneToFour(index), pauseMs: 2000 });
const overlappingCopies = (index: number) => ({ copies: oneToFour(index), overlapping: true });
const threeAtOnce = () => ({ copies: 3, overlapping: true });
/** One to three, 0 to 5 s apart, whether the one before has been answered or not. */
function copiesApart(index: number): EmitOptions {
	const copies = 1 + (index % 3);
	return { copies, overlapping: true, pauseMs: between(0, 5000) / Math.max(1, copies - 1) };
}

/** Sends new events, waits for the end of all executions, and prints how the trigger fared. */
async function measure(load: (events: PlannedEvent[]) => Promise<SentEvent[]>) {
	const failedBefore = await scene.countFailed();
	const sent = await load(plan(EVENTS));
	await scene.drained();
	const figures = {
		...(await figuresOf(sent, scene)),
		/** Executions that n8n itself lists as failed or crashed. */
		listedAsFailed: (await scene.countFailed()) - failedBefore,
	};
	// Straight to the terminal: jest would wrap a console line in where it came from.
	process.stdout.write(`${expect.getState().currentTestName}: ${JSON.stringify(figures)}\n`);
	return figures;
}

/** How the trigger fared with a load that is over. */
async function figuresOf(sent: SentEvent[], { runs, failedOf }: Scene) {
	const ids = [...new Set(sent.map(({ id }) => id))];
	const isAnswered = (id: string) =>
		sent.some((event) => event.id === id && event.deliveries.some(isAccepted));
	const lost = ids.filter((id) => isAnswered(id) && !runs.has(id));
	const failed = await failedOf(lost);
	return {
		events: ids.length,
		/** Answered with a 2xx, but the workflow never ran. */
		lost: lost.length,
		/** Of these, what is in no execution that n8n lists as failed or crashed. */
		nowhere: lost.filter((id) => !failed.has(id)).length,
		/** The workflow ran more than once. */
		twice: ids.filter((id) => (runs.get(id) ?? 0) > 1).length,
		/** No delivery was answered with a 2xx. */
		givenUp: ids.filter((id) => !isAnswered(id)).length,
	};
}

/** What happens while events are sent. */
type Conditions = (sending: Promise<SentEvent[]>) => Promise<SentEvent[]>;

async function measureUnder(
	conditions: Conditions,
	copies: (index: number) => EmitOptions = copiesApart,
	pace: Pace = { eventsAtATime: 10 },
) {
	return await measure(async (events) => {
		const sent = await conditions(scene.send(events, copies, pace));
		await scene.findOrphans();
		return sent;
	});
}

const nothing: Conditions = async (sending) => await sending;

/** Something goes wrong while most events are still to run, however fast this machine is. */
function underLoad(fault: () => Promise<unknown>): Conditions {
	return async (sending) => {
		const { runs } = scene;
		const enough = runs.size + EVENTS / 10;
		await eventually('the first runs', () => runs.size >= enough);
		await fault();
		return await sending;
	};
}

/** Does something again and again while events are sent. */
function during(disturb: () => Promise<void>): Conditions {
	return async (sending) => {
		let isDone = false;
		const watched = sending.finally(() => (isDone = true));
		watched.catch(() => undefined);
		while (!isDone) await disturb();
		return await watched;
	};
}

describe('copies', () => {
	const DELIVERIES_AT_A_TIME = 10;
	const PACE = { deliveriesAtATime: DELIVERIES_AT_A_TIME };
	const MAX_TWICE_WHEN_OVERLAPPING = EVENTS * 0.005;

	// docs/scaling.md: repeated events, measured
	it('that come one after the other: each event runs once', async () => {
		const figures = await measureUnder(nothing, separateCopies, PACE);
		expect(figures).toMatchObject({ lost: 0, twice: 0 });
	});

	it('that overlap: no event is lost, and at most 0.5 % run twice', async () => {
		const figures = await measureUnder(nothing, overlappingCopies, PACE);
		expect(figures.lost).toBe(0);
		expect(figures.twice).toBeLessThanOrEqual(MAX_TWICE_WHEN_OVERLAPPING);
	});

	it('that come after the webhook processes have been restarted: each event runs once', async () => {
		const figures = await measure(async (events) => {
			const sent = await scene.send(events, once, PACE);
			await Promise.all(scene.cluster.webhooks.map(async (webhook) => await webhook.restart()));
			const everyFifth = events.filter((_, index) => index % 5 === 0);
			return [...sent, ...(await scene.send(everyFifth, once, PACE))];
		});
		expect(figures).toMatchObject({ lost: 0, twice: 0 });
	});

	// docs/scaling.md: with a webhook process and a worker killed
	// n8n 2.x does not repeat what a worker had taken when it died; it lists it as failed or crashed, and
	// so it lists what a webhook process had stored and not queued, which the sender repeats.
	it('while processes are killed: nothing else is lost, and nothing runs twice', async () => {
		const { webhooks, workers } = scene.cluster;
		const killed = underLoad(async () => {
			await Promise.all([webhooks[0].kill(), workers[0].kill()]);
			await Promise.all([webhooks[0].restart(), workers[0].restart()]);
		});
		const figures = await measureUnder(killed, separateCopies, PACE);
		expect(figures).toMatchObject({ nowhere: 0, twice: 0 });
		expect(figures.lost).toBeLessThanOrEqual(CONCURRENCY);
		expect(figures.listedAsFailed).toBeLessThanOrEqual(CONCURRENCY + DELIVERIES_AT_A_TIME);
	});
});

describe('faults of processes', () => {
	const WORKERS_AWAY_MS = Number(process.env.QUEUE_WORKERS_AWAY_SECONDS ?? 15) * 1000;

	const heldUp = during(async () => {
		const { webhooks, workers } = scene.cluster;
		const members = [...webhooks, ...workers];
		await sleep(500);
		const member = members[Math.floor(Math.random() * members.length)];
		// With what a busy machine adds, for less than n8n takes to notice a dead worker.
		await member.holdUp(between(300, 3500));
	});
	const redisRestarts = underLoad(async () => await scene.cluster.redis.restart());
	const redisForgetsTheQueue = underLoad(async () => {
		await withoutWorkers(async () => {
			await sleep(5000);
			await scene.cluster.redis.restartEmpty();
		});
	});

	async function withoutWorkers<T>(meanwhile: () => Promise<T>): Promise<T> {
		const { workers } = scene.cluster;
		await Promise.all(workers.map(async (worker) => await worker.stop()));
		const result = await meanwhile();
		await Promise.all(workers.map(async (worker) => await worker.restart()));
		return result;
	}

	it.each([
		['while processes are held up', heldUp, copiesApart],
		['when Redis restarts', redisRestarts, copiesApart],
		// docs/scaling.md: a row that the database lets only one process create
		['while processes are held up, of three deliveries at once', heldUp, threeAtOnce],
	])('%s: nothing is lost, and nothing runs twice', async (_, conditions, copies) => {
		const figures = await measureUnder(conditions, copies);
		expect(figures).toMatchObject({ lost: 0, twice: 0 });
	});

	// Not under load: what a worker has taken and not begun when it is told to stop, n8n lists as failed (N8N.md: worker-stop).
	it('while all workers are away: nothing is lost, and nothing runs twice', async () => {
		const figures = await measure(
			async (events) =>
				await withoutWorkers(async () => {
					const sending = scene.send(events, copiesApart, { eventsAtATime: 10 });
					await Promise.all([sending, sleep(WORKERS_AWAY_MS)]);
					return await sending;
				}),
		);
		expect(figures).toMatchObject({ lost: 0, twice: 0 });
	});

	it('when Redis restarts empty: only what n8n lists as failed is lost', async () => {
		const figures = await measureUnder(redisForgetsTheQueue, once);
		expect(figures).toMatchObject({ nowhere: 0, twice: 0 });
	});
});

describe('faults of the database', () => {
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

	const postgresIsAway = (seconds: number) =>
		underLoad(
			async () => await scene.cluster.postgres.restart(async () => await sleep(seconds * 1000)),
		);
	const connectionsBreak = during(async () => {
		await sleep(between(...BREAKS_AFTER_MS));
		await scene.cluster.link.cut();
	});

	/** So slow that n8n may still be storing an event when its sender has lost patience, and then fail to. */
	const badDatabase: Conditions = async (sending) => {
		const { link } = scene.cluster;
		link.delayMs = SLOW_MS;
		return await connectionsBreak(sending).finally(() => (link.delayMs = [0, 0]));
	};

	// docs/scaling.md: what a worker has accepted is lost with the database's connection, unless it comes again
	it('when PostgreSQL restarts: a copy that comes later runs in place of an execution that n8n lost', async () => {
		const later = () => ({ copies: 2, overlapping: true, pauseMs: COPY_LATER_MS });
		let failed = 0;
		// A quick machine may have run all events before the restart, and then nothing is shown.
		for (let tries = 0; failed === 0 && tries < MOST_RESTARTS; tries++) {
			const figures = await measureUnder(postgresIsAway(0), later, {});
			expect(figures).toMatchObject({ lost: 0, twice: 0 });
			failed = figures.listedAsFailed;
		}
		expect(failed).toBeGreaterThan(0);
	});

	// docs/scaling.md: restarts of PostgreSQL
	it.each(OUTAGES)(
		'when PostgreSQL is away for %d s: of three deliveries at once at most one runs',
		async (seconds) => {
			const figures = await measureUnder(postgresIsAway(seconds), threeAtOnce);
			expect(figures).toMatchObject({ nowhere: 0, twice: 0 });
		},
	);

	// docs/scaling.md: faults
	// Last, because some processes do not find back to their database, and those that are restarted list what is queued as
	// crashed. When n8n's own look at the credentials of a workflow fails, it lists an execution as failed and answers 200
	// all the same.
	it('while it is slow for webhook processes and breaks connections: only what runs, or what n8n lists as failed, is acknowledged', async () => {
		const pace = { eventsAtATime: EVENTS_AT_A_TIME };
		const figures = await measureUnder(badDatabase, copiesApart, pace);
		expect(figures).toMatchObject({ nowhere: 0, twice: 0 });
		// Otherwise nothing would be shown.
		expect(figures.givenUp).toBeLessThan(figures.events);
	});
});
