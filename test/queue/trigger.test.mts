import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { isAccepted } from '../../playground/api/deliveryAttempt.mts';
import {
	startLocalApi,
	type EmitOptions,
	type Emitted,
	type LocalApi,
} from '../../playground/api/server.mts';
import { createSlots } from '../../playground/api/slots.mts';
import { atRest } from '../../playground/atRest.mts';
import { startCluster, type Cluster } from '../../playground/cluster/cluster.mts';
import { runSql } from '../../playground/cluster/postgres.mts';
import { eventually } from '../../playground/eventually.mts';
import { saveAccount } from '../../playground/n8n/account.mts';
import { publish } from '../../playground/n8n/publish.mts';
import type { Execution } from '../../playground/n8n/rest/executions.mts';
import { packPackage } from '../../playground/n8n/tarball.mts';
import { countingWorkflow, type RunCounter, startRunCounter } from '../support/runCounter.mts';

/** Of each test. */
const EVENTS = Number(process.env.QUEUE_EVENTS ?? 20);
/** All copies and repetitions of an event are behind the sender before it begins another. */
const EVENTS_AT_A_TIME = 10;
const CONCURRENCY = 5;
const SECRET = 'secret-of-queue-mode';
const DRAIN_DEADLINE_MS = 600_000;
/** Longer than n8n takes to notice a dead worker, as set below. */
const REST_MS = 25_000;

const ENVIRONMENT = {
	// What has succeeded is of no use here and takes room.
	EXECUTIONS_DATA_SAVE_ON_SUCCESS: 'none',
	// With n8n's 2 a process, a database as slow as in some proofs takes an event in 2 s.
	DB_POSTGRESDB_POOL_SIZE: '6',
	// A dead worker is noticed after 7 to 22 s instead of 30 to 120 s. Between two looks for dead workers a worker that is
	// held up must come back: it may have taken an execution and not have its lock yet, and n8n fails what has none.
	QUEUE_WORKER_LOCK_DURATION: '8000',
	QUEUE_WORKER_LOCK_RENEW_TIME: '2000',
	QUEUE_WORKER_STALLED_INTERVAL: '7000',
};

// n8n overwrites what an execution began with when it fails before its first node.
const KEEP_WHAT_IS_STORED = `
	CREATE TABLE IF NOT EXISTS kept_beginning (execution integer, data text);
	CREATE OR REPLACE FUNCTION keep_beginning() RETURNS trigger LANGUAGE plpgsql AS $$
		BEGIN
			INSERT INTO kept_beginning VALUES (NEW."executionId", NEW.data);
			RETURN NULL;
		END $$;
	CREATE OR REPLACE TRIGGER keep_beginning AFTER INSERT ON execution_data
		FOR EACH ROW EXECUTE FUNCTION keep_beginning();`;

/** All tests share one cluster, whose start costs more than most of them. Its trigger's workflow counts its runs. */
let cluster: Cluster;
let counter: RunCounter;
let api: LocalApi;
let workflowId: string;

beforeAll(async () => {
	cluster = await startCluster({
		tarball: await packPackage(),
		webhookProcesses: 2,
		workers: 2,
		concurrency: CONCURRENCY,
		isLinked: true,
		env: ENVIRONMENT,
	});
	await runSql(cluster.postgres.url, KEEP_WHAT_IS_STORED);
	counter = await startRunCounter();
	api = await startLocalApi({
		webhookConcurrency: Infinity,
		webhookHeaders: { 'x-webhook-token': SECRET },
		recordCalls: false,
	});
	const account = await saveAccount(cluster, 'Queue mode', { webhookSecret: SECRET });
	const { saved, address } = await publish(cluster, countingWorkflow(counter.url, account));
	workflowId = saved.id;
	api.webhookUrls = [address];
});

afterAll(async () => {
	await api?.close();
	await cluster?.stop();
	await counter?.close();
});

/** By the ID of its message. */
type SentEvent = Emitted & { id: string };
type Copies = (index: number) => EmitOptions;

const between = (least: number, most: number) => least + Math.random() * (most - least);

const once = () => ({});
const separateCopies = (index: number) => ({ copies: 1 + (index % 4), pauseMs: 2000 });
const threeAtOnce = () => ({ copies: 3, overlapping: true });
/** One to three, 0 to 5 s apart, whether the one before has been answered or not. */
function copiesApart(index: number): EmitOptions {
	const copies = 1 + (index % 3);
	return { copies, overlapping: true, pauseMs: between(0, 5000) / Math.max(1, copies - 1) };
}

