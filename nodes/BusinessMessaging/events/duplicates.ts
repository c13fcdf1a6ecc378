/** Keys seen lately, in this process. Adding and asking are one synchronous step. */
export interface RecentKeys {
	/** Whether the key is new; remembers it from now on. @param now epoch ms */
	add: (key: string, ttlMs: number, now: number) => boolean;
	/** Whether the key is remembered. @param now epoch ms */
	has: (key: string, now: number) => boolean;
	/** Forgets a key, so that its next delivery counts. */
	release: (key: string) => void;
	readonly size: number;
}

/** @param limit the oldest keys go when there are more */
export function createRecentKeys(limit: number): RecentKeys {
	const expiries = new Map<string, number>();
	const has = (key: string, now: number) => (expiries.get(key) ?? -Infinity) > now;
	return {
		add(key, ttlMs, now) {
			if (has(key, now)) return false;
			// A Map keeps the order of insertion: deleting first moves the key to the end.
			expiries.delete(key);
			expiries.set(key, now + ttlMs);
			dropOldest(expiries, limit, now);
			return true;
		},
		has,
		release(key) {
			expiries.delete(key);
		},
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
