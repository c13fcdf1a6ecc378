import { randomUUID } from 'node:crypto';
import { startLocalApi, type EmitOptions, type Emitted } from '../../playground/api/server.ts';
import { startCluster } from '../../playground/cluster/cluster.ts';
import { saveAccount } from '../../playground/demo/account.ts';
import { publish } from '../../playground/demo/publish.ts';
import { eventually } from '../../playground/eventually.ts';
import { installN8n } from '../../playground/n8n/install.ts';
import type { Execution } from '../../playground/n8n/rest/executions.ts';
import { packPackage } from '../../playground/n8n/tarball.ts';
import { countingWorkflow } from '../support/countingWorkflow.ts';
import { startRunCounter } from '../support/runCounter.ts';

export const CONCURRENCY = 5;
export const DELIVERIES_AT_A_TIME = 10;
const SECRET = 'queue-secret';
const DRAIN_DEADLINE_MS = 600_000;
/** Longer than n8n takes to notice a dead worker, as set below. */
const REST_MS = 25_000;

const ENVIRONMENT = {
	// What has succeeded is of no use here and takes room.
	EXECUTIONS_DATA_SAVE_ON_SUCCESS: 'none',
	// A dead worker is noticed after 20 s instead of 90 s.
	QUEUE_WORKER_LOCK_DURATION: '15000',
	QUEUE_WORKER_LOCK_RENEW_TIME: '3000',
	QUEUE_WORKER_STALLED_INTERVAL: '5000',
};

export interface PlannedEvent {
	/** Its message. */
	id: string;
	status: 'delivered' | 'read';
}

export type SentEvent = PlannedEvent & Emitted;

export function plan(count: number): PlannedEvent[] {
	return Array.from({ length: count }, (_, index) => ({
		id: randomUUID(),
		status: index % 2 ? 'delivered' : 'read',
	}));
}

/** A cluster with one published workflow that counts its runs, and the API that sends events to it. */
export async function startScene() {
	await installN8n();
	const cluster = await startCluster({
		tarball: await packPackage(),
		webhookProcesses: 2,
		workers: 2,
		concurrency: CONCURRENCY,
		env: ENVIRONMENT,
	});
	const counter = await startRunCounter();
	const credential = await saveAccount(cluster, 'Queue mode', { webhookSecret: SECRET });
	const { saved, address } = await publish(cluster, countingWorkflow(counter.url, credential));
	const api = await startLocalApi({
		webhookConcurrency: DELIVERIES_AT_A_TIME,
		webhookHeaders: { 'x-webhook-token': SECRET },
		recordCalls: false,
	});
	api.webhookUrls = [address];

	const count = async (...status: Array<Execution['status']>) =>
		await cluster.client.executions.countOf(saved.id, status);

	return {
		cluster,
		runs: counter.runs,

		/** Resolves when every copy has been accepted or given up. */
		async send(events: PlannedEvent[], options: (index: number) => EmitOptions) {
			const emitted = events.map(async (event, index): Promise<SentEvent> => {
				const data = { message_id: event.id, status: event.status };
				return { ...event, ...(await api.emit(`message.${event.status}`, data, options(index))) };
			});
			return await Promise.all(emitted);
		},

		/** Waits until no execution is queued or running. */
		async drained(): Promise<void> {
			const isDrained = async () => ((await count('new', 'running')) === 0 ? true : undefined);
			await eventually('the end of all executions', isDrained, DRAIN_DEADLINE_MS);
		},

		/**
		 * Some executions lose the processes that know of them: those that a worker was running, and those
		 * that a webhook process had stored, but not queued or answered. n8n looks for them when it starts,
		 * and every 3 hours.
		 */
		async findOrphans(): Promise<void> {
			let unfinished = -1;
			let changedAt = 0;
			const isAtRest = async () => {
				const now = await count('new', 'running');
				if (now !== unfinished) changedAt = Date.now();
				unfinished = now;
				return Date.now() - changedAt > REST_MS ? true : undefined;
			};
			await eventually('a queue at rest', isAtRest, DRAIN_DEADLINE_MS);
			await cluster.main.restart();
		},

		failedExecutions: async () => await count('error', 'crashed'),

		async stop(): Promise<void> {
			await api.close();
			await cluster.stop();
			await counter.close();
		},
	};
}

export type Scene = Awaited<ReturnType<typeof startScene>>;
