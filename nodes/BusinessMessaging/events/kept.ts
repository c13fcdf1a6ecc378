/** Another process that was held up while it wrote, may undo entries that late. */
const KEEP_MS = 10_000;

/** Entries of stores that are to be written once more with whatever is written next. */
export interface Kept {
	add: (store: string, entries: string[]) => void;
	/** The entries of the last seconds. */
	of: (store: string) => string[];
}

/** @param now epoch ms */
export function createKept(now: () => number): Kept {
	const stores = new Map<string, Array<{ entries: string[]; untilMs: number }>>();
	const recent = (store: string) =>
		(stores.get(store) ?? []).filter(({ untilMs }) => untilMs > now());
	return {
		add(store, entries) {
			stores.set(store, [...recent(store), { entries, untilMs: now() + KEEP_MS }]);
		},
		of(store) {
			return recent(store).flatMap(({ entries }) => entries);
		},
	};
}
