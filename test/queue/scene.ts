import { randomUUID } from 'node:crypto';
import { startLocalApi, type EmitOptions, type Emitted } from '../../playground/api/server.ts';
import { startCluster, type Cluster } from '../../playground/cluster/cluster.ts';
import { webhookUrl } from '../../playground/demo/workflows.ts';
import { eventually } from '../../playground/eventually.ts';
import { installN8n } from '../../playground/n8n/install.ts';
import { packPackage } from '../../playground/n8n/tarball.ts';
import { countingWorkflow } from '../support/countingWorkflow.ts';
import { startRunCounter } from '../support/runCounter.ts';

const SECRET = 'queue-secret';
const DELIVERIES_AT_A_TIME = 10;
const DRAIN_DEADLINE_MS = 1_800_000;

export interface SentEvent extends Emitted {
	/** Its message. */
	id: string;
	/** Whether the sender got a 2xx for it. */
	answered: boolean;
}

/** A cluster with one published workflow that counts its runs, and the API that sends events to it. */
export async function startScene() {
	await installN8n();
	const cluster = await startCluster({
		tarball: await packPackage(),
		webhookProcesses: 2,
		workers: 2,
		concurrency: 5,
		// What has succeeded is of no use here, and 5,000 executions take room.
		env: { EXECUTIONS_DATA_SAVE_ON_SUCCESS: 'none' },
	});
	const counter = await startRunCounter();
	const api = await startLocalApi({
		webhookConcurrency: DELIVERIES_AT_A_TIME,
		webhookHeaders: { 'x-webhook-token': SECRET },
		recordCalls: false,
	});
	const { id: workflowId } = await publish(cluster, counter.url, api);

	async function emit(id: string, index: number, options: EmitOptions): Promise<SentEvent> {
		const [event, status] =
			index % 2 ? ['message.delivered', 'delivered'] : ['message.read', 'read'];
		const emitted = await api.emit(event, { message_id: id, status }, options);
		return { ...emitted, id, answered: emitted.deliveries.some(isAnswered) };
	}

	return {
		cluster,
		workflowId,
		runs: counter.runs,

		/** Resolves when every copy has been accepted or given up. */
		async send(count: number, optionsOf: (index: number) => EmitOptions): Promise<SentEvent[]> {
			const indexes = Array.from({ length: count }, (_, index) => index);
			return await Promise.all(
				indexes.map(async (index) => await emit(randomUUID(), index, optionsOf(index))),
			);
		},

		async repeat(events: SentEvent[]): Promise<SentEvent[]> {
			return await Promise.all(
				events.map(async ({ id, event }) => await emit(id, event === 'message.read' ? 0 : 1, {})),
			);
		},

		/** Waits until no execution is queued or running. */
		async drained(): Promise<void> {
			const filter = encodeURIComponent(JSON.stringify({ workflowId, status: ['new', 'running'] }));
			await eventually(
				'the end of all executions',
				async () => {
					const { results } = await cluster.client.session.call<{ results: unknown[] }>(
						'GET',
						`/executions?filter=${filter}&limit=1`,
					);
					return results.length === 0 ? true : undefined;
				},
				DRAIN_DEADLINE_MS,
			);
		},

		async stop(): Promise<void> {
			await api.close();
			await cluster.stop();
			await counter.close();
		},
	};
}

export type Scene = Awaited<ReturnType<typeof startScene>>;

function isAnswered({ status }: { status: number | null }) {
	return status !== null && status < 300;
}

async function publish(
	{ client, url }: Cluster,
	counterUrl: string,
	api: { webhookUrls: string[] },
) {
	const credential = await client.credentials.save({
		name: 'Queue mode',
		type: 'businessMessagingApi',
		data: { baseUrl: 'http://localhost', apiKey: 'not-used', webhookSecret: SECRET },
	});
	const workflow = countingWorkflow(counterUrl, credential);
	const saved = await client.workflows.save(workflow);
	await client.workflows.publish(saved);
	const address = webhookUrl(url, workflow);
	await client.workflows.waitForWebhook(address);
	api.webhookUrls = [address];
	return saved;
}
