import fc from 'fast-check';

import { createPacer } from '../../../../nodes/BusinessMessaging/transport/pacing/pacer';
import type { Pacer, Place } from '../../../../nodes/BusinessMessaging/transport/pacing/pacer';
import { PATIENCE_MS } from '../../../../nodes/BusinessMessaging/transport/pacing/rateLimit';
import type { RateLimit } from '../../../../nodes/BusinessMessaging/transport/pacing/rateLimit';

const WINDOW_MS = 60_000;

const send = (limit = 60, left = 100): Place => ({ kind: 'main', limit, left, calls: 60 });
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

/** Requests without a rest, each answered 100 ms after it began. @returns when the last one ended */
function askInTurn(pacer: Pacer, count: number, from: number, rateLimit: RateLimit = {}): number {
	let now = from;
	for (let asked = 0; asked < count; asked++) {
		now += pacer.wait(send(), now);
		const request = pacer.begin(send(), now);
		now += 100;
		pacer.end(request, now, 'answered', rateLimit);
	}
	return now;
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

	it.each([
		['as many as it can make up for', 100, 57],
		['no more than its last window has to spare', 118, 58],
		['none when its last window is full', 120, 60],
	])('leaves places to runs that need few, until others are free soon: %s', (_, calls, taken) => {
		const pacer = newPacer();
		const place = { ...send(), calls };
		expect(ask(pacer, taken, 0, {}, place).at(-1)).toBe((taken - 1) * 100);
		const few = 60 - taken;
		const nextAt = few > 0 ? WINDOW_MS - 3000 + (few - 1) * 100 : WINDOW_MS;
		expect(pacer.wait(place, 10_000)).toBe(nextAt - 10_000);
		expect(pacer.wait({ ...place, left: 3 }, 10_000)).toBe(few > 0 ? 0 : nextAt - 10_000);
	});

	it('has one under way until the first answer, and one more after every four', () => {
		const pacer = newPacer();
		const first = pacer.begin(send(), 0);
		expect(pacer.wait(send(), 1000)).toBe(Infinity);
		pacer.end(first, 1000, 'answered', {});
		const now = askInTurn(pacer, 4, 1000);
		pacer.begin(send(), now);
		expect(pacer.wait(send(), now + 100)).toBe(0);
		pacer.begin(send(), now + 100);
		expect(pacer.wait(send(), now + 200)).toBe(Infinity);
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

	it('waits longer after each refusal, and from the seventh on by chance', () => {
		const pacer = createPacer(() => 1);
		let now = 0;
		const waits = Array.from({ length: 7 }, () => {
			refuse(pacer, now);
			const wait = pacer.wait(send(), now);
			now += wait;
			return wait;
		});
		expect(waits).toEqual([1000, 2000, 4000, 8000, 16_000, 30_000, 15_000]);
	});

	it.each([
		['at the same moment', 0, 2],
		['soon', 2000, 2],
		['two windows after the pause', 121_000, 2],
		['later than that', 121_001, 1],
	])('a refusal %s after another makes %d ms the start of number %d in a row', (_, now, times) => {
		const pacer = newPacer();
		refuse(pacer, 0);
		refuse(pacer, now);
		expect(pacer.refused(now)).toEqual({ times, forMs: times === 1 ? 0 : now });
	});

	it('has not been refused for any time when the last request was answered', () => {
		const pacer = newPacer();
		expect(pacer.refused(5000)).toEqual({ times: 0, forMs: 0 });
		refuse(pacer, 5000);
		ask(pacer, 1, 6000);
		expect(pacer.refused(7000)).toEqual({ times: 0, forMs: 0 });
	});
});

describe('where others send as well', () => {
	/** The 16th request of a window was refused. */
	function crowded(refusedAt = 2000) {
		const pacer = newPacer();
		ask(pacer, 15, 0);
		refuse(pacer, refusedAt, { retryAfterMs: 1000 });
		return pacer;
	}

	it('goes on after the pause that the API asked for', () => {
		const pacer = crowded();
		expect(pacer.wait(send(), 2000)).toBe(1000);
		expect(pacer.wait(send(), 3000)).toBe(0);
	});

	it('tries for more with one request at a time', () => {
		const pacer = crowded();
		const now = askInTurn(pacer, 8, 3000);
		pacer.begin(send(), now);
		expect(pacer.wait(send(), now + 100)).toBe(Infinity);
	});

	it('goes by what the API tells, where it does', () => {
		const pacer = crowded();
		const now = askInTurn(pacer, 8, 3000, { remaining: 30, resetInMs: 50_000 });
		pacer.begin(send(), now);
		expect(pacer.wait(send(), now + 100)).toBe(0);
	});

	it.each([
		['half a window after the last try', 2000, 33_000],
		['when a place of its own is free again', 44_000, WINDOW_MS],
	])('tries again %s', (_, refusedAt, nextTryAt) => {
		const pacer = crowded(refusedAt);
		refuse(pacer, refusedAt + 1000, { retryAfterMs: 1000 });
		const now = refusedAt + 5000;
		expect(pacer.wait(send(), now)).toBe(nextTryAt - now);
	});

	it('has as much as it got beyond what others left', () => {
		const pacer = newPacer();
		ask(pacer, 3, 0);
		refuse(pacer, 2000, { retryAfterMs: 1000 });
		askInTurn(pacer, 12, 4000);
		const now = askInTurn(pacer, 5, WINDOW_MS + 4650);
		pacer.begin(send(), now);
		expect(pacer.wait(send(), now + 100)).toBe(0);
	});

	it('has what it had when the API told that nothing remains', () => {
		const pacer = newPacer();
		for (let remaining = 9; remaining >= 0; remaining--) {
			ask(pacer, 1, 9 - remaining, { remaining, resetInMs: 5000 });
		}
		const now = askInTurn(pacer, 5, 6000);
		pacer.begin(send(), now);
		expect(pacer.wait(send(), now + 100)).toBe(Infinity);
	});

	it('has the whole limit again when nothing of its own counts any more', () => {
		const pacer = crowded();
		const now = askInTurn(pacer, 20, 10 * WINDOW_MS);
		pacer.begin(send(), now);
		expect(pacer.wait(send(), now + 100)).toBe(0);
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

	it.each([
		[30, 0],
		[31, Infinity],
	])(
		'after %d ms, in which others may have taken what was left, the second waits %d',
		(rest, wait) => {
			const pacer = newPacer();
			ask(pacer, 20, 0, { remaining: 40, resetInMs: 50_000 });
			expect(pacer.wait(send(), rest)).toBe(0);
			pacer.begin(send(), rest);
			expect(pacer.wait(send(), rest)).toBe(wait);
		},
	);

	it('pauses as Retry-After says, or until the reset of a 429 with nothing left', () => {
		const pacer = newPacer();
		refuse(pacer, 0, { retryAfterMs: 7000, remaining: 0, resetInMs: 20_000 });
		expect(pacer.wait(send(Infinity), 0)).toBe(7000);
		const other = newPacer();
		refuse(other, 0, { remaining: 0, resetInMs: 20_000 });
		expect(other.wait(send(), 0)).toBe(20_000);
	});

	it.each([
		[PATIENCE_MS, PATIENCE_MS],
		[PATIENCE_MS + 1, 1000],
	])('for Retry-After of %d ms pauses %d', (retryAfterMs, pause) => {
		const pacer = newPacer();
		refuse(pacer, 0, { retryAfterMs });
		expect(pacer.wait(send(), 0)).toBe(pause);
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
		expect(pacer.wait({ ...spareLookUp, left: 1 }, 41_000)).toBe(56_100);
		expect(pacer.wait(lookUp, 41_000)).toBe(0);
		expect(pacer.wait(lastLookUp, 41_000)).toBe(0);
		expect(pacer.wait(send(60, 100), 97_100)).toBe(0);
	});

	it.each([
		[6, 0],
		[5, WINDOW_MS - 40_200],
	])('is known when it has forgotten %d but for the last one', (sent, wait) => {
		const pacer = newPacer();
		const place = send(sent + 1);
		for (let each = 0; each < sent; each++) {
			ask(pacer, 1, each, { remaining: sent - each, resetInMs: 40_000 }, place);
		}
		ask(pacer, 1, 40_100, { remaining: sent, resetInMs: 60_000 }, place);
		expect(pacer.wait(place, 40_200)).toBe(wait);
	});
});

describe('an API whose count slides along', () => {
	it('is not taken for one that begins anew because it allows more than the run', () => {
		const pacer = newPacer();
		for (let sent = 0; sent < 60; sent++) {
			ask(pacer, 1, sent * 100, { remaining: 999 - sent, resetInMs: WINDOW_MS - sent * 100 });
		}
		const [next] = ask(pacer, 1, 6000, { remaining: 940, resetInMs: 100 });
		expect(next).toBe(WINDOW_MS);
		expect(pacer.wait(send(), WINDOW_MS)).toBe(100);
	});

	it('is not taken for one that begins anew because of slow answers', () => {
		const pacer = newPacer();
		const place = send(11);
		const slow = Array.from({ length: 10 }, () => pacer.begin(place, 80));
		for (const [index, request] of slow.entries()) {
			pacer.end(request, 250, 'answered', { remaining: 10 - index, resetInMs: 59_830 });
		}
		const now = WINDOW_MS + 170;
		expect(pacer.wait(place, now)).toBe(0);
		pacer.end(pacer.begin(place, now), now, 'answered', { remaining: 10, resetInMs: WINDOW_MS });
		expect(pacer.wait(place, now)).toBe(80);
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

	it('wait each for places of their own', () => {
		const pacer = newPacer();
		ask(pacer, 1, 0, {}, send(60));
		ask(pacer, 2, 1000, {}, send(2));
		expect(pacer.wait(send(2), 3000)).toBe(WINDOW_MS + 1000 - 3000);
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
		expect(ask(pacer, 1, 5000)).toEqual([5000]);
		expect(pacer.wait(send(), 5100)).toBe(WINDOW_MS - 5100);
	});

	it('are left half of what remains by sends', () => {
		const pacer = newPacer();
		for (let sent = 0; sent < 10; sent++) {
			ask(pacer, 1, sent, { remaining: 17 - sent, resetInMs: 30_000 });
		}
		Array.from({ length: 10 }, () => pacer.owe());
		let begun = 0;
		for (; pacer.wait(send(), 10) === 0; begun++) pacer.begin(send(), 10);
		expect(begun).toBe(4);
		expect(pacer.wait(send(), 10)).toBe(Infinity);
		expect(pacer.wait(lookUp, 10)).toBe(0);
	});

	it.each([
		[30, [0, 2000, 4000]],
		[29, [0, 2000, 4000]],
		[28, [0, 100, 2100]],
	])('come one after the other when there are %d messages for thirty', (messages, starts) => {
		const pacer = newPacer();
		Array.from({ length: messages }, () => pacer.owe());
		expect(ask(pacer, 3, 0, {}, lookUp)).toEqual(starts);
	});

	it.each([1, 2, 3])('do not keep a limit of %d from sending', (limit) => {
		const pacer = newPacer();
		Array.from({ length: 30 }, () => pacer.owe());
		expect(pacer.wait(send(limit), 0)).toBe(0);
		ask(pacer, 1, 0, { remaining: 1, resetInMs: 100 }, send(limit));
		expect(pacer.wait(send(limit), 2 * WINDOW_MS)).toBe(0);
	});
});

const LONG = { remaining: 5, resetInMs: 65_000 };

it.each<[string, (pacer: Pacer) => void, number, boolean]>([
	['was never used', () => undefined, 0, true],
	['has a request under way', (pacer) => pacer.begin(send(), 0), 0, false],
	['had a request a minute ago', (pacer) => ask(pacer, 1, 0), WINDOW_MS, true],
	['had a request less than a minute ago', (pacer) => ask(pacer, 1, 0), WINDOW_MS - 1, false],
	['has a pause that is over', (pacer) => refuse(pacer, 0), 1000, true],
	['has a pause', (pacer) => refuse(pacer, 0), 999, false],
	['knows when a long window ends', (pacer) => ask(pacer, 1, 0, LONG), 64_999, false],
	['knows that it has ended', (pacer) => ask(pacer, 1, 0, LONG), 65_000, true],
])('a pacer that %s is idle, or not', (_, use, now, isIdle) => {
	const pacer = newPacer();
	use(pacer);
	expect(pacer.isIdle(now)).toBe(isIdle);
});
