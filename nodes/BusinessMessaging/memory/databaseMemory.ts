import type { ICheckProcessedOptions, IExecuteFunctions } from 'n8n-workflow';

import { systemClock } from '../clock';
import type { Clock } from '../clock';
import { createBatches } from './batches';
import type { Write } from './batches';
import { createKeyTurns } from './keyTurns';
import type { InTurn } from './keyTurns';
import { createRecentEntries } from './recentEntries';

/** Longer than the writes of all other processes together, one of each; see `claimKey`. */
const REST_MS = 250;
/** So that processes in step get out of step. */
const REST_SPREAD_MS = 150;
/** A slow database or a busy machine is slow for all processes. */
const REST_PER_WRITE = 2;
const MAX_REST_MS = 1000;

/** Tries to reach the database, whose first write of a row can collide with another process. */
const MAX_TRIES = 3;
const RETRY_MS = 300;

/** Entries in n8n's database: their digests, the oldest of which go when there are too many. */
export interface Memory {
	/** Remembers entries; tells which of them were there before. */
	record: (entries: string[]) => Promise<Set<string>>;
	/** Makes sure that entries stay. */
	keep: (entries: string[]) => void;
	/** Forgets entries. */
	remove: (entries: string[]) => Promise<void>;
	/** For claims of one key in this process, which one write could not tell apart. */
	inTurn: InTurn;
	/** Whether other processes write it as well. */
	isShared: boolean;
}

/** How long a process rests between two writes. @param random from 0 to 1 */
export function restMs(lastWriteMs: number, random: number): number {
	const slow = Math.min(REST_PER_WRITE * lastWriteMs, MAX_REST_MS);
	return Math.max(REST_MS, slow) + random * REST_SPREAD_MS;
}

interface MemorySize {
	isShared: boolean;
	/** Of the store; the oldest go when there are more. */
	maxEntries: number;
}

/** @returns gives n8n's database memory of one node */
export function createDatabaseMemory(clock: Clock) {
	const sharedBatches = createBatches(
		async (lastWriteMs) => await clock.sleep(restMs(lastWriteMs, Math.random())),
		clock,
	);
	const ownBatches = createBatches(async () => undefined, clock);
	const recent = createRecentEntries(clock);
	const inTurn = createKeyTurns();

	return (context: IExecuteFunctions, { isShared, maxEntries }: MemorySize): Memory => {
		const store = () => `${context.getWorkflow().id}\n${context.getNode().id}`;
		const batches = isShared ? sharedBatches : ownBatches;
		const options: ICheckProcessedOptions = { mode: 'entries', maxEntries };
		const write: Write = async ({ added, removed }) => {
			if (removed.length > 0) {
				await persistently(
					clock,
					async () => await context.helpers.removeProcessed(removed, 'node', options),
				);
			}
			// What one caller adds while another removes it, stays.
			const all = [...new Set([...recent.of(store()), ...added])];
			if (all.length === 0) return new Set();
			const { processed } = await persistently(
				clock,
				async () => await context.helpers.checkProcessedAndRecord(all, 'node', options),
			);
			return new Set(processed.map(String));
		};
		return {
			record: async (entries) => await batches.add(store(), { added: entries, removed: [] }, write),
			keep: (entries) => {
				if (isShared) recent.add(store(), entries);
			},
			remove: async (entries) => {
				recent.remove(store(), entries);
				await batches.add(store(), { added: [], removed: entries }, write);
			},
			inTurn: async (key, task) => await inTurn(`${store()}\n${key}`, task),
			isShared,
		};
	};
}

export const databaseMemory = createDatabaseMemory(systemClock);

async function persistently<T>(
	{ sleep }: Pick<Clock, 'sleep'>,
	task: () => Promise<T>,
): Promise<T> {
	for (let tries = 1; ; tries++) {
		try {
			return await task();
		} catch (error) {
			if (tries === MAX_TRIES) return await Promise.reject(error);
			await sleep(RETRY_MS);
		}
	}
}
