import type { Clock } from './clock';

/** Time during which at least one of several overlapping waits was going on. */
export function createStopwatch({ now }: Clock) {
	let running = 0;
	let startedAt = 0;
	let total = 0;
	return {
		async during(wait: Promise<void>): Promise<void> {
			if (running++ === 0) startedAt = now();
			await wait;
			if (--running === 0) total += now() - startedAt;
		},
		totalMs: () => total,
	};
}
