import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { cacheFolder } from '../folders.ts';
import { connect, type N8nClient } from '../n8n/client.ts';
import { installCommunityPackage } from '../n8n/communityPackage.ts';
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
	main: Member;
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
	// One for all: on one machine they do not get in each other's way there.
	const userFolder = join(cacheFolder, 'cluster');
	await rm(userFolder, { recursive: true, force: true });
	await installCommunityPackage(userFolder, options.tarball);

	const redis = await startRedis(process.env.QUEUE_REDIS_URL);
	started.push(redis.stop);
	const postgres = await startPostgres(process.env.QUEUE_POSTGRES_URL);
	started.push(postgres.stop);
	const shared = { ...queueEnvironment(redis.url, postgres.url), ...options.env };

	const start = async (command: N8nCommand, own: Record<string, string> = {}) => {
		const member = await startMember({ command, userFolder, env: { ...shared, ...own } });
		started.push(member.stop);
		return member;
	};
	const startMany = async (count: number, ...kind: Parameters<typeof start>) =>
		await Promise.all(Array.from({ length: count }, async () => await start(...kind)));

	// Alone at first: it makes the tables.
	const main = await start('start');
	const concurrency = { N8N_CONCURRENCY_PRODUCTION_LIMIT: String(options.concurrency) };
	const [webhooks, workers] = await Promise.all([
		startMany(options.webhookProcesses, 'webhook'),
		startMany(options.workers, 'worker', concurrency),
	]);
	const proxy = await startRoundRobinProxy(webhooks.map(({ url }) => url));
	started.push(proxy.close);
	return { client: await connect(main.url, 'cluster'), url: proxy.url, main, webhooks, workers };
}
