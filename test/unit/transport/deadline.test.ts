import { LATE, untilDeadline } from '../../../nodes/BusinessMessaging/transport/deadline';
import { createVirtualClock, type VirtualClock } from '../../support/virtualClock.ts';

const never = new Promise<never>(() => undefined);

let clock: VirtualClock;
let sleep: jest.SpyInstance;

beforeEach(() => {
	clock = createVirtualClock();
	sleep = jest.spyOn(clock, 'sleep');
});

describe('work with a deadline', () => {
	it('that never ends is given up at the deadline, and not before', async () => {
		expect(await clock.run(untilDeadline(never, 2500, clock))).toBe(LATE);
		expect(clock.ticks()).toBe(2500);
	});

	it('ends with its own result or failure, and leaves no timer longer than a second', async () => {
		expect(await untilDeadline(Promise.resolve('done'), 600_000, clock)).toBe('done');
		const failing = untilDeadline(Promise.reject(new Error('failed')), 600_000, clock);
		await expect(failing).rejects.toThrow('failed');
		expect(sleep.mock.calls).toEqual([[1000], [1000]]);
	});

	it('sleeps no more once it has ended', async () => {
		const work = clock.sleep(2500).then(() => 'done');
		expect(await clock.run(untilDeadline(work, 600_000, clock))).toBe('done');
		await clock.run(clock.sleep(600_000));
		expect(sleep.mock.calls).toEqual([[2500], [1000], [1000], [1000], [600_000]]);
	});

	it('may fail later without anybody hearing of it', async () => {
		const unhandled = jest.fn();
		process.once('unhandledRejection', unhandled);
		let fail: (reason: Error) => void = () => undefined;
		const work = new Promise<never>((_, reject) => (fail = reject));
		expect(await clock.run(untilDeadline(work, 1, clock))).toBe(LATE);
		fail(new Error('too late'));
		await new Promise((resolve) => setImmediate(resolve));
		process.off('unhandledRejection', unhandled);
		expect(unhandled).not.toHaveBeenCalled();
	});
});
