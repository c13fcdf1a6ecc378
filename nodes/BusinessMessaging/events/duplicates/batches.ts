import type { Clock } from '../../transport/clock';

export type Write = (entries: string[]) => Promise<Set<string>>;

interface Waiting {
	entries: string[];
	write: Write;
	resolve: (before: Set<string>) => void;
	reject: (error: unknown) => void;
}

export interface Batches {
	/** Writes entries to a store, together with all others that wait for it in this process. */
	add: (store: string, entries: string[], write: Write) => Promise<Set<string>>;
}

/**
 * One write to a store at a time in this process.
 * @param rest what lies at least between two writes to a store
 */
export function createBatches(
	rest: (lastWriteMs: number) => Promise<void>,
	{ ticks }: Pick<Clock, 'ticks'>,
): Batches {
	const waiting = new Map<string, Waiting[]>();

	async function drain(store: string, queue: Waiting[]): Promise<void> {
		while (queue.length > 0) {
			const start = ticks();
			await writeAll(queue.splice(0));
			await rest(ticks() - start);
		}
		waiting.delete(store);
	}

	return {
		async add(store, entries, write) {
			return await new Promise((resolve, reject) => {
				const queue = waiting.get(store) ?? [];
				queue.push({ entries, write, resolve, reject });
				if (waiting.has(store)) return;
				waiting.set(store, queue);
				void drain(store, queue);
			});
		},
	};
}

async function writeAll(batch: Waiting[]): Promise<void> {
	try {
		const before = await batch[0].write(batch.flatMap(({ entries }) => entries));
		for (const { resolve } of batch) resolve(before);
	} catch (error) {
		for (const { reject } of batch) reject(error);
	}
}
