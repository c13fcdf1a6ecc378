/** Tasks run one after the other, also after one that fails. */
export class Queue {
	private last: Promise<unknown> = Promise.resolve();

	async run<T>(task: () => Promise<T>): Promise<T> {
		const own = this.last.then(task);
		this.last = own.catch(() => undefined);
		return await own;
	}
}
