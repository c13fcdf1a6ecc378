import type { Clock } from '../../nodes/BusinessMessaging/clock';

let skippedMs = 0;

/** Real time, but sleeping takes none. Stands in for the node's clock by `jest.mock`. */
export const fastClock: Clock = {
	now: () => Date.now() + skippedMs,
	ticks: () => performance.now() + skippedMs,
	async sleep(ms) {
		skippedMs += ms;
		await new Promise((resolve) => setImmediate(resolve));
	},
};
