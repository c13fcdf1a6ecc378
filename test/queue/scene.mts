import { randomUUID } from 'node:crypto';
import { startLocalApi, type EmitOptions, type Emitted } from '../../playground/api/server.mts';
import { createSlots } from '../../playground/api/slots.mts';
import { atRest } from '../../playground/atRest.mts';
import { startCluster } from '../../playground/cluster/cluster.mts';
import { runSql } from '../../playground/cluster/postgres.mts';
import { eventually } from '../../playground/eventually.mts';
import { saveAccount } from '../../playground/n8n/account.mts';
import { publish } from '../../playground/n8n/publish.mts';
import type { Execution } from '../../playground/n8n/rest/executions.mts';
import { packPackage } from '../../playground/n8n/tarball.mts';
import { countingWorkflow, startRunCounter } from '../support/runCounter.mts';

export const CONCURRENCY = 5;
const SECRET = 'secret-of-queue-mode';
const TOKEN_HEADER = 'x-webhook-token';
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

const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`;

export interface PlannedEvent {
	/** Its message. */
	id: string;
	status: 'delivered' | 'read';
}

export type SentEvent = PlannedEvent & Emitted;

export interface Pace {
	/** All copies and repetitions of an event are behind the sender before it begins another. */
	eventsAtATime?: number;
	deliveriesAtATime?: number;
}

export function plan(count: number): PlannedEvent[] {
	return Array.from({ length: count }, (_, index) => ({
		id: randomUUID(),
		status: index % 2 ? 'delivered' : 'read',
	}));
}

/** A cluster with a trigger whose workflow counts its runs, and the API that sends events to it. */
export async function startScene() {
	const cluster = await startCluster({
		tarball: await packPackage(),
		webhookProcesses: 2,
		workers: 2,
		concurrency: CONCURRENCY,
		isLinked: true,
		env: ENVIRONMENT,
	});
	await runSql(cluster.postgres.url, KEEP_WHAT_IS_STORED);
	const counter = await startRunCounter();
	const api = await startLocalApi({
		webhookConcurrency: Infinity,
		webhookHeaders: { [TOKEN_HEADER]: SECRET },
		recordCalls: false,
	});

	const account = await saveAccount(cluster, 'Queue mode', { webhookSecret: SECRET });
	const { saved, address } = await publish(cluster, countingWorkflow(counter.url, account));
	api.webhookUrls = [address];
	const countOf = async (...status: Array<Execution['status']>) =>
		await cluster.client.executions.countOf(saved.id, status);
	/** Undefined while n8n has no database. */
	const countUnfinished = async () => await countOf('new', 'running').catch(() => undefined);

	return {
		cluster,
		/** How often the workflow ran, by message. */
		runs: counter.runs,
		/** How many executions n8n itself lists as failed or crashed. */
		countFailed: async () => await countOf('error', 'crashed'),
		/** Which of these messages n8n stored in an execution that it lists so. */
		async failedOf(messages: string[]): Promise<Set<string>> {
			const list = messages.map(quoted).join(', ');
			const rows = await runSql(
				cluster.postgres.url,
				`SELECT DISTINCT message FROM unnest(ARRAY[${list}]::text[]) AS message
					JOIN kept_beginning ON strpos(data, message) > 0
					JOIN execution_entity ON id = execution
					WHERE "workflowId" = ${quoted(saved.id)} AND "deletedAt" IS NULL
						AND status IN ('error', 'crashed')`,
			);
			return new Set(rows);
		},

		/** Resolves when every copy has been accepted or given up. */
		async send(
			events: PlannedEvent[],
			options: (index: number) => EmitOptions,
			{ eventsAtATime = Infinity, deliveriesAtATime = Infinity }: Pace,
		) {
			const inSlot = createSlots(() => eventsAtATime);
			api.settings.webhookConcurrency = deliveriesAtATime;
			const emit = async ({ id, status }: PlannedEvent, index: number) =>
				await api.emit(`message.${status}`, { message_id: id, status }, options(index));
			const emitted = events.map(async (event, index): Promise<SentEvent> => {
				return { ...event, ...(await inSlot(async () => await emit(event, index))) };
			});
			return await Promise.all(emitted);
		},

		/** Waits until no execution is queued or running. */
		async drained(): Promise<void> {
			const isDrained = async () => (await countUnfinished()) === 0;
			await eventually('the end of all executions', isDrained, DRAIN_DEADLINE_MS);
		},

		/**
		 * Some executions lose the processes that know of them: those that a worker was running, and those
		 * that a webhook process had stored, but not queued or answered. n8n looks for them when it starts,
		 * and every 3 hours.
		 */
		async findOrphans(): Promise<void> {
			const { left } = await atRest('a queue at rest', countUnfinished, REST_MS, DRAIN_DEADLINE_MS);
			if (left) await cluster.main.restart();
		},

		async stop(): Promise<void> {
			await api.close();
			await cluster.stop();
			await counter.close();
		},
	};
}

export type Scene = Awaited<ReturnType<typeof startScene>>;
