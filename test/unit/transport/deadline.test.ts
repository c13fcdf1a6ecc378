import { LATE, untilDeadline } from '../../../nodes/BusinessMessaging/transport/deadline';
import { createVirtualClock } from '../../support/virtualClock.ts';

const never = new Promise<never>(() => undefined);

describe('work with a deadline', () => {
	it('that never ends is given up at the deadline, and not before', async () => {
		const clock = createVirtualClock();
		const start = clock.now();
		expect(await clock.run(untilDeadline(never, 2500, clock))).toBe(LATE);
		expect(clock.now() - start).toBe(2500);
	});

	it('ends with its own result or failure, and leaves no timer longer than a second', async () => {
		const slept: number[] = [];
		const clock = {
			sleep: async (ms: number) => {
				slept.push(ms);
				await never;
			},
		};
		expect(await untilDeadline(Promise.resolve('done'), 600_000, clock)).toBe('done');
		const failing = untilDeadline(Promise.reject(new Error('failed')), 600_000, clock);
		await expect(failing).rejects.toThrow('failed');
		expect(slept).toEqual([1000, 1000]);
	});

	it('sleeps no more once it has ended', async () => {
		let naps = 0;
		let finish: (value: string) => void = () => undefined;
		const work = new Promise<string>((resolve) => (finish = resolve));
		const clock = {
			sleep: async () => {
				if (++naps === 3) finish('done');
				await new Promise((resolve) => setImmediate(resolve));
			},
		};
		expect(await untilDeadline(work, 600_000, clock)).toBe('done');
		await new Promise((resolve) => setTimeout(resolve));
		expect(naps).toBe(3);
	});

	it('may fail later without anybody hearing of it', async () => {
		const unhandled = jest.fn();
		process.once('unhandledRejection', unhandled);
		let fail: (reason: Error) => void = () => undefined;
		const work = new Promise<never>((_, reject) => (fail = reject));
		expect(await untilDeadline(work, 1, { sleep: async () => undefined })).toBe(LATE);
		fail(new Error('too late'));
		await new Promise((resolve) => setImmediate(resolve));
		process.off('unhandledRejection', unhandled);
		expect(unhandled).not.toHaveBeenCalled();
	});
});
