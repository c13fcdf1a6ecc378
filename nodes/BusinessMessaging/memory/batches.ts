import type { Clock } from '../clock';

export interface Change {
	added: string[];
	removed: string[];
}

/** @returns what was there before, of all that is added */
export type Write = (change: Change) => Promise<Set<string>>;

interface WaitingChange {
	change: Change;
	write: Write;
	resolve: (before: Set<string>) => void;
	reject: (error: unknown) => void;
}

export interface Batches {
	/** Changes a store, together with all other changes that wait for it in this process. */
	add: (store: string, change: Change, write: Write) => Promise<Set<string>>;
}

/**
 * One write to a store at a time in this process.
 * @param rest what lies at least between two writes to a store
 */
export function createBatches(
	rest: (lastWriteMs: number) => Promise<void>,
	{ ticks }: Pick<Clock, 'ticks'>,
): Batches {
	const waiting = new Map<string, WaitingChange[]>();

	async function drain(store: string, queue: WaitingChange[]): Promise<void> {
		while (queue.length > 0) {
			const start = ticks();
			await writeAll(queue.splice(0));
			await rest(ticks() - start);
		}
		waiting.delete(store);
	}

	return {
		async add(store, change, write) {
			return await new Promise((resolve, reject) => {
				const queue = waiting.get(store) ?? [];
				queue.push({ change, write, resolve, reject });
				if (waiting.has(store)) return;
				waiting.set(store, queue);
				void drain(store, queue);
			});
		},
	};
}

async function writeAll(batch: WaitingChange[]): Promise<void> {
	try {
		const before = await batch[0].write({
			added: batch.flatMap(({ change }) => change.added),
			removed: batch.flatMap(({ change }) => change.removed),
		});
		for (const { resolve } of batch) resolve(before);
	} catch (error) {
		for (const { reject } of batch) reject(error);
	}
}
