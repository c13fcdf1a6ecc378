import type { ICheckProcessedOptions, IExecuteFunctions } from 'n8n-workflow';

import { systemClock } from '../../transport/clock';
import { createBatches } from './batches';
import type { Write } from './batches';
import { createRecentEntries } from './recentEntries';

/** Each event takes two entries, its key and its claim. */
const MAX_ENTRIES = 10_000;
const OPTIONS: ICheckProcessedOptions = { mode: 'entries', maxEntries: MAX_ENTRIES };

/** Longer than the writes of all other processes together, one of each; see `claimEvent`. */
const REST_MS = 250;
/** So that processes in step get out of step. */
const REST_SPREAD_MS = 150;
/** A slow database or a busy machine is slow for all processes. */
const REST_PER_WRITE = 2;
const MAX_REST_MS = 1000;

/** When unrelated events undo each other that often, something else is wrong. */
const MAX_WRITES = 10;

/** Tries to reach the database, whose first write of a row can collide with another process. */
const MAX_TRIES = 3;
const RETRY_MS = 300;

export interface Memory {
	/** Remembers entries; tells which of them were there before. */
	record: (entries: string[]) => Promise<Set<string>>;
	/** Makes sure that entries stay. */
	keep: (entries: string[]) => void;
	/** Whether other processes write it as well. */
	isShared: boolean;
}

/**
 * Whether this execution is the one that handles an event, of all executions in the cluster that got
 * a copy of it.
 *
 * n8n's memory is read, changed and written as a whole without a lock, so writes that overlap undo
 * each other. Therefore each process rests between two writes, for longer than one write of every
 * other process takes. Every execution records the key together with a claim of its own, in one
 * write, and again in the next write of its process. After that rest all overlapping writes are
 * over, and none has begun that did not see how they ended. What it finds there stays:
 * key and claim: it is this execution's. The key alone: another copy has it. Neither: an unrelated
 * event undid it, and it is recorded again.
 * @param claim the same when n8n repeats an execution whose worker died, so that it goes on
 */
export async function claimEvent(memory: Memory, key: string, claim: string): Promise<boolean> {
	const own = `${key}#${claim}`;
	const writes = memory.isShared ? MAX_WRITES : 1;
	for (let write = 0; write < writes; write++) {
		const before = await memory.record([key, own]);
		if (before.has(own)) break;
		if (before.has(key)) return false;
	}
	// After the only write nobody can undo it; after the last one, rather twice than never.
	memory.keep([key, own]);
	return true;
}

/** How long a process rests between two writes. @param random from 0 to 1 */
export function restMs(lastWriteMs: number, random: number): number {
	const slow = Math.min(REST_PER_WRITE * lastWriteMs, MAX_REST_MS);
	return Math.max(REST_MS, slow) + random * REST_SPREAD_MS;
}

const sharedBatches = createBatches(
	async (lastWriteMs) => await systemClock.sleep(restMs(lastWriteMs, Math.random())),
	systemClock,
);
const ownBatches = createBatches(async () => undefined, systemClock);
const recent = createRecentEntries(systemClock);

/** n8n's database memory of one node. */
export function databaseMemory(context: IExecuteFunctions, isShared: boolean): Memory {
	const node = `${context.getWorkflow().id}\n${context.getNode().id}`;
	const batches = isShared ? sharedBatches : ownBatches;
	const write: Write = async (entries) => {
		const all = [...new Set([...recent.of(node), ...entries])];
		const { processed } = await persistently(
			async () => await context.helpers.checkProcessedAndRecord(all, 'node', OPTIONS),
		);
		return new Set(processed.map(String));
	};
	return {
		record: async (entries) => await batches.add(node, entries, write),
		keep: (entries) => {
			if (isShared) recent.add(node, entries);
		},
		isShared,
	};
}

async function persistently<T>(task: () => Promise<T>): Promise<T> {
	for (let tries = 1; ; tries++) {
		try {
			return await task();
		} catch (error) {
			if (tries === MAX_TRIES) return await Promise.reject(error);
			await systemClock.sleep(RETRY_MS);
		}
	}
}
