import type { Clock } from '../clock';

/** Longest time for which a timer outlives the work; n8n before 2.35 can't stop one. */
const SLICE_MS = 1000;

/** In place of a result. */
export const LATE: unique symbol = Symbol('late');

/**
 * Work that may never settle, with an end. What becomes of it later is heard by nobody, not even a
 * failure. Slept time counts, not the clock's: it may be set, and after n8n was held up an answer
 * that came meanwhile gets its turn first.
 */
export async function untilDeadline<T>(
	work: Promise<T>,
	ms: number,
	clock: Pick<Clock, 'sleep'>,
): Promise<T | typeof LATE> {
	let isSettled = false;
	const settling = work.finally(() => (isSettled = true));
	async function deadline(): Promise<typeof LATE> {
		for (let left = ms; left > 0 && !isSettled; left -= SLICE_MS) {
			await clock.sleep(Math.min(left, SLICE_MS));
		}
		return LATE;
	}
	return await Promise.race([settling, deadline()]);
}
