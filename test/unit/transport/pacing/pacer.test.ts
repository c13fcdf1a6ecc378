import fc from 'fast-check';

import { createPacer } from '../../../../nodes/BusinessMessaging/transport/pacing/pacer';
import type { Pacer, Place } from '../../../../nodes/BusinessMessaging/transport/pacing/pacer';
import type { RateLimit } from '../../../../nodes/BusinessMessaging/transport/pacing/rateLimit';

const WINDOW_MS = 60_000;

const send = (limit = 60, left = 100): Place => ({ kind: 'main', limit, left });
const lookUp: Place = { ...send(), kind: 'lookUp' };
const lastLookUp: Place = { ...send(), kind: 'lastLookUp' };
const spareLookUp: Place = { ...send(), kind: 'spareLookUp' };

const newPacer = () => createPacer(() => 0);

/** Requests one after the other, each answered at once, as soon as there is a place. @returns when each began */
function ask(pacer: Pacer, count: number, from: number, rateLimit: RateLimit = {}, place = send()) {
	const starts: number[] = [];
	let now = from;
	while (starts.length < count) {
		const wait = pacer.wait(place, now);
		now += wait;
		if (wait > 0) continue;
		starts.push(now);
		pacer.end(pacer.begin(place, now), now, 'answered', rateLimit);
	}
	return starts;
}

function refuse(pacer: Pacer, now: number, rateLimit: RateLimit = {}): void {
	pacer.end(pacer.begin(send(), now), now, 'refused', rateLimit);
}

