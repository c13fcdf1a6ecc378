import type { Clock } from '../clock';

/** Another process that was held up while it wrote, may undo entries that late. */
const KEEP_MS = 10_000;

/** Entries of stores that are to be written once more with whatever is written next. */
export interface RecentEntries {
	add: (store: string, entries: string[]) => void;
	remove: (store: string, entries: string[]) => void;
	/** The entries of the last seconds. */
	of: (store: string) => string[];
}

export function createRecentEntries({ ticks }: Pick<Clock, 'ticks'>): RecentEntries {
	const stores = new Map<string, Array<{ entries: string[]; untilMs: number }>>();
	const recent = (store: string) =>
		stores.get(store)?.filter(({ untilMs }) => untilMs > ticks()) ?? [];
	return {
		add(store, entries) {
			stores.set(store, [...recent(store), { entries, untilMs: ticks() + KEEP_MS }]);
		},
		remove(store, gone) {
			const left = recent(store).map(({ entries, untilMs }) => ({
				entries: entries.filter((entry) => !gone.includes(entry)),
				untilMs,
			}));
			stores.set(store, left);
		},
		of(store) {
			return recent(store).flatMap(({ entries }) => entries);
		},
	};
}
