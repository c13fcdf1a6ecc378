import type { Clock } from '../../clock';

/** Keys seen lately, in this process. Adding and asking are one synchronous step. */
export interface RecentKeys {
	/** Remembers the key from now on. @returns whether it is new */
	add: (key: string, ttlMs: number) => boolean;
	/** Whether the key is remembered. */
	has: (key: string) => boolean;
	readonly size: number;
}

/** @param limit the oldest keys go when there are more */
export function createRecentKeys(limit: number, { ticks }: Pick<Clock, 'ticks'>): RecentKeys {
	const expiries = new Map<string, number>();
	const has = (key: string) => (expiries.get(key) ?? -Infinity) > ticks();
	return {
		add(key, ttlMs) {
			if (has(key)) return false;
			const now = ticks();
			// A Map keeps the order of insertion: deleting first moves the key to the end.
			expiries.delete(key);
			expiries.set(key, now + ttlMs);
			dropOldest(expiries, limit, now);
			return true;
		},
		has,
		get size() {
			return expiries.size;
		},
	};
}

/** Drops what is over the limit, and expired keys at the old end while it is there. */
function dropOldest(expiries: Map<string, number>, limit: number, now: number): void {
	for (const [key, expiry] of expiries) {
		if (expiries.size <= limit && expiry > now) return;
		expiries.delete(key);
	}
}
