import type { ICheckProcessedOptions, IDeduplicationOutput, IExecuteFunctions } from 'n8n-workflow';
import { sleep } from 'n8n-workflow';

import { createBatches } from './batches';

/** Each event takes two entries, its key and its claim. */
const MAX_ENTRIES = 10_000;
const OPTIONS: ICheckProcessedOptions = { mode: 'entries', maxEntries: MAX_ENTRIES };

/** Longer than it takes any process to read, change and write the memory once. */
const SETTLING_MS = 300;
const SETTLING_SPREAD_MS = 200;
const MAX_CONFIRMATIONS = 10;

/** Tries to reach the database, whose first write of a row can collide with another process. */
const MAX_TRIES = 3;

export interface Memory {
	/** Remembers entries; tells which of them were there before. */
	record: (entries: string[]) => Promise<Set<string>>;
	pause: (ms: number) => Promise<void>;
	random: () => number;
}

/**
 * Whether this execution is the one that handles an event, of all executions in the cluster that got
 * a copy of it.
 *
 * n8n's memory is read, changed and written without a lock: overlapping writes of other processes
 * undo each other. So every execution records the key together with a claim of its own, in one write,
 * and looks again when all overlapping writes are over. What it finds then is the last write:
 * key and claim: it is this execution's. The key alone: another copy has it. Neither: an unrelated
 * event undid it, and it is recorded again.
 * @param claim the same when n8n repeats an execution whose worker died, so that it goes on
 */
export async function claimEvent(memory: Memory, key: string, claim: string): Promise<boolean> {
	const own = `${key}#${claim}`;
	let before = await memory.record([key, own]);
	if (before.has(own)) return true;
	if (before.has(key)) return false;
	for (let confirmation = 0; confirmation < MAX_CONFIRMATIONS; confirmation++) {
		await memory.pause(SETTLING_MS + memory.random() * SETTLING_SPREAD_MS);
		before = await memory.record([key, own]);
		if (before.has(own)) return true;
		if (before.has(key)) return false;
	}
	// Rather twice than never.
	return true;
}

type Record = (entries: string[]) => Promise<IDeduplicationOutput>;

/** n8n's database memory of one node, shared by all processes. */
export function databaseMemory(context: IExecuteFunctions): Memory {
	const node = `${context.getWorkflow().id}\n${context.getNode().id}`;
	const write: Record = async (entries) =>
		await context.helpers.checkProcessedAndRecord(entries, 'node', OPTIONS);
	return {
		record: async (entries) =>
			await batches.add(node, entries, async (all) => await seen(write, all)),
		pause: async (ms) => await sleep(ms),
		random: Math.random,
	};
}

/** One write at a time per node in this process, for all events that wait for it. */
const batches = createBatches();

async function seen(write: Record, entries: string[]): Promise<Set<string>> {
	for (let tries = 1; ; tries++) {
		try {
			const { processed } = await write(entries);
			return new Set(processed.map(String));
		} catch (error) {
			if (tries === MAX_TRIES) return await Promise.reject(error);
			await sleep(SETTLING_MS);
		}
	}
}
