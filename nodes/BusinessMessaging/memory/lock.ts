import { randomBytes } from 'crypto';

import type { Clock } from '../clock';

/**
 * A lock lasts for one to two of these. Two tasks exclude each other as long as each takes less than one, less
 * the difference between the clocks of two machines.
 */
const EPOCH_MS = 10_000;
/** The lock of a process that died has ended by then. */
const MAX_WAIT_MS = 3 * EPOCH_MS;

const MIN_PAUSE_MS = 10;
const MAX_PAUSE_MS = 2000;

/** What locks are made of; see `Rows`. */
interface LockRows {
	create: (name: string, owner: string) => Promise<boolean>;
	count: (name: string) => Promise<number>;
	remove: (name: string) => Promise<void>;
}

/** Of a row; no two are the same. */
export function newOwner(): string {
	return randomBytes(9).toString('base64url');
}

/**
 * Runs a task while no other process runs one under the same name.
 *
 * A lock is a row that is named after the current epoch, and counts until the end of the next one. So
 * whoever has created a lock looks for one of the epoch before, and for one of the epoch after, which a
 * process may have whose clock is ahead. Two that are created at the same moment in different epochs see each
 * other, and both try again. The lock of a process that died needs nobody to remove it.
 * @throws what the task throws; and when the lock can't be had
 */
export async function withLock<T>(
	rows: LockRows,
	name: string,
	clock: Clock,
	task: () => Promise<T>,
): Promise<T> {
	const start = clock.ticks();
	let lock = await tryToLock(rows, name, clock);
	for (let pausedMs = 0; lock === undefined;) {
		if (pausedMs >= MAX_WAIT_MS) throw new Error(`${name} stays locked`);
		// The slower the database, the fewer tries it gets.
		const waitedMs = Math.max(clock.ticks() - start, MIN_PAUSE_MS);
		const pauseMs = Math.min(waitedMs, MAX_PAUSE_MS) * (0.5 + Math.random());
		await clock.sleep(pauseMs);
		pausedMs += pauseMs;
		lock = await tryToLock(rows, name, clock);
	}
	try {
		return await task();
	} finally {
		// It ends by itself.
		await rows.remove(lock).catch(() => undefined);
	}
}

/** @returns the row that is the lock, which is to be removed */
async function tryToLock(
	rows: LockRows,
	name: string,
	clock: Pick<Clock, 'now'>,
): Promise<string | undefined> {
	const currentEpoch = () => Math.floor(clock.now() / EPOCH_MS);
	const epoch = currentEpoch();
	const lockOf = (each: number) => `${name}:lock:${each}`;
	if (!(await rows.create(lockOf(epoch), newOwner()))) return undefined;
	const neighbors = [epoch - 1, epoch + 1].map(async (each) => await rows.count(lockOf(each)));
	const isFree = (await Promise.all(neighbors)).every((entries) => entries === 0);
	// What took long until here has used up the time of the lock.
	if (isFree && currentEpoch() === epoch) return lockOf(epoch);
	await rows.remove(lockOf(epoch));
	return undefined;
}