/** Resolves when every copy has been accepted or given up. */
async function send(ids: string[], copies: Copies, eventsAtATime = EVENTS_AT_A_TIME) {
	const inSlot = createSlots(() => eventsAtATime);
	const emitted = ids.map(async (id, index): Promise<SentEvent> => {
		const status = index % 2 ? 'delivered' : 'read';
		const data = { message_id: id, status };
		const emit = async () => await api.emit(`message.${status}`, data, copies(index));
		return { id, ...(await inSlot(emit)) };
	});
	return await Promise.all(emitted);
}

async function countOf(...status: Array<Execution['status']>) {
	return await cluster.client.executions.countOf(workflowId, status);
}
/** Undefined while n8n has no database. */
const countUnfinished = async () => await countOf('new', 'running').catch(() => undefined);

/**
 * Some executions lose the processes that know of them: those that a worker was running, and those that a webhook
 * process had stored, but not queued or answered. n8n looks for them when it starts, and every 3 hours.
 */
async function findOrphans(): Promise<void> {
	const { left } = await atRest('a queue at rest', countUnfinished, REST_MS, DRAIN_DEADLINE_MS);
	if (left) await cluster.main.restart();
}

/** Sends new events, waits for the end of all executions, and prints how the trigger fared. */
async function measure(load: (ids: string[]) => Promise<SentEvent[]>) {
	const failedBefore = await countOf('error', 'crashed');
	const sent = await load(Array.from({ length: EVENTS }, () => randomUUID()));
	const isDrained = async () => (await countUnfinished()) === 0;
	await eventually('the end of all executions', isDrained, DRAIN_DEADLINE_MS);
	const figures = {
		...(await figuresOf(sent)),
		/** Executions that n8n itself lists as failed or crashed. */
		listedAsFailed: (await countOf('error', 'crashed')) - failedBefore,
	};
	// Straight to the terminal: jest would wrap a console line in where it came from.
	process.stdout.write(`${expect.getState().currentTestName}: ${JSON.stringify(figures)}\n`);
	return figures;
}

/** How the trigger fared with a load that is over. */
async function figuresOf(sent: SentEvent[]) {
	const { runs } = counter;
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
		nowhere: lost.filter((id) => !failed.includes(id)).length,
		/** The workflow ran more than once. */
		twice: ids.filter((id) => (runs.get(id) ?? 0) > 1).length,
		/** No delivery was answered with a 2xx. */
		givenUp: ids.filter((id) => !isAnswered(id)).length,
	};
}

/** Which of these n8n stored in an execution that it lists as failed or crashed. */
async function failedOf(ids: string[]): Promise<string[]> {
	const list = ids.map((id) => `'${id}'`).join(', ');
	return await runSql(
		cluster.postgres.url,
		`SELECT DISTINCT message FROM unnest(ARRAY[${list}]::text[]) AS message
			JOIN kept_beginning ON strpos(data, message) > 0
			JOIN execution_entity ON id = execution
			WHERE "workflowId" = '${workflowId}' AND "deletedAt" IS NULL
				AND status IN ('error', 'crashed')`,
	);
}

/** What happens while events are sent. */
type Conditions = (sending: Promise<SentEvent[]>) => Promise<SentEvent[]>;

async function measureUnder(conditions: Conditions, copies: Copies, eventsAtATime?: number) {
	return await measure(async (ids) => {
		const sent = await conditions(send(ids, copies, eventsAtATime));
		await findOrphans();
		return sent;
	});
}

/** Something goes wrong while most events are still to run, however fast this machine is. */
function underLoad(fault: () => Promise<unknown>): Conditions {
	return async (sending) => {
		const { runs } = counter;
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
	// docs/scaling.md: repeated events, measured
	it('that come one after the other, or after the webhook processes have been restarted: each event runs once', async () => {
		const figures = await measure(async (ids) => {
			const sent = await send(ids, separateCopies);
			await Promise.all(cluster.webhooks.map(async (webhook) => await webhook.restart()));
			const everyFifth = ids.filter((_, index) => index % 5 === 0);
			return [...sent, ...(await send(everyFifth, once))];
		});
		expect(figures).toMatchObject({ lost: 0, twice: 0 });
	});

	// docs/scaling.md: with a webhook process and a worker killed
	// n8n 2.x does not repeat what a worker had taken when it died; it lists it as failed or crashed, and
	// so it lists what a webhook process had stored and not queued, which the sender repeats.
	it('while processes are killed: nothing else is lost, and nothing runs twice', async () => {
		const { webhooks, workers } = cluster;
		const killed = underLoad(async () => {
			await Promise.all([webhooks[0].kill(), workers[0].kill()]);
			await Promise.all([webhooks[0].restart(), workers[0].restart()]);
		});
		const figures = await measureUnder(killed, separateCopies);
		expect(figures).toMatchObject({ nowhere: 0, twice: 0 });
		expect(figures.lost).toBeLessThanOrEqual(CONCURRENCY);
		expect(figures.listedAsFailed).toBeLessThanOrEqual(CONCURRENCY + EVENTS_AT_A_TIME);
	});
});

