import fc from 'fast-check';

import { createPacer, sharedPacer } from '../../../nodes/BusinessMessaging/transport/pacing';
import type { Pacer } from '../../../nodes/BusinessMessaging/transport/pacing';

const WINDOW_MS = 60_000;
const START = Date.UTC(2026, 0, 31, 12);

/** Takes as many places as there are at one moment. */
function takeAll(pacer: Pacer, limit: number, now: number): number {
	let taken = 0;
	while (taken < 10_000 && pacer.take(limit, now) === 0) taken++;
	return taken;
}

describe('without headers', () => {
	it('gives the whole limit at once, and the next place a window after the first end', () => {
		const pacer = createPacer();
		expect(takeAll(pacer, 60, START)).toBe(60);
		for (let ended = 0; ended < 60; ended++) pacer.ended(START + 100);
		expect(pacer.take(60, START + 100)).toBe(WINDOW_MS);
		expect(pacer.take(60, START + 99 + WINDOW_MS)).toBe(1);
		expect(takeAll(pacer, 60, START + 100 + WINDOW_MS)).toBe(60);
	});

	it('counts requests under way as long as they have not ended', () => {
		const pacer = createPacer();
		takeAll(pacer, 2, START);
		expect(pacer.take(2, START + 10 * WINDOW_MS)).toBeGreaterThan(0);
	});

	it('waits for the end of the request that frees the next place, beside those under way', () => {
		const pacer = createPacer();
		takeAll(pacer, 3, START);
		pacer.ended(START + 100);
		pacer.ended(START + 200);
		expect(pacer.take(3, START + 200)).toBe(WINDOW_MS - 100);
	});

	it('lets ask again soon while what is under way takes all places', () => {
		const pacer = createPacer();
		takeAll(pacer, 2, START);
		expect(pacer.take(2, START)).toBe(20);
	});

	it('forgets the oldest of more requests than it can remember', () => {
		const pacer = createPacer();
		for (let ended = 0; ended <= 10_000; ended++) pacer.ended(START + ended);
		expect(pacer.take(10_000, START + 10_000)).toBe(WINDOW_MS - 9999);
		expect(pacer.take(10_001, START + 10_000)).toBe(0);
	});

	it('has no more places than the limit after a request that it did not give a place to', () => {
		const pacer = createPacer();
		pacer.ended(START);
		expect(takeAll(pacer, 2, START)).toBe(1);
	});

	it('does not wait at all with a limit of 0', () => {
		expect(takeAll(createPacer(), 0, START)).toBe(10_000);
	});

	it('never has more requests in any window than the limit, whenever answers come', () => {
		const latencies = fc.array(fc.integer({ min: 0, max: 90_000 }), {
			minLength: 1,
			maxLength: 200,
		});
		const pauses = fc.array(fc.integer({ min: 0, max: 20_000 }), { minLength: 1, maxLength: 50 });
		fc.assert(
			fc.property(fc.integer({ min: 1, max: 20 }), latencies, pauses, (limit, answers, gaps) => {
				const pacer = createPacer();
				const spans: Array<{ start: number; end: number }> = [];
				const underWay: number[] = [];
				let now = START;
				for (const [index, latency] of answers.entries()) {
					now += gaps[index % gaps.length];
					for (let wait = -1; wait !== 0;) {
						for (const end of underWay.filter((time) => time <= now)) {
							underWay.splice(underWay.indexOf(end), 1);
							pacer.ended(end);
						}
						wait = pacer.take(limit, now);
						now += wait;
					}
					spans.push({ start: now, end: now + latency });
					underWay.push(now + latency);
				}
				// The API may count a request at any moment between its start and its end.
				for (const counted of [
					spans.map(({ start }) => start),
					spans.map(({ end }) => end),
					spans.map(({ start, end }) => Math.floor((start + end) / 2)),
				]) {
					for (const from of counted) {
						const inWindow = counted.filter((time) => time >= from && time < from + WINDOW_MS);
						if (inWindow.length > limit) return false;
					}
				}
				return true;
			}),
			{ numRuns: 300 },
		);
	});
});

