import type { IDataDeduplicator, IExecuteFunctions } from 'n8n-workflow';
import { once } from 'node:events';
import { createRequire } from 'node:module';

import { systemClock } from '../nodes/BusinessMessaging/clock';
import { isOurs } from '../nodes/BusinessMessaging/events/duplicates';
import { createSlots } from '../playground/api/slots.mts';
import { contextOn } from '../test/support/processedData.mts';

/** Executions at a time, n8n's default. */
const CONCURRENCY = 10;

/** What one worker is told to do by its parent process. */
export interface ClaimingPlan {
	/** The package.json of the n8n whose code reaches the database. */
	n8n: string;
	databaseUrl: string;
	workflowId: string;
	executions: Execution[];
}

export interface Execution {
	id: string;
	key: string;
	/** After the start of the measurement. */
	atMs: number;
	/** How much later than that, by its own account, the delivery came. */
	laterMs?: number;
}

/** What became of them, in their order. */
export type Claimed = Array<{ key: string; isOurs: boolean; tookMs: number; isInDoubt: boolean }>;

type Class<T> = new (...parameters: unknown[]) => T;

/** n8n's own memory of processed items, with as many connections as n8n gives each process. */
async function connect(n8n: string, url: string): Promise<IDataDeduplicator> {
	const require = createRequire(n8n);
	const { Container } = require('@n8n/di') as { Container: Map<unknown, unknown> };
	const { DataSource } = require('@n8n/typeorm') as {
		DataSource: Class<{ initialize: () => Promise<unknown> }>;
	};
	const { ProcessedData, ProcessedDataRepository } = require('@n8n/db') as Record<
		string,
		Class<unknown>
	>;
	const { DeduplicationHelper } = require('./dist/deduplication/deduplication-helper.js') as Record<
		string,
		Class<IDataDeduplicator>
	>;
	const source = new DataSource({ type: 'postgres', url, entities: [ProcessedData], poolSize: 2 });
	await source.initialize();
	Container.set(ProcessedDataRepository, new ProcessedDataRepository(source));
	return new DeduplicationHelper();
}

/** Whether the event is this execution's, and whether it runs only because nobody knows. */
async function claim(
	memory: IDataDeduplicator,
	workflowId: string,
	{ id, key, laterMs = 0 }: Execution,
) {
	const { context, log } = contextOn(memory, 'trigger', workflowId);
	const more: Partial<IExecuteFunctions> = {
		getMode: () => 'webhook',
		getExecutionId: () => id,
		addExecutionHints: () => undefined,
	};
	Object.assign(context, more);
	const receivedAt = new Date(systemClock.now() + laterMs).toISOString();
	const item = { json: { deliveryKey: key, receivedAt } };
	const isClaimed = await isOurs(context, item, 24, systemClock);
	return { isOurs: isClaimed, isInDoubt: log.some((line) => line.includes('could not be used')) };
}

/** Claims events as the trigger does in an execution, each at its time. */
async function work({ n8n, databaseUrl, workflowId, executions }: ClaimingPlan) {
	const memory = await connect(n8n, databaseUrl);
	process.send?.('ready');
	const [{ startAt }] = (await once(process, 'message')) as [{ startAt: number }];
	const inSlot = createSlots(() => CONCURRENCY);
	const claims = executions.map(async (execution) => {
		await systemClock.sleep(startAt + execution.atMs - systemClock.now());
		const began = systemClock.ticks();
		const claimed = await inSlot(async () => await claim(memory, workflowId, execution));
		return { key: execution.key, ...claimed, tookMs: systemClock.ticks() - began };
	});
	process.send?.(await Promise.all(claims), () => process.exit(0));
}

process.once('message', (plan) => void work(plan as ClaimingPlan));
