import type { Memory } from './databaseMemory';

/** When unrelated writes undo each other that often, something else is wrong. */
const MAX_WRITES = 10;

/** `unsettled`: the memory never held what was written. */
export type Claimed = 'ours' | 'taken' | 'unsettled';

/**
 * Whether this execution is the one that a key belongs to, of all executions in the cluster that
 * claim it.
 *
 * n8n's memory is read, changed and written as a whole without a lock, so writes that overlap undo
 * each other. Therefore each process rests between two writes, for longer than one write of every
 * other process takes. Every execution records the key together with a claim of its own, in one
 * write, and again in the next write of its process. After that rest all overlapping writes are
 * over, and none has begun that did not see how they ended. What it finds there stays:
 * key and claim: it is this execution's. The key alone: another one has it. Neither: an unrelated
 * write undid it, and it is recorded again.
 * @param claim the same when n8n repeats an execution whose worker died, so that it goes on
 */
export async function claimKey(memory: Memory, key: string, claim: string): Promise<Claimed> {
	const own = claimOf(key, claim);
	const writes = memory.isShared ? MAX_WRITES : 1;
	for (let write = 0; write < writes; write++) {
		const before = await memory.record([key, own]);
		// After the only write nobody can undo it.
		if (before.has(own) || (!memory.isShared && !before.has(key))) {
			memory.keep([key, own]);
			return 'ours';
		}
		if (before.has(key)) return 'taken';
	}
	memory.keep([key, own]);
	return 'unsettled';
}

/**
 * Takes back what was recorded in one write together with an entry of its own. An overlapping write may
 * bring both back: so after a rest it is looked for, by the entry that nobody else writes.
 */
export async function release(memory: Memory, keys: string[], own: string): Promise<void> {
	for (let write = 0; write < MAX_WRITES; write++) {
		await memory.remove([...keys, own]);
		if (!memory.isShared) return;
		const before = await memory.record([own]);
		if (!before.has(own)) break;
	}
	await memory.remove([own]);
}

/** The entry beside a key by which its execution knows it again. */
export function claimOf(key: string, claim: string): string {
	return `${key}#${claim}`;
}
