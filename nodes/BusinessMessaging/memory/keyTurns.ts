/** One task at a time for each key, in this process. */
export type InTurn = <T>(key: string, task: () => Promise<T>) => Promise<T>;

/** @param last the last task of each key that has not ended */
export function createKeyTurns(last = new Map<string, Promise<unknown>>()): InTurn {
	return async (key, task) => {
		const turn = (last.get(key) ?? Promise.resolve()).then(task);
		const end = turn
			.catch(() => undefined)
			.then(() => {
				if (last.get(key) === end) last.delete(key);
			});
		last.set(key, end);
		return await turn;
	};
}
