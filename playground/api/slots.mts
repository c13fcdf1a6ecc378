/** Lets at most `limit()` tasks run at once; the others wait their turn. */
export function createSlots(limit: () => number) {
	const queue: Array<() => void> = [];
	let running = 0;

	return async function inSlot<T>(task: () => Promise<T>): Promise<T> {
		if (running >= limit()) await new Promise<void>((resolve) => queue.push(resolve));
		else running += 1;
		try {
			return await task();
		} finally {
			// The slot passes to the next task, unless the limit has been lowered meanwhile.
			const next = running <= limit() ? queue.shift() : undefined;
			if (next) next();
			else running -= 1;
		}
	};
}
