import type { Clock } from '../clock';
import { newOwner, type Statements } from './rows';

const EPOCH_MS = 30_000;
/**
 * A lock holds until the end of its epoch plus this time. Two tasks never overlap if each takes less than this, minus
 * the difference between the clocks of the two machines.
 */
const LEASE_MS = 10_000;
/** By then the lock of a process that died has ended. */
const MAX_WAIT_MS = 2 * EPOCH_MS;

const MIN_PAUSE_MS = 10;
const MAX_PAUSE_MS = 2000;

/** How long a database that does not answer is asked to remove a lock. */
const REMOVE_MS = 600_000;
const REMOVE_PAUSE_MS = 1000;

/**
 * Runs tasks while no other process runs one under the same name.
 *
 * A lock is a row named after the current epoch. A process that has created one early in an epoch also looks for one of
 * the epoch before; late in an epoch for one of the next, because another process's clock may be ahead. Two processes
 * that create locks of different epochs at the same moment see each other, and both try again. Nobody has to remove
 * the lock of a process that died.
 */
export class Lock {
	private readonly owner = newOwner();
	/** Rows that this lock has created (true), or may have, because an answer was lost. */
	private readonly created = new Map<string, boolean>();

	/** @param rows without asking again, because a lock is tried for again as a whole */
	constructor(
		private readonly rows: Pick<Statements, 'create' | 'count' | 'remove'>,
		private readonly name: string,
		private readonly clock: Clock,
	) {}

	/**
	 * The lock stays: after a failure, this may be called again. `release` ends it.
	 * @param task gets a function that throws when the lock has ended by itself
	 * @throws what the task throws; or when others keep the lock, or the database does not answer
	 */
	async hold<T>(task: (assertHeld: () => void) => Promise<T>): Promise<T> {
		const epoch = await this.acquire();
		const end = (epoch + 1) * EPOCH_MS + LEASE_MS;
		return await task(() => {
			if (this.clock.now() >= end) throw new Error(`the lock of ${this.name} has ended`);
		});
	}

	/** Tries for as long as that takes the database, within some minutes. */
	async release(): Promise<void> {
		const until = this.clock.ticks() + REMOVE_MS;
		for (;;) {
			for (const row of this.created.keys()) await this.remove(row);
			if (this.created.size === 0 || this.clock.ticks() >= until) return;
			await this.clock.sleep(REMOVE_PAUSE_MS);
		}
	}

	/** @returns the epoch of the lock */
	private async acquire(): Promise<number> {
		const start = this.clock.ticks();
		for (let pausedMs = 0; ;) {
			const epoch = await this.tryToAcquire();
			if (epoch !== undefined) return epoch;
			if (pausedMs >= MAX_WAIT_MS) throw new Error(`${this.name} stays locked`);
			// The slower the database, the fewer attempts it gets.
			const waitedMs = Math.max(this.clock.ticks() - start, MIN_PAUSE_MS);
			const pauseMs = Math.min(waitedMs, MAX_PAUSE_MS) * (0.5 + Math.random());
			await this.clock.sleep(pauseMs);
			pausedMs += pauseMs;
		}
	}

	private async tryToAcquire(): Promise<number | undefined> {
		const currentEpoch = () => Math.floor(this.clock.now() / EPOCH_MS);
		const epoch = currentEpoch();
		const row = this.rowOf(epoch);
		// Otherwise this would wait for its own lock of the epoch before.
		for (const each of this.created.keys()) if (each !== row) await this.remove(each);
		this.created.set(row, false);
		if (!(await this.rows.create(row, this.owner))) {
			this.created.delete(row);
			return undefined;
		}
		this.created.set(row, true);
		const sinceStart = this.clock.now() % EPOCH_MS;
		const isFreeIn = async (each: number) => (await this.rows.count(this.rowOf(each))) === 0;
		let isFree = true;
		if (sinceStart < LEASE_MS) isFree = await isFreeIn(epoch - 1);
		else if (sinceStart >= EPOCH_MS - LEASE_MS) isFree = await isFreeIn(epoch + 1);
		// An attempt that was held up until here has used up the time of its lock.
		if (isFree && currentEpoch() === epoch) return epoch;
		await this.remove(row);
		return undefined;
	}

	/** Never fails: a row that stays is removed later, and as a lock it ends by itself. */
	private async remove(row: string): Promise<void> {
		try {
			const isOwn = this.created.get(row) || (await this.rows.create(row, this.owner));
			// If no answer comes, it may be another process's by the next time.
			this.created.set(row, false);
			if (isOwn) await this.rows.remove(row);
			this.created.delete(row);
		} catch {
			// Next time.
		}
	}

	private rowOf(epoch: number): string {
		// Named so, the locks of an epoch are beside each other in the index of the table, of which few pages change.
		return `lock:${epoch}:${this.name}`;
	}
}
