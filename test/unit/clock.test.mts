import { pause, systemClock } from '../../nodes/BusinessMessaging/clock';
import { createVirtualClock } from '../support/virtualClock.mts';

it('a pause is as long when the clock is set back meanwhile', async () => {
	const clock = createVirtualClock();
	void clock.sleep(1500).then(() => clock.set(-3_600_000));
	await clock.run(pause(clock, 5000));
	expect(clock.ticks()).toBe(5000);
});

it('the time that passes does not depend on the date', () => {
	const before = systemClock.ticks();
	const date = jest.spyOn(Date, 'now').mockReturnValue(0);
	expect(systemClock.now()).toBe(0);
	expect(systemClock.ticks()).toBeGreaterThanOrEqual(before);
	date.mockRestore();
});
