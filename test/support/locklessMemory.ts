import { createBatches } from '../../nodes/BusinessMessaging/memory/batches';
import type { Change } from '../../nodes/BusinessMessaging/memory/batches';
import { restMs } from '../../nodes/BusinessMessaging/memory/databaseMemory';
import type { Memory } from '../../nodes/BusinessMessaging/memory/databaseMemory';
import { createKeyTurns } from '../../nodes/BusinessMessaging/memory/keyTurns';
import { createRecentEntries } from '../../nodes/BusinessMessaging/memory/recentEntries';
import type { VirtualClock } from './virtualClock';

type Store = (change: Change) => Promise<Set<string>>;

/**
 * A store like n8n's: read, changed and written as a whole, without a lock.
 * @param maxEntries the oldest go when there are more
 */
export function createLocklessStore(
	clock: VirtualClock,
	latencyMs: () => number,
	maxEntries = Infinity,
): Store {
	let row: string[] = [];
	return async ({ added, removed }) => {
		await clock.sleep(latencyMs());
		const read = row.filter((entry) => !removed.includes(entry));
		await clock.sleep(latencyMs());
		const all = [...read, ...added.filter((entry) => !read.includes(entry))];
		row = all.slice(Math.max(0, all.length - maxEntries));
		return new Set(added.filter((entry) => read.includes(entry)));
	};
}

/** The memory of one process of a cluster: the store, written once at a time and then resting. */
export function createProcess(
	store: Store,
	clock: VirtualClock,
	random: () => number = () => 0,
): Memory {
	const recent = createRecentEntries(clock);
	const batches = createBatches(
		async (lastWriteMs) => await clock.sleep(restMs(lastWriteMs, random())),
		clock,
	);
	const write = async ({ added, removed }: Change) =>
		await store({ added: [...new Set([...recent.of('node'), ...added])], removed });
	return {
		isShared: true,
		inTurn: createKeyTurns(),
		record: async (added) => await batches.add('node', { added, removed: [] }, write),
		keep: (entries) => recent.add('node', entries),
		remove: async (removed) => {
			recent.remove('node', removed);
			await batches.add('node', { added: [], removed }, write);
		},
	};
}
