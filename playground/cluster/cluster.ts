import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { cacheFolder } from '../folders.ts';
import { connect, type N8nClient } from '../n8n/client.ts';
import type { N8nCommand } from '../n8n/process.ts';
import { queueEnvironment } from './environment.ts';
import { startMember, type Member } from './member.ts';
import { startPostgres } from './postgres.ts';
import { startRoundRobinProxy } from './proxy.ts';
import { startRedis } from './redis.ts';

export interface ClusterOptions {
	/** The packed package, which every process gets. */
	tarball: string;
	webhookProcesses: number;
	workers: number;
	/** Executions at a time in each worker. */
	concurrency: number;
	env?: Record<string, string>;
}

export interface Cluster {
	client: N8nClient;
	/** Where events go: the proxy before the webhook processes. */
	url: string;
	webhooks: Member[];
	workers: Member[];
	stop(): Promise<void>;
}

/**
 * n8n's queue mode on this machine: Redis, PostgreSQL, a main process, webhook processes behind a
 * proxy, and workers. QUEUE_REDIS_URL and QUEUE_POSTGRES_URL name running ones to use instead.
 */
export async function startCluster(options: ClusterOptions): Promise<Cluster> {
	const started: Array<() => Promise<void>> = [];
	const stop = async () => {
		for (const stopOne of started.splice(0).reverse()) await stopOne();
	};
	try {
		return { ...(await startAll(options, started)), stop };
	} catch (error) {
		await stop();
		throw error;
	}
}

async function startAll(options: ClusterOptions, started: Array<() => Promise<void>>) {
	const folder = join(cacheFolder, 'cluster');
	await rm(folder, { recursive: true, force: true });
	const redis = await startRedis(process.env.QUEUE_REDIS_URL);
	started.push(redis.stop);
	const postgres = await startPostgres(process.env.QUEUE_POSTGRES_URL);
	started.push(postgres.stop);
	const env = { ...queueEnvironment(redis.url, postgres.url), ...options.env };

	const start = async (command: N8nCommand, name: string, own: Record<string, string> = {}) => {
		const userFolder = join(folder, name);
		const member = await startMember(
			{ command, userFolder, env: { ...env, ...own } },
			options.tarball,
		);
		started.push(member.stop);
		return member;
	};
	// First the main process alone: it makes the tables.
	const main = await start('start', 'main');
	const numbers = (count: number) => Array.from({ length: count }, (_, index) => index + 1);
	const concurrency = { N8N_CONCURRENCY_PRODUCTION_LIMIT: String(options.concurrency) };
	const [webhooks, workers] = await Promise.all([
		Promise.all(numbers(options.webhookProcesses).map((n) => start('webhook', `webhook-${n}`))),
		Promise.all(numbers(options.workers).map((n) => start('worker', `worker-${n}`, concurrency))),
	]);
	const proxy = await startRoundRobinProxy(webhooks.map(({ url }) => url));
	started.push(proxy.close);
	return { client: await connect(main.url, 'cluster'), url: proxy.url, webhooks, workers };
}
