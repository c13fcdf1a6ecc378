import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { startLocalApi, type LocalApi } from '../../playground/api/server.mts';
import { atRest } from '../../playground/atRest.mts';
import { startCluster, type Cluster } from '../../playground/cluster/cluster.mts';
import type { NodeSettings } from '../../playground/n8n/chain.mts';
import { rounds, type Benchmark, type Fact } from '../benchmark.mts';
import { atMost, pairUp, type Figure } from '../figures.mts';
import { cpuSecondsOf } from '../processUsage.mts';
import { businessMessagingTrigger, CHOSEN, webhookNode } from '../receivers.mts';
import { publishReceiver, type Target } from '../receiving.mts';
import { LAZY_ACQUIRE, saveCredentials, WEBHOOK_SECRET } from '../stage.mts';

const EVENTS = 1000;
const SECONDS = 30;
const FINISH_DEADLINE_MS = 600_000;
/** What has not changed for so long are executions that n8n has stored and never queued. */
const REST_MS = 30_000;
/** Not measured: each process loads the nodes with its first event. */
const WARM_UP_EVENTS = 20;

interface Sample {
	/** Events whose sender was never answered with a 2xx, in four tries. */
	givenUp: number;
	deliveries: number;
	/** What takes longer than 5 s is given up (6.4). */
	slowestMs: number;
	/** Of the webhook processes. */
	cpuSeconds: number;
	/** From the first event until the end of the last execution. */
	finishedSeconds: number;
	/** Executions that n8n stored and never ran. */
	left: number;
}

/** Of the worst round. */
const FACTS: Array<[keyof Sample, what: string, unit: string]> = [
	['givenUp', 'given up after four tries', 'events'],
	['deliveries', 'deliveries', 'in all'],
	['slowestMs', 'slowest answer', 'ms'],
	['left', 'stored and never run', 'executions'],
	['cpuSeconds', 'CPU of the webhook processes', 's'],
	['finishedSeconds', 'until the end of the last execution', 's'],
];

export const burst: Benchmark = {
	title: `${EVENTS} different events in ${SECONDS} s, at two webhook processes and three workers`,
	async run({ pairs, tarball, say }) {
		const figures: Figure[] = [];
		const facts: Fact[] = [];
		for (const lazy of ['false', 'true']) {
			const setting = `${LAZY_ACQUIRE}=${lazy}`;
			say(`  ${setting}`);
			const samples = await inCluster(
				tarball,
				{ [LAZY_ACQUIRE]: lazy },
				async (receivers) => await rounds(pairs, receivers, say),
			);
			figures.push({
				what: `CPU of the webhook processes, ${setting}`,
				reference: 'Webhook',
				unit: 's',
				pairs: pairUp(samples.Trigger, samples.Webhook, ({ cpuSeconds }) => cpuSeconds),
			});
			figures.push({
				what: `time until the end of the last execution, ${setting}`,
				reference: 'Webhook',
				unit: 's',
				pairs: pairUp(samples.Trigger, samples.Webhook, (sample) => sample.finishedSeconds),
				aim: lazy === 'true' ? atMost(1.2) : undefined,
			});
			for (const [receiver, all] of Object.entries(samples)) {
				for (const [read, what, unit] of FACTS) {
					const value = Math.max(...all.map((sample) => sample[read]));
					facts.push({ what: `${receiver}, ${setting}: ${what}`, value, unit });
				}
			}
		}
		return { figures, facts };
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
	const cpuSeconds = () => cpuSecondsOf(webhooks.map(({ pid }) => pid));
	const unfinished = async () => await client.executions.countOf(workflowId, ['new', 'running']);
	const leftBefore = await unfinished();
	const before = cpuSeconds();
	api.webhookUrls = [url];
	const startedAt = Date.now();
	const emitting = [];
	for (let event = 0; event < count; event++) {
		emitting.push(api.emit(CHOSEN, { from: '+15550000000', text: randomUUID() }));
		await sleep((SECONDS * 1000) / EVENTS);
	}
	const emitted = await Promise.all(emitting);
	const { left, sinceMs } = await atRest(
		'the end of all executions',
		unfinished,
		REST_MS,
		FINISH_DEADLINE_MS,
	);
	const deliveries = emitted.flatMap((event) => event.deliveries);
	return {
		givenUp: emitted.filter(({ accepted }) => !accepted).length,
		deliveries: deliveries.length,
		slowestMs: Math.max(...deliveries.map(({ tookMs }) => tookMs ?? 0)),
		cpuSeconds: cpuSeconds() - before,
		finishedSeconds: (sinceMs - startedAt) / 1000,
		left: left - leftBefore,
	};
}
