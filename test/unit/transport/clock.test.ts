import { systemClock } from '../../../nodes/BusinessMessaging/transport/clock';

test("the system's clock sleeps: what is ready comes first", async () => {
	const slept = systemClock.sleep(0).then(() => 'slept');
	expect(await Promise.race([slept, Promise.resolve('ready')])).toBe('ready');
	expect(await slept).toBe('slept');
});