describe('with the headers of the API', () => {
	it('waits for the reset when nothing remains, although its own count has room', () => {
		const pacer = createPacer();
		pacer.take(60, START);
		pacer.ended(START + 50, { remaining: 0, resetInMs: 12_000 });
		expect(pacer.take(60, START + 50)).toBe(12_000);
		expect(takeAll(pacer, 60, START + 12_050)).toBe(59);
	});

	it('leaves room for requests that the API may not have counted yet', () => {
		const pacer = createPacer();
		for (let started = 0; started < 4; started++) pacer.take(60, START);
		pacer.ended(START + 50, { remaining: 4, resetInMs: 10_000 });
		expect(takeAll(pacer, 60, START + 50)).toBe(1);
	});

	it('goes by the lowest count of a window, however the answers overtake each other', () => {
		const pacer = createPacer();
		for (let started = 0; started < 2; started++) pacer.take(60, START);
		pacer.ended(START + 50, { remaining: 0, resetInMs: 10_000 });
		pacer.ended(START + 60, { remaining: 1, resetInMs: 9990 });
		expect(pacer.take(60, START + 60)).toBe(9990);
	});

	it('takes a reset that is later by a second of rounding for the same window', () => {
		const pacer = createPacer();
		for (let started = 0; started < 2; started++) pacer.take(60, START);
		pacer.ended(START, { remaining: 0, resetInMs: 10_000 });
		pacer.ended(START, { remaining: 9, resetInMs: 11_000 });
		expect(pacer.take(60, START)).toBe(10_000);
	});

	it('takes a reset that is later than that for a new window', () => {
		const pacer = createPacer();
		for (let started = 0; started < 2; started++) pacer.take(60, START);
		pacer.ended(START, { remaining: 0, resetInMs: 10_000 });
		pacer.ended(START, { remaining: 1, resetInMs: 11_001 });
		expect(pacer.take(60, START)).toBe(0);
		expect(pacer.take(60, START)).toBe(20);
		expect(pacer.take(60, START + 10_995)).toBe(6);
	});

	it.each([{ remaining: 0 }, { resetInMs: 10_000 }, {}, undefined])(
		'goes by its own count when they say no more than %p',
		(rateLimit) => {
			const pacer = createPacer();
			pacer.take(60, START);
			pacer.ended(START, rateLimit);
			expect(takeAll(pacer, 60, START)).toBe(59);
			pacer.ended(START, { remaining: 0, resetInMs: 10_000 });
			expect(pacer.take(60, START)).toBe(10_000);
		},
	);

	it('does not go by what they say with a limit of 0', () => {
		const pacer = createPacer();
		pacer.take(0, START);
		pacer.ended(START, { remaining: 0, resetInMs: 10_000 });
		expect(pacer.take(0, START)).toBe(0);
	});

	it('takes the count of a new window', () => {
		const pacer = createPacer();
		pacer.take(60, START);
		pacer.ended(START, { remaining: 0, resetInMs: 1000 });
		pacer.take(60, START + 1000);
		pacer.ended(START + 1010, { remaining: 59, resetInMs: 10_000 });
		expect(takeAll(pacer, 60, START + 1010)).toBe(58);
	});

	it('sends nothing before the end of a pause after 429, even without a limit', () => {
		const pacer = createPacer();
		pacer.blockUntil(START + 5000);
		pacer.blockUntil(START + 3000);
		expect(pacer.take(0, START)).toBe(5000);
		expect(takeAll(pacer, 3, START + 5000)).toBe(3);
	});
});

describe('shared pacers', () => {
	it('are one for the same base URL and key, and different otherwise', () => {
		const connection = { baseUrl: 'https://api.example.com', apiKey: 'key-1' };
		const pacer = sharedPacer(connection, START);
		pacer.take(60, START);
		expect(sharedPacer({ ...connection }, START)).toBe(pacer);
		expect(sharedPacer({ ...connection, apiKey: 'key-2' }, START)).not.toBe(pacer);
		expect(sharedPacer({ ...connection, baseUrl: 'https://b.example.com' }, START)).not.toBe(pacer);
	});

	it.each<[string, (pacer: Pacer) => void, number, boolean]>([
		['was never used', () => undefined, 0, true],
		['has a request under way', (pacer) => pacer.take(60, START), 0, false],
		['had a request a minute ago', (pacer) => pacer.ended(START), WINDOW_MS, true],
		['had a request less than a minute ago', (pacer) => pacer.ended(START), WINDOW_MS - 1, false],
		['has a pause that is over', (pacer) => pacer.blockUntil(START + 5), 5, true],
		['has a pause', (pacer) => pacer.blockUntil(START + 5), 4, false],
		[
			'has a window of the API that is longer than its own',
			(pacer) => pacer.ended(START, { remaining: 0, resetInMs: WINDOW_MS + 5 }),
			WINDOW_MS + 4,
			false,
		],
		[
			'had a window of the API',
			(pacer) => pacer.ended(START, { remaining: 0, resetInMs: WINDOW_MS + 5 }),
			WINDOW_MS + 5,
			true,
		],
	])('that %s are forgotten when another account comes, or not', (name, use, age, forgotten) => {
		const account = { baseUrl: 'https://api.example.com', apiKey: name };
		const pacer = sharedPacer(account, START);
		use(pacer);
		sharedPacer({ ...account, apiKey: `after ${name}` }, START + age);
		expect(sharedPacer(account, START + age) !== pacer).toBe(forgotten);
	});
});
