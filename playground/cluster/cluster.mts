import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { cacheFolder } from '../folders.mts';
import { connect, type N8nClient } from '../n8n/client.mts';
import { installCommunityPackage } from '../n8n/communityPackage.mts';
import type { N8nCommand } from '../n8n/process.mts';
import { eventLog, postgresSettings, queueEnvironment } from './environment.mts';
import { startLink, type Link } from './link.mts';
import { startMember, type Member } from './member.mts';
import { startPostgres } from './postgres.mts';
import { startRoundRobinProxy } from './proxy.mts';
import { startRedis, type Redis } from './redis.mts';
import type { Service } from './service.mts';

export interface ClusterOptions {
	/** The packed package, which every process gets. */
	tarball: string;
	webhookProcesses: number;
	workers: number;
	/** Executions at a time in each worker. */
	concurrency: number;
	env?: Record<string, string>;
	/** Whether webhook processes reach PostgreSQL through the link, which takes each packet a millisecond or more. */
	isLinked?: boolean;
}

export interface Cluster {
	client: N8nClient;
	/** Where events go: the proxy before the webhook processes. */
	url: string;
	main: Member;
	webhooks: Member[];
	workers: Member[];
	redis: Redis;
	postgres: Service;
	/** To PostgreSQL. */
	link: Link;
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
	// One for all processes, but for the log of events; test files run beside each other.
	const userFolder = join(cacheFolder, `cluster-${process.env.JEST_WORKER_ID ?? 1}`);
	await rm(userFolder, { recursive: true, force: true });
	await installCommunityPackage(userFolder, options.tarball);

	const redis = await startRedis(process.env.QUEUE_REDIS_URL);
	started.push(redis.stop);
	const postgres = await startPostgres(process.env.QUEUE_POSTGRES_URL);
	started.push(postgres.stop);
	const shared = { ...queueEnvironment(redis.url, postgres.url), ...options.env };

	const link = await startLink(postgres.url);
	started.push(link.close);

	let members = 0;
	const start = async (command: N8nCommand, own: Record<string, string> = {}) => {
		const env = { ...shared, ...own, ...eventLog(join(userFolder, `events-${members++}.log`)) };
		const member = await startMember({ command, userFolder, env });
		started.push(member.stop);
		return member;
	};
	const startWebhook = async () =>
		await start('webhook', options.isLinked ? postgresSettings(link.url) : {});
	const startWorker = async () =>
		await start('worker', { N8N_CONCURRENCY_PRODUCTION_LIMIT: String(options.concurrency) });
	const many = async (count: number, startOne: () => Promise<Member>) =>
		await Promise.all(Array.from({ length: count }, startOne));

	// Alone at first: it makes the tables.
	const main = await start('start');
	const [webhooks, workers] = await Promise.all([
		many(options.webhookProcesses, startWebhook),
		many(options.workers, startWorker),
	]);
	const proxy = await startRoundRobinProxy(webhooks.map(({ url }) => url));
	started.push(proxy.close);
	return {
		client: await connect(main.url, 'cluster'),
		url: proxy.url,
		main,
		webhooks,
		workers,
		redis,
		postgres,
		link,
	};
}
