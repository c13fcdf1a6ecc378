import type { Log } from '../run.mts';

/** What has been started, to be stopped once and in reverse order. */
export function createShutdown(say: Log) {
	const stops: Array<() => unknown> = [];
	let stopping: Promise<void> | undefined;

	async function stopInReverse() {
		for (const stop of stops.reverse()) await stop();
	}

	const shutdown = {
		add(stop: () => unknown): void {
			stops.push(stop);
		},
		async stop(): Promise<void> {
			stopping ??= stopInReverse();
			await stopping;
		},
		isStopping: () => stopping !== undefined,
		/** Ctrl-C stops everything in order; a second one at once. */
		onSignal(): void {
			for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
				process.on(signal, () => {
					if (stopping) process.exit(1);
					say('\nStopping …');
					void shutdown.stop().finally(() => process.exit(0));
				});
			}
		},
	};
	return shutdown;
}
