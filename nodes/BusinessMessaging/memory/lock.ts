import { randomBytes } from 'crypto';
import type { Clock } from '../clock';

/** What locks are made of; see `Rows`. */
interface LockRows {
	create: (name: string, owner: string) => Promise<boolean>;
	count: (name: string) => Promise<number>;
	remove: (name: string) => Promise<void>;
}

const EPOCH_MS = 30_000;
/**
 * A lock counts until the end of its epoch, and so long into the next one. Two tasks never overlap if each takes less
 * than this minus the difference between the clocks of the two machines.
 */
const LEASE_MS = 10_000;
/** By then the lock of a process that died has ended. */
const MAX_WAIT_MS = 2 * EPOCH_MS;

const MIN_PAUSE_MS = 10;
const MAX_PAUSE_MS = 2000;

/** A name for the owner of a row; no two are the same. */
export function newOwner(): string {
	return randomBytes(9).toString('base64url');
}

/**
 * Runs a task while no other process runs one under the same name.
 *
 * A lock is a row named after the current epoch. A process that has created one early in an epoch also looks for one of
 * the epoch before; late in an epoch for one of the next, because another process's clock may be ahead. Two processes
 * that create locks of different epochs at the same moment see each other, and both try again. Nobody has to remove
 * the lock of a process that died.
 * @throws what the task throws; or when others keep the lock
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
		// The slower the database, the fewer attempts it gets.
		const waitedMs = Math.max(clock.ticks() - start, MIN_PAUSE_MS);
		const pauseMs = Math.min(waitedMs, MAX_PAUSE_MS) * (0.5 + Math.random());
		await clock.sleep(pauseMs);
		pausedMs += pauseMs;
		lock = await tryToLock(rows, name, clock);
	}
	try {
		return await task();
	} finally {
		// A lock that could not be removed ends by itself.
		await rows.remove(lock).catch(() => undefined);
	}
}

/** @returns the name of the lock's row, which the caller removes */
async function tryToLock(
	rows: LockRows,
	name: string,
	clock: Pick<Clock, 'now'>,
): Promise<string | undefined> {
	const currentEpoch = () => Math.floor(clock.now() / EPOCH_MS);
	const epoch = currentEpoch();
	const lockOf = (each: number) => `${name}:lock:${each}`;
	if (!(await rows.create(lockOf(epoch), newOwner()))) return undefined;
	const sinceStart = clock.now() % EPOCH_MS;
	let isFree = true;
	if (sinceStart < LEASE_MS) isFree = (await rows.count(lockOf(epoch - 1))) === 0;
	else if (sinceStart >= EPOCH_MS - LEASE_MS) isFree = (await rows.count(lockOf(epoch + 1))) === 0;
	// An attempt that was held up until here has used up the time of its lock.
	if (isFree && currentEpoch() === epoch) return lockOf(epoch);
	await rows.remove(lockOf(epoch));
	return undefined;
}
