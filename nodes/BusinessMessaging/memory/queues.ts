/** Tasks of one name run one after the other, also after one that fails. */
export class Queues {
	/** By name: the last task, for which the next one waits. */
	private readonly last = new Map<string, Promise<unknown>>();

	async run<T>(name: string, task: () => Promise<T>): Promise<T> {
		const before = this.last.get(name) ?? Promise.resolve();
		const own = before.then(task);
		this.last.set(
			name,
			own.catch(() => undefined),
		);
		return await own;
	}
}
