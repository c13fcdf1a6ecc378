import fc from 'fast-check';

import { createRecentKeys } from '../../../../nodes/BusinessMessaging/events/duplicates/recentKeys';
import { createVirtualClock } from '../../../support/virtualClock.ts';

const HOUR_MS = 3_600_000;

function scene(limit: number) {
	const clock = createVirtualClock();
	return { clock, keys: createRecentKeys(limit, clock) };
}

describe('recent keys', () => {
	it('know a key until its time is over, to the millisecond', () => {
		const { keys, clock } = scene(10);
		expect(keys.add('a', HOUR_MS)).toBe(true);
		expect(keys.add('a', HOUR_MS)).toBe(false);
		clock.pass(HOUR_MS - 1);
		expect(keys.add('a', HOUR_MS)).toBe(false);
		clock.pass(1);
		expect(keys.add('a', HOUR_MS)).toBe(true);
	});

	it('keep their time when somebody sets the clock', () => {
		const { keys, clock } = scene(10);
		keys.add('a', HOUR_MS);
		clock.set(2 * HOUR_MS);
		expect(keys.has('a')).toBe(true);
		clock.set(-4 * HOUR_MS);
		clock.pass(HOUR_MS);
		expect(keys.has('a')).toBe(false);
	});

	it('above the limit the oldest go first', () => {
		const { keys } = scene(2);
		for (const key of ['a', 'b', 'c']) keys.add(key, HOUR_MS);
		expect(keys.size).toBe(2);
		expect(keys.add('b', HOUR_MS)).toBe(false);
		expect(keys.add('c', HOUR_MS)).toBe(false);
		expect(keys.add('a', HOUR_MS)).toBe(true);
	});

	it('a key that came back after its time is no longer the oldest', () => {
		const { keys, clock } = scene(2);
		keys.add('a', 1);
		keys.add('b', HOUR_MS);
		clock.pass(1);
		keys.add('a', HOUR_MS);
		keys.add('c', HOUR_MS);
		expect(keys.add('a', HOUR_MS)).toBe(false);
	});

	it('expired keys at the old end are dropped below the limit too', () => {
		const { keys, clock } = scene(100);
		for (let index = 0; index < 50; index++) keys.add(`old ${index}`, HOUR_MS);
		clock.pass(HOUR_MS);
		keys.add('new', HOUR_MS);
		expect(keys.size).toBe(1);
	});

	it('names of the prototype are keys like others', () => {
		const { keys } = scene(10);
		for (const key of ['__proto__', 'constructor', '']) {
			expect(keys.add(key, HOUR_MS)).toBe(true);
			expect(keys.add(key, HOUR_MS)).toBe(false);
		}
	});

	it('behave like a plain record of expiry times, as long as the limit is not reached', () => {
		const step = fc.record({
			key: fc.constantFrom('a', 'b', 'c', 'd'),
			ttlMs: fc.nat(50),
			passedMs: fc.nat(20),
		});
		fc.assert(
			fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
				const { keys, clock } = scene(10);
				const model = new Map<string, number>();
				for (const { key, ttlMs, passedMs } of steps) {
					clock.pass(passedMs);
					const isNew = (model.get(key) ?? 0) <= clock.ticks();
					expect(keys.add(key, ttlMs)).toBe(isNew);
					if (isNew) model.set(key, clock.ticks() + ttlMs);
				}
			}),
		);
	});

	it('never hold more than the limit', () => {
		fc.assert(
			fc.property(
				fc.integer({ min: 1, max: 5 }),
				fc.array(fc.string(), { maxLength: 40 }),
				(limit, added) => {
					const { keys } = scene(limit);
					for (const key of added) {
						keys.add(key, HOUR_MS);
						expect(keys.size).toBeLessThanOrEqual(limit);
						expect(keys.add(key, HOUR_MS)).toBe(false);
					}
				},
			),
		);
	});
});
