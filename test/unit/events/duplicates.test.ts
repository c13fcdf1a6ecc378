import fc from 'fast-check';

import { createRecentKeys } from '../../../nodes/BusinessMessaging/events/duplicates';

const HOUR_MS = 3_600_000;
const NOW = Date.UTC(2026, 0, 31, 12);

describe('recent keys', () => {
	it('know a key until its time is over, to the millisecond', () => {
		const keys = createRecentKeys(10);
		expect(keys.add('a', HOUR_MS, NOW)).toBe(true);
		expect(keys.add('a', HOUR_MS, NOW)).toBe(false);
		expect(keys.add('a', HOUR_MS, NOW + HOUR_MS - 1)).toBe(false);
		expect(keys.add('a', HOUR_MS, NOW + HOUR_MS)).toBe(true);
	});

	it('a repetition does not prolong the time', () => {
		const keys = createRecentKeys(10);
		keys.add('a', HOUR_MS, NOW);
		keys.add('a', HOUR_MS, NOW + HOUR_MS / 2);
		expect(keys.add('a', HOUR_MS, NOW + HOUR_MS)).toBe(true);
	});

	it('know a key again that came back after its time', () => {
		const keys = createRecentKeys(10);
		keys.add('a', HOUR_MS, NOW);
		keys.add('a', HOUR_MS, NOW + 2 * HOUR_MS);
		expect(keys.add('a', HOUR_MS, NOW + 3 * HOUR_MS - 1)).toBe(false);
	});

	it('a released key counts as new, and releasing an unknown one does nothing', () => {
		const keys = createRecentKeys(10);
		keys.add('a', HOUR_MS, NOW);
		keys.release('a');
		keys.release('never seen');
		expect(keys.size).toBe(0);
		expect(keys.add('a', HOUR_MS, NOW)).toBe(true);
		expect(keys.add('a', HOUR_MS, NOW)).toBe(false);
	});

	it('above the limit the oldest go first', () => {
		const keys = createRecentKeys(2);
		for (const key of ['a', 'b', 'c']) keys.add(key, HOUR_MS, NOW);
		expect(keys.size).toBe(2);
		expect(keys.add('b', HOUR_MS, NOW)).toBe(false);
		expect(keys.add('c', HOUR_MS, NOW)).toBe(false);
		expect(keys.add('a', HOUR_MS, NOW)).toBe(true);
	});

	it('a key that came back after its time is no longer the oldest', () => {
		const keys = createRecentKeys(2);
		keys.add('a', 1, NOW);
		keys.add('b', HOUR_MS, NOW);
		keys.add('a', HOUR_MS, NOW + 1);
		keys.add('c', HOUR_MS, NOW + 1);
		expect(keys.add('a', HOUR_MS, NOW + 1)).toBe(false);
	});

	it('expired keys at the old end are dropped below the limit too', () => {
		const keys = createRecentKeys(100);
		for (let index = 0; index < 50; index++) keys.add(`old ${index}`, HOUR_MS, NOW);
		keys.add('new', HOUR_MS, NOW + HOUR_MS);
		expect(keys.size).toBe(1);
	});

	it('names of the prototype are keys like others', () => {
		const keys = createRecentKeys(10);
		for (const key of ['__proto__', 'constructor', '']) {
			expect(keys.add(key, HOUR_MS, NOW)).toBe(true);
			expect(keys.add(key, HOUR_MS, NOW)).toBe(false);
		}
	});

	it('behave like a plain record of expiry times, as long as the limit is not reached', () => {
		const step = fc.record({
			key: fc.constantFrom('a', 'b', 'c', 'd'),
			ttlMs: fc.nat(50),
			passedMs: fc.nat(20),
			isRelease: fc.boolean(),
		});
		fc.assert(
			fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
				const keys = createRecentKeys(10);
				const model = new Map<string, number>();
				let now = NOW;
				for (const { key, ttlMs, passedMs, isRelease } of steps) {
					now += passedMs;
					if (isRelease) {
						keys.release(key);
						model.delete(key);
						continue;
					}
					const isNew = (model.get(key) ?? 0) <= now;
					expect(keys.add(key, ttlMs, now)).toBe(isNew);
					if (isNew) model.set(key, now + ttlMs);
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
					const keys = createRecentKeys(limit);
					for (const key of added) {
						keys.add(key, HOUR_MS, NOW);
						expect(keys.size).toBeLessThanOrEqual(limit);
						expect(keys.add(key, HOUR_MS, NOW)).toBe(false);
					}
				},
			),
		);
	});
});
