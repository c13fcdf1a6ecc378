import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { startLocalApi, type LocalApi } from '../../playground/api/server.ts';
import { startCluster, type Cluster } from '../../playground/cluster/cluster.ts';
import { eventually } from '../../playground/eventually.ts';
import type { Benchmark, Fact } from '../benchmark.ts';
import type { NodeSettings } from '../nodes.ts';
import { usageOf } from '../processUsage.ts';
import { businessMessagingTrigger, CHOSEN, webhookNode } from '../receivers.ts';
import { publishReceiver, type Target } from '../receiving.ts';
import { rounds } from '../rounds.ts';
import { saveCredentials, WEBHOOK_SECRET } from '../stage.ts';

const EVENTS = 1000;
const SECONDS = 30;
const FINISH_DEADLINE_MS = 600_000;
/** Not measured: each process loads the nodes with its first event. */
const WARM_UP_EVENTS = 20;

/** n8n's setting that the README recommends. */
const SETTING = 'N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE';

interface Sample {
	/** Events whose sender was never answered with a 2xx, in four tries. */
	givenUp: number;
	/** Of the webhook processes. */
	cpuSeconds: number;
	deliveries: number;
	/** Executions that n8n has begun and ended with success. */
	ran: number;
}

export const burst: Benchmark = {
	title: `${EVENTS} different events in ${SECONDS} s, at two webhook processes and three workers`,
	async run({ pairs, tarball, say }) {
		const facts: Fact[] = [];
		for (const lazy of ['false', 'true']) {
			say(`  ${SETTING}=${lazy}`);
			const samples = await inCluster(tarball, { [SETTING]: lazy }, async (receivers) =>
				rounds(pairs, receivers, say),
			);
			for (const [receiver, all] of Object.entries(samples)) {
				const what = (figure: string) => `${receiver}, ${SETTING}=${lazy}: ${figure}`;
				for (const { givenUp, cpuSeconds, deliveries, ran } of all) {
					facts.push(
						{ what: what('given up after four tries'), value: givenUp, unit: 'events' },
						{ what: what('deliveries'), value: deliveries, unit: '' },
						{ what: what('runs'), value: ran, unit: '' },
						{ what: what('CPU of the webhook processes'), value: cpuSeconds, unit: 's' },
					);
				}
			}
		}
		return { figures: [], facts };
	},
};

async function inCluster<T>(
	tarball: string,
	env: Record<string, string>,
	work: (receivers: Record<'Trigger' | 'Webhook', () => Promise<Sample>>) => Promise<T>,
): Promise<T> {
	const cluster = await startCluster({
		tarball,
		webhookProcesses: 2,
		workers: 3,
		concurrency: 10,
		env,
	});
	const api = await startLocalApi({
		webhookConcurrency: Infinity,
		webhookHeaders: { 'x-webhook-token': WEBHOOK_SECRET },
		recordCalls: false,
	});
	try {
		const credentials = await saveCredentials(cluster.client, api.url);
		const receive = async (name: string, node: NodeSettings) => {
			const target = await publishReceiver(cluster, name, { [name]: node });
			await send(api, cluster, target, WARM_UP_EVENTS);
			return async () => await send(api, cluster, target, EVENTS);
		};
		return await work({
			Trigger: await receive('Trigger', businessMessagingTrigger(credentials)),
			Webhook: await receive('Webhook', webhookNode(credentials)),
		});
	} finally {
		await api.close();
		await cluster.stop();
	}
}

async function send(
	api: LocalApi,
	{ client, webhooks }: Cluster,
	{ workflowId, url }: Target,
	count: number,
): Promise<Sample> {
	const cpuSeconds = () => webhooks.reduce((sum, { pid }) => sum + usageOf(pid).cpuSeconds, 0);
	const ran = async () => await client.executions.countOf(workflowId, ['success']);
	const before = { cpuSeconds: cpuSeconds(), ran: await ran() };
	api.webhookUrls = [url];
	const emitted = [];
	for (let event = 0; event < count; event++) {
		emitted.push(api.emit(CHOSEN, { from: '+15550000000', text: randomUUID() }));
		await sleep((SECONDS * 1000) / EVENTS);
	}
	const all = await Promise.all(emitted);
	await eventually(
		'the end of all executions',
		async () =>
			(await client.executions.countOf(workflowId, ['new', 'running'])) ? undefined : true,
		FINISH_DEADLINE_MS,
	);
	return {
		givenUp: all.filter(({ accepted }) => !accepted).length,
		deliveries: all.flatMap(({ deliveries }) => deliveries).length,
		cpuSeconds: cpuSeconds() - before.cpuSeconds,
		ran: (await ran()) - before.ran,
	};
}
