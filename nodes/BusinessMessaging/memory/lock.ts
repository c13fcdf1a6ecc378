import type { Clock } from '../clock';
import { newOwner, type Statements } from './rows';

const EPOCH_MS = 30_000;
/**
 * A lock holds until the end of its epoch plus this time. What two processes do never overlaps if it takes less than
 * this, minus the difference between the clocks of the two machines.
 */
const LEASE_MS = 10_000;
/** By then the lock of a process that died has ended. */
const MAX_WAIT_MS = 2 * EPOCH_MS;

const MIN_PAUSE_MS = 10;
const MAX_PAUSE_MS = 2000;

/**
 * Keeps other processes from doing what has the same name.
 *
 * A lock is a row named after the current epoch. A process that has created one early in an epoch also looks for one of
 * the epoch before; late in an epoch for one of the next, because another process's clock may be ahead. Two processes
 * that create locks of different epochs at the same moment see each other, and both try again. A lock that its process
 * can't remove, or does not know to have created, ends by itself: only its row stays.
 */
export class Lock {
	private readonly owner = newOwner();
	private readonly created = new Set<string>();

	/** @param rows without asking again, because a lock is tried for again as a whole */
	constructor(
		private readonly rows: Pick<Statements, 'create' | 'count' | 'remove'>,
		private readonly name: string,
		private readonly clock: Clock,
	) {}

	/**
	 * This may be called again after a failure. `release` ends the lock.
	 * @throws when others keep the lock, or the database does not answer
	 */
	async acquire(): Promise<void> {
		const start = this.clock.ticks();
		for (let pausedMs = 0; !(await this.tryToAcquire());) {
			if (pausedMs >= MAX_WAIT_MS) throw new Error(`${this.name} stays locked`);
			// The slower the database, the fewer attempts it gets.
			const waitedMs = Math.max(this.clock.ticks() - start, MIN_PAUSE_MS);
			const pauseMs = Math.min(waitedMs, MAX_PAUSE_MS) * (0.5 + Math.random());
			await this.clock.sleep(pauseMs);
			pausedMs += pauseMs;
		}
	}

	async release(): Promise<void> {
		for (const row of this.created) await this.remove(row);
	}

	private async tryToAcquire(): Promise<boolean> {
		const currentEpoch = () => Math.floor(this.clock.now() / EPOCH_MS);
		const epoch = currentEpoch();
		const row = this.rowOf(epoch);
		// Otherwise this would wait for its own lock of the epoch before.
		for (const each of this.created) if (each !== row) await this.remove(each);
		if (!(await this.rows.create(row, this.owner))) return false;
		this.created.add(row);
		const sinceStart = this.clock.now() % EPOCH_MS;
		const isFreeIn = async (each: number) => (await this.rows.count(this.rowOf(each))) === 0;
		let isFree = true;
		if (sinceStart < LEASE_MS) isFree = await isFreeIn(epoch - 1);
		else if (sinceStart >= EPOCH_MS - LEASE_MS) isFree = await isFreeIn(epoch + 1);
		// An attempt that was held up until here has used up the time of its lock.
		if (isFree && currentEpoch() === epoch) return true;
		await this.remove(row);
		return false;
	}

	/** Tries once, because if only the response was lost, the row may be another process's by now. */
	private async remove(row: string): Promise<void> {
		this.created.delete(row);
		await this.rows.remove(row).catch(() => undefined);
	}

	private rowOf(epoch: number): string {
		// Named so, the locks of an epoch are beside each other in the index of the table, of which few pages change.
		return `lock:${epoch}:${this.name}`;
	}
}