describe('without headers', () => {
	it('takes the limit within seconds, and the next place a window after the first', () => {
		const starts = ask(newPacer(), 61, 0);
		expect(starts[59]).toBe(59 * 100);
		expect(starts[60]).toBe(WINDOW_MS);
	});

	it('has one under way until the first answer, and one more after every four', () => {
		const pacer = newPacer();
		const first = pacer.begin(send(), 0);
		expect(pacer.wait(send(), 1000)).toBe(Infinity);
		pacer.end(first, 1000, 'answered', {});
		ask(pacer, 4, 2000);
		pacer.begin(send(), 5000);
		pacer.begin(send(), 5100);
		expect(pacer.wait(send(), 6000)).toBe(Infinity);
	});

	it('counts requests under way as long as they have not ended', () => {
		const pacer = newPacer();
		const underWay = pacer.begin(send(1), 0);
		expect(pacer.wait(send(1), 10 * WINDOW_MS)).toBe(Infinity);
		pacer.release(underWay, 10 * WINDOW_MS);
		expect(pacer.wait(send(1), 10 * WINDOW_MS)).toBe(0);
	});

	it('does not wait at all without a limit, but after a refusal finds out with one request', () => {
		const pacer = newPacer();
		const place = send(Infinity);
		for (let begun = 0; begun < 100; begun++) {
			expect(pacer.wait(place, 0)).toBe(0);
			pacer.begin(place, 0);
		}
		const other = newPacer();
		refuse(other, 0);
		expect(other.wait(place, 0)).toBe(1000);
		other.begin(place, 1000);
		expect(other.wait(place, 1000)).toBe(Infinity);
	});

	it('never has more requests in any window than the limit, whenever answers come', () => {
		const latencies = fc.array(fc.integer({ min: 0, max: 90_000 }), {
			minLength: 1,
			maxLength: 200,
		});
		const pauses = fc.array(fc.integer({ min: 0, max: 20_000 }), { minLength: 1, maxLength: 50 });
		fc.assert(
			fc.property(fc.integer({ min: 1, max: 20 }), latencies, pauses, (limit, answers, gaps) => {
				const pacer = newPacer();
				const spans: Array<{ start: number; end: number }> = [];
				let underWay: Array<{ end: number; finish: () => void }> = [];
				let now = 0;
				for (const [index, latency] of answers.entries()) {
					now += gaps[index % gaps.length];
					for (let wait = -1; wait !== 0;) {
						const ended = underWay.filter(({ end }) => end <= now).sort((a, b) => a.end - b.end);
						underWay = underWay.filter((request) => !ended.includes(request));
						for (const { finish } of ended) finish();
						wait = pacer.wait(send(limit), now);
						if (wait === Infinity) now = Math.min(...underWay.map(({ end }) => end));
						else now += wait;
					}
					const end = now + latency;
					spans.push({ start: now, end });
					const request = pacer.begin(send(limit), now);
					underWay.push({ end, finish: () => pacer.end(request, end, 'answered', {}) });
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

	it('after a refusal finds out with another request, and then waits for what it had itself', () => {
		const pacer = newPacer();
		ask(pacer, 15, 0);
		refuse(pacer, 2000);
		expect(pacer.wait(send(), 2000)).toBe(1000);
		refuse(pacer, 3000);
		expect(pacer.wait(send(), 3000)).toBe(WINDOW_MS - 3000);
		// Others have the rest: it takes as many as the last time, and then tries for one more.
		const starts = ask(pacer, 16, WINDOW_MS);
		expect(starts.at(-2)).toBe(WINDOW_MS + 1400);
		refuse(pacer, WINDOW_MS + 2000);
		expect(pacer.wait(send(), WINDOW_MS + 2000)).toBe(WINDOW_MS - 2000);
	});

	it('takes several refusals of requests that were under way together for one', () => {
		const pacer = newPacer();
		const place = send(Infinity);
		const together = [1, 2, 3].map(() => pacer.begin(place, 0));
		for (const request of together) pacer.end(request, 100, 'refused', {});
		expect(pacer.refused(100)).toEqual({ times: 1, forMs: 0 });
		expect(pacer.wait(place, 100)).toBe(1000);
	});
});

describe('with the headers of the API', () => {
	it('waits for the reset when nothing remains, although its own count has room', () => {
		const pacer = newPacer();
		ask(pacer, 1, 0, { remaining: 0, resetInMs: 12_000 });
		expect(pacer.wait(send(), 0)).toBe(12_000);
		expect(pacer.wait(send(), 12_000)).toBe(0);
	});

	it('leaves room for requests that the API may not have counted yet', () => {
		const pacer = newPacer();
		ask(pacer, 10, 0, { remaining: 2, resetInMs: 10_000 });
		pacer.begin(send(), 2000);
		pacer.begin(send(), 2000);
		expect(pacer.wait(send(), 2000)).toBe(Infinity);
	});

	it.each<[string, RateLimit, number]>([
		['that overtook another', { remaining: 9, resetInMs: 9990 }, 9990],
		['whose reset is later by a second of rounding', { remaining: 9, resetInMs: 10_990 }, 9990],
		['of the window before, which came late', { remaining: 59, resetInMs: 100 }, 9990],
		['that tells of a new window', { remaining: 9, resetInMs: 11_000 }, 0],
		['that tells only one of the two', { remaining: 9 }, 9990],
	])('after an answer %s', (_, late, wait) => {
		const pacer = newPacer();
		const other = pacer.begin(send(), 0);
		pacer.end(pacer.begin(send(), 0), 0, 'answered', { remaining: 0, resetInMs: 10_000 });
		pacer.end(other, 10, 'answered', late);
		expect(pacer.wait(send(), 10)).toBe(wait);
	});

	it('takes no more at once than its part of what is left, when others send too', () => {
		const pacer = newPacer();
		for (let remaining = 59; remaining > 20; remaining -= 4) {
			ask(pacer, 1, 59 - remaining, { remaining, resetInMs: 30_000 });
		}
		const underWay = () => {
			let begun = 0;
			for (; pacer.wait(send(), 60) === 0; begun++) pacer.begin(send(), 60);
			return begun;
		};
		// A fourth of the 23 that are left.
		expect(underWay()).toBe(5);
	});

	it('has one under way after a rest, in which others may have taken what was left', () => {
		const pacer = newPacer();
		ask(pacer, 20, 0, { remaining: 40, resetInMs: 50_000 });
		expect(pacer.wait(send(), 31)).toBe(0);
		pacer.begin(send(), 31);
		expect(pacer.wait(send(), 31)).toBe(Infinity);
	});

	it('pauses as Retry-After says, or until the reset of a 429 with nothing left', () => {
		const pacer = newPacer();
		refuse(pacer, 0, { retryAfterMs: 7000, remaining: 0, resetInMs: 20_000 });
		expect(pacer.wait(send(Infinity), 0)).toBe(7000);
		const other = newPacer();
		refuse(other, 0, { remaining: 0, resetInMs: 20_000 });
		expect(other.wait(send(), 0)).toBe(20_000);
	});

	it('does not pause until the reset for a 429 that says that much is left', () => {
		const pacer = newPacer();
		refuse(pacer, 0, { remaining: 40, resetInMs: 50_000 });
		expect(pacer.wait(send(), 0)).toBe(1000);
	});
});

describe('an API whose count begins anew at each reset', () => {
	/** 57 sends in the window before have shown it. */
	function knownToBeginAnew() {
		const pacer = newPacer();
		for (let sent = 1; sent <= 57; sent++) {
			ask(pacer, 1, sent * 500, { remaining: 60 - sent, resetInMs: 40_000 - sent * 500 });
		}
		ask(pacer, 1, 40_100, { remaining: 59, resetInMs: 60_000 });
		return pacer;
	}

	it('gives all its places again at the reset, not a minute after each send', () => {
		const starts = ask(knownToBeginAnew(), 40, 40_200, { remaining: 50, resetInMs: 59_000 });
		expect(starts.at(-1)).toBe(40_200);
	});

	it('keeps the last places of a window for runs that need few, until shortly before its end', () => {
		const pacer = knownToBeginAnew();
		ask(pacer, 1, 41_000, { remaining: 3, resetInMs: 59_100 });
		expect(pacer.wait(send(60, 100), 41_000)).toBe(56_100);
		expect(pacer.wait(send(60, 1), 41_000)).toBe(0);
		expect(pacer.wait(spareLookUp, 41_000)).toBe(56_100);
		expect(pacer.wait(send(60, 100), 97_100)).toBe(0);
	});
});

describe('two runs that allow themselves different limits', () => {
	it('share what the higher one allows, and the lower one has no more than its own', () => {
		const pacer = newPacer();
		ask(pacer, 20, 0, {}, send(20));
		expect(pacer.wait(send(20), 6000)).toBe(WINDOW_MS - 6000);
		const starts = ask(pacer, 41, 6000, {}, send(60));
		expect(starts[39]).toBeLessThan(13_000);
		expect(starts[40]).toBe(WINDOW_MS);
	});

	it('do not hold up each other: the lower one gets its part when the higher one has taken all', () => {
		const pacer = newPacer();
		ask(pacer, 60, 0, {}, send(60));
		expect(pacer.wait(send(20), 10_000)).toBe(WINDOW_MS - 10_000);
		expect(pacer.wait(send(20), WINDOW_MS)).toBe(0);
	});
});

describe('look-ups of those who wait', () => {
	// README, Good to know: look-ups take at most half, or a tenth of that more
	it('take at most half of the limit, and the last ones in time a tenth of that more', () => {
		const pacer = newPacer();
		ask(pacer, 30, 0, {}, lookUp);
		expect(pacer.wait(lookUp, 5000)).toBe(WINDOW_MS - 5000);
		ask(pacer, 3, 5000, {}, lastLookUp);
		expect(pacer.wait(lastLookUp, 6000)).toBe(WINDOW_MS - 6000);
		expect(pacer.wait(spareLookUp, 6000)).toBe(0);
		expect(pacer.wait(send(), 6000)).toBe(0);
	});

	it('are left a place by sends while a message needs one within the minute', () => {
		const pacer = newPacer();
		const settle = Array.from({ length: 20 }, () => pacer.owe());
		ask(pacer, 40, 0);
		expect(pacer.wait(send(), 5000)).toBe(WINDOW_MS - 5000);
		expect(pacer.wait(lookUp, 5000)).toBe(0);
		settle[0]();
		settle[0]();
		expect(pacer.wait(send(), 5000)).toBe(0);
	});

	it('come one after the other when there is but one for each message', () => {
		const pacer = newPacer();
		Array.from({ length: 30 }, () => pacer.owe());
		expect(ask(pacer, 3, 0, {}, lookUp)).toEqual([0, 2000, 4000]);
	});

	it.each([1, 2, 3])('do not keep a limit of %d from sending', (limit) => {
		const pacer = newPacer();
		Array.from({ length: 30 }, () => pacer.owe());
		expect(pacer.wait(send(limit), 0)).toBe(0);
		ask(pacer, 1, 0, { remaining: 1, resetInMs: 100 }, send(limit));
		expect(pacer.wait(send(limit), 2 * WINDOW_MS)).toBe(0);
	});
});

it.each<[string, (pacer: Pacer) => void, number, boolean]>([
	['was never used', () => undefined, 0, true],
	['has a request under way', (pacer) => pacer.begin(send(), 0), 0, false],
	['had a request a minute ago', (pacer) => ask(pacer, 1, 0), WINDOW_MS, true],
	['had a request less than a minute ago', (pacer) => ask(pacer, 1, 0), WINDOW_MS - 1, false],
	['has a pause that is over', (pacer) => refuse(pacer, 0), 1000, true],
	['has a pause', (pacer) => refuse(pacer, 0), 999, false],
])('a pacer that %s is idle, or not', (_, use, now, isIdle) => {
	const pacer = newPacer();
	use(pacer);
	expect(pacer.isIdle(now)).toBe(isIdle);
});
