import { sleep } from 'n8n-workflow';

export const UNITS_MS = { seconds: 1000, minutes: 60_000, hours: 3_600_000, days: 86_400_000 };
export const HOUR_MS = UNITS_MS.hours;

export interface Clock {
	/** Epoch ms, for dates. Jumps when somebody sets the clock. */
	now: () => number;
	/** Ms since a fixed moment, for durations. Only goes forward. */
	ticks: () => number;
	sleep: (ms: number) => Promise<void>;
}

export const systemClock: Clock = {
	now: () => Date.now(),
	ticks: () => performance.now(),
	sleep: async (ms) => await sleep(ms),
};

/** A canceled execution is noticed within this time. */
const SLICE_MS = 1000;

/** Waits; ends early when the execution is canceled. */
export async function pause(clock: Clock, ms: number, signal?: AbortSignal): Promise<void> {
	const end = clock.ticks() + ms;
	for (let left = ms; left > 0 && !signal?.aborted; left = end - clock.ticks()) {
		await clock.sleep(Math.min(left, SLICE_MS));
	}
}
