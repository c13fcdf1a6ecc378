type Write = (entries: string[]) => Promise<Set<string>>;

interface Waiting {
	entries: string[];
	write: Write;
	resolve: (before: Set<string>) => void;
	reject: (error: unknown) => void;
}

export interface Batches {
	/** Writes entries to a store, with those of others that wait for it, one batch at a time. */
	add: (store: string, entries: string[], write: Write) => Promise<Set<string>>;
}

/** Joins writes to one store that overlap in this process, which would undo each other. */
export function createBatches(): Batches {
	const waiting = new Map<string, Waiting[]>();

	async function drain(store: string, queue: Waiting[]): Promise<void> {
		while (queue.length > 0) {
			const batch = takeDistinct(queue);
			try {
				const before = await batch[0].write(batch.flatMap(({ entries }) => entries));
				for (const { resolve } of batch) resolve(before);
			} catch (error) {
				for (const { reject } of batch) reject(error);
			}
		}
		waiting.delete(store);
	}

	return {
		async add(store, entries, write) {
			return await new Promise((resolve, reject) => {
				const queue = waiting.get(store);
				const turn = { entries, write, resolve, reject };
				if (queue) {
					queue.push(turn);
					return;
				}
				const started = [turn];
				waiting.set(store, started);
				void drain(store, started);
			});
		},
	};
}

/** Copies of one event must see each other, so only the first of them goes into a batch. */
function takeDistinct(queue: Waiting[]): Waiting[] {
	const seen = new Set<string>();
	const batch = queue.filter(({ entries }) => {
		if (entries.some((entry) => seen.has(entry))) return false;
		entries.forEach((entry) => seen.add(entry));
		return true;
	});
	const rest = queue.filter((turn) => !batch.includes(turn));
	queue.splice(0, queue.length, ...rest);
	return batch;
}
