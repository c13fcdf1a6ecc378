/** All waiting of the server, so that closing leaves nothing behind. */
export function createTimers() {
	const pending = new Map<NodeJS.Timeout, (stopped: boolean) => void>();
	let stopped = false;

	/** The callback learns whether it is called early because the server closes or starts over. */
	function after(ms: number, callback: (stopped: boolean) => void): void {
		if (stopped) return callback(true);
		const timer = setTimeout(() => {
			pending.delete(timer);
			callback(false);
		}, ms);
		pending.set(timer, callback);
	}

	function cancelAll(): void {
		const canceled = [...pending];
		pending.clear();
		for (const [timer, callback] of canceled) {
			clearTimeout(timer);
			callback(true);
		}
	}

	return {
		after,
		async wait(ms: number): Promise<void> {
			await new Promise<void>((resolve) => after(ms, () => resolve()));
		},
		cancelAll,
		stop(): void {
			stopped = true;
			cancelAll();
		},
	};
}

export type Timers = ReturnType<typeof createTimers>;
