import type { Clock } from '../../nodes/BusinessMessaging/transport/clock';

interface Timer {
	at: number;
	wake: () => void;
}

export interface VirtualClock extends Clock {
	/** Lets all sleepers run, in the order of their times, until the work is done. */
	run: <T>(work: Promise<T>) => Promise<T>;
}

/** A clock that jumps to the next sleeper's time as soon as everybody sleeps. */
export function createVirtualClock(startMs = Date.UTC(2026, 0, 31, 12)): VirtualClock {
	let now = startMs;
	let timers: Timer[] = [];

	async function everybodySleeps(): Promise<void> {
		for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve));
	}

	return {
		now: () => now,
		sleep: async (ms) =>
			await new Promise((resolve) => {
				timers.push({ at: now + Math.max(ms, 1), wake: resolve });
			}),
		async run(work) {
			let isDone = false;
			const done = work.finally(() => (isDone = true));
			done.catch(() => undefined);
			for (;;) {
				await everybodySleeps();
				if (isDone) return await done;
				if (timers.length === 0) throw new Error('Nobody sleeps and the work is not done');
				timers.sort((a, b) => a.at - b.at);
				const due = timers[0].at;
				const woken = timers.filter(({ at }) => at === due);
				timers = timers.filter(({ at }) => at !== due);
				now = due;
				for (const { wake } of woken) wake();
			}
		},
	};
}
