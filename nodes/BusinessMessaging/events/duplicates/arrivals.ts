import type { Clock } from '../../clock';
import type { RecentKeys } from './recentKeys';

/** The sender gives up after 5 s (6.4); a second is for n8n and the network. */
const MAX_WAIT_MS = 4000;
/** Each holds what n8n set up for its request. */
const MAX_WAITING = 100;

/** `first`: to be handled now; `stored`: n8n has it; `underWay`: whether n8n will have it is not known yet. */
export type Arrival = 'first' | 'stored' | 'underWay';

interface UnderWay {
	isStored: Promise<boolean>;
	settle: (isStored: boolean) => void;
}

export interface Arrivals {
	/**
	 * Whether a delivery is the first of its key. A copy of one that is under way waits for what
	 * becomes of it: it is `stored` then, or `first` when the other failed. Whoever is `first` is under way
	 * from that very step on, until it is settled.
	 */
	arrive: (key: string, ttlMs: number) => Promise<Arrival>;
	/** What became of the delivery that is under way. */
	settle: (key: string, isStored: boolean) => void;
}

/** @param stored keeps the keys of what n8n has */
export function createArrivals(stored: RecentKeys, { sleep }: Pick<Clock, 'sleep'>): Arrivals {
	const underWay = new Map<string, UnderWay & { ttlMs: number }>();
	let waiting = 0;

	async function wait(key: string, ttlMs: number): Promise<Arrival> {
		const isTimeOver = sleep(MAX_WAIT_MS).then(() => true);
		for (;;) {
			const other = underWay.get(key);
			if (!other) return now(key, ttlMs);
			const isSettled = other.isStored.then(() => false);
			if (await Promise.race([isSettled, isTimeOver])) return 'underWay';
		}
	}

	/** Asks and begins in one synchronous step. */
	function now(key: string, ttlMs: number): Arrival {
		if (stored.has(key)) return 'stored';
		if (underWay.has(key)) return 'underWay';
		underWay.set(key, { ...createUnderWay(), ttlMs });
		return 'first';
	}

	return {
		async arrive(key, ttlMs) {
			const arrival = now(key, ttlMs);
			if (arrival !== 'underWay' || waiting >= MAX_WAITING) return arrival;
			waiting++;
			try {
				return await wait(key, ttlMs);
			} finally {
				waiting--;
			}
		},
		settle(key, isStored) {
			const settled = underWay.get(key);
			if (!settled) return;
			underWay.delete(key);
			if (isStored) stored.add(key, settled.ttlMs);
			settled.settle(isStored);
		},
	};
}

function createUnderWay(): UnderWay {
	let settle: UnderWay['settle'] = () => undefined;
	const isStored = new Promise<boolean>((resolve) => (settle = resolve));
	return { isStored, settle };
}
