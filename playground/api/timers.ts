/** All waiting of the server, so that closing leaves nothing behind. */
export function createTimers() {
	const pending = new Map<NodeJS.Timeout, (stopped: boolean) => void>();
	let stopped = false;

	/** The callback learns whether it is called early because the server closes. */
	function after(ms: number, callback: (stopped: boolean) => void): void {
		if (stopped) return callback(true);
		const timer = setTimeout(() => {
			pending.delete(timer);
			callback(false);
		}, ms);
		pending.set(timer, callback);
	}

	return {
		after,
		async wait(ms: number): Promise<void> {
			await new Promise<void>((resolve) => after(ms, () => resolve()));
		},
		stop(): void {
			stopped = true;
			for (const [timer, callback] of pending) {
				clearTimeout(timer);
				callback(true);
			}
			pending.clear();
		},
	};
}

export type Timers = ReturnType<typeof createTimers>;
