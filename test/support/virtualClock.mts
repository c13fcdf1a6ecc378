import type { Clock } from '../../nodes/BusinessMessaging/clock';

export interface VirtualClock extends Clock {
	/** Lets all sleepers run, in the order of their times, until the work is done. */
	run: <T>(work: Promise<T>) => Promise<T>;
	/** So many ms later; who would have woken meanwhile sleeps on until `run`. */
	pass: (ms: number) => void;
	/** Somebody sets the clock: by so many ms forward, or back. */
	set: (ms: number) => void;
}

/** A clock that jumps to the next sleeper's time as soon as everybody sleeps. */
export function createVirtualClock(startMs = Date.UTC(2026, 0, 31, 12)): VirtualClock {
	let ticks = 0;
	let start = startMs;
	/** The next one first. */
	const timers: Array<{ at: number; wake: () => void }> = [];

	async function everybodySleeps(): Promise<void> {
		for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve));
	}

	return {
		now: () => start + ticks,
		ticks: () => ticks,
		sleep: async (ms) =>
			await new Promise((wake) => {
				const at = ticks + Math.max(ms, 1);
				timers.splice(timers.findLastIndex((timer) => timer.at <= at) + 1, 0, { at, wake });
			}),
		async run(work) {
			let isDone = false;
			const done = work.finally(() => (isDone = true));
			done.catch(() => undefined);
			for (;;) {
				await everybodySleeps();
				if (isDone) return await done;
				if (timers.length === 0) throw new Error('Nobody sleeps and the work is not done');
				const due = timers[0].at;
				ticks = Math.max(ticks, due);
				while (timers[0]?.at === due) timers.shift()?.wake();
			}
		},
		pass(ms) {
			ticks += ms;
		},
		set(ms) {
			start += ms;
		},
	};
}