describe('faults of processes', () => {
	const WORKERS_AWAY_MS = Number(process.env.QUEUE_WORKERS_AWAY_SECONDS ?? 15) * 1000;

	const heldUp = during(async () => {
		const members = [...cluster.webhooks, ...cluster.workers];
		await sleep(500);
		const member = members[Math.floor(Math.random() * members.length)];
		// With what a busy machine adds, for less than n8n takes to notice a dead worker.
		await member.holdUp(between(300, 3500));
	});
	const redisRestarts = underLoad(async () => await cluster.redis.restart());
	const redisForgetsTheQueue = underLoad(async () => {
		await withoutWorkers(async () => {
			await sleep(5000);
			await cluster.redis.restartEmpty();
		});
	});

	async function withoutWorkers<T>(meanwhile: () => Promise<T>): Promise<T> {
		const { workers } = cluster;
		await Promise.all(workers.map(async (worker) => await worker.stop()));
		const result = await meanwhile();
		await Promise.all(workers.map(async (worker) => await worker.restart()));
		return result;
	}

	it.each([
		// docs/scaling.md: a row that the database lets only one process create
		['while processes are held up, of three deliveries at once', heldUp, threeAtOnce],
		['when Redis restarts', redisRestarts, copiesApart],
	])('%s: nothing is lost, and nothing runs twice', async (_, conditions, copies) => {
		const figures = await measureUnder(conditions, copies);
		expect(figures).toMatchObject({ lost: 0, twice: 0 });
	});

	// Not under load: what a worker has taken and not begun when it is told to stop, n8n lists as failed (N8N.md: worker-stop).
	it('while all workers are away: nothing is lost, and nothing runs twice', async () => {
		const figures = await measure(
			async (ids) =>
				await withoutWorkers(async () => {
					const sending = send(ids, copiesApart);
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
	const FEW_AT_A_TIME = Number(process.env.QUEUE_EVENTS_AT_A_TIME ?? 5);
	/** For how long PostgreSQL is away, in each of its restarts. */
	const OUTAGES = (process.env.QUEUE_OUTAGE_SECONDS ?? '16').split(',').map(Number);
	/** When the database is back, and its executions were lost. */
	const COPY_LATER_MS = 30_000;
	const MOST_RESTARTS = 5;

	const postgresIsAway = (seconds: number) =>
		underLoad(async () => await cluster.postgres.restart(async () => await sleep(seconds * 1000)));
	const connectionsBreak = during(async () => {
		await sleep(between(...BREAKS_AFTER_MS));
		await cluster.link.cut();
	});

	/** So slow that n8n may still be storing an event when its sender has lost patience, and then fail to. */
	const badDatabase: Conditions = async (sending) => {
		const { link } = cluster;
		link.delayMs = SLOW_MS;
		return await connectionsBreak(sending).finally(() => (link.delayMs = [0, 0]));
	};

	// docs/scaling.md: what a worker has accepted is lost with the database's connection, unless it comes again
	it('when PostgreSQL restarts: a copy that comes later runs in place of an execution that n8n lost', async () => {
		const later = () => ({ copies: 2, overlapping: true, pauseMs: COPY_LATER_MS });
		let failed = 0;
		// A quick machine may have run all events before the restart, and then nothing is shown.
		for (let tries = 0; failed === 0 && tries < MOST_RESTARTS; tries++) {
			const figures = await measureUnder(postgresIsAway(0), later, Infinity);
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
		const figures = await measureUnder(badDatabase, copiesApart, FEW_AT_A_TIME);
		expect(figures).toMatchObject({ nowhere: 0, twice: 0 });
		// Otherwise nothing would be shown.
		expect(figures.givenUp).toBeLessThan(figures.events);
	});
});
