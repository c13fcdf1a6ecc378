import fc from 'fast-check';

import {
	Pacer,
	type RunLength,
	type WantedSlot,
} from '../../../nodes/BusinessMessaging/transport/pacer';
import {
	PATIENCE_MS,
	type RateLimit,
} from '../../../nodes/BusinessMessaging/transport/rateLimitHeaders';
import { sample } from '../../support/sample.mts';

/** The API's limit: requests in a window. */
const LIMIT = 60;
const WINDOW_MS = 60_000;
/** Without headers the whole limit goes out in six seconds. */
const GAP_MS = 100;
/** While messages wait for their status, look-ups get one half of the limit, and sends the other. */
const HALF = 30;
/** A campaign keeps so many slots for runs that need no more, such as a login code. */
const KEPT = 3;
/** The time that the limit has for one request. */
const EVERY_MS = 1000;

const send = (limit = LIMIT, left = 100, length: RunLength = 'fitting'): WantedSlot => {
	return { kind: 'main', limit, left, length, sendWaits: true };
};
const campaign = send(LIMIT, 100, 'long');
const login = send(LIMIT, 1, 'short');
const lookUp: WantedSlot = { ...send(), kind: 'lookUp', sendWaits: false };
const lastLookUp: WantedSlot = { ...send(), kind: 'lastLookUp' };

let pacer: Pacer;

beforeEach(() => (pacer = new Pacer(() => 0)));

interface Asked {
	slot?: WantedSlot;
	headers?: RateLimit;
	/** Until each response. */
	forMs?: number;
}

/** Requests one after the other, as soon as there is a slot. @returns when each began */
function ask(
	count: number,
	from: number,
	{ slot = send(), headers = {}, forMs = 0 }: Asked = {},
): number[] {
	const starts: number[] = [];
	let now = from;
	while (starts.length < count) {
		const wait = pacer.wait(slot, now);
		if (wait === Infinity) throw new Error('waits for nothing');
		now += wait;
		if (wait > 0) continue;
		starts.push(now);
		const request = pacer.begin(slot, now);
		now += forMs;
		pacer.end(request, now, 'responded', headers);
	}
	return starts;
}

function rateLimit(now: number, headers: RateLimit = {}): void {
	pacer.end(pacer.begin(send(), now), now, 'rateLimited', headers);
}

/** When such a request may begin, if nothing else happens until then. */
const next = (slot: WantedSlot, now: number) => now + pacer.wait(slot, now);

/** Begins requests that get no response. @returns how many of them may be in flight */
function mayBegin(from: number, slot = send(), gapMs = 0): number {
	let now = from;
	let begun = 0;
	for (; begun < 100 && pacer.wait(slot, now) === 0; now += gapMs, begun++) pacer.begin(slot, now);
	return begun;
}

describe('without headers', () => {
	it('takes the limit within seconds, and the next slot a window after the first', () => {
		const starts = ask(LIMIT + 1, 0);
		expect(starts.slice(LIMIT - 1)).toEqual([(LIMIT - 1) * GAP_MS, WINDOW_MS]);
	});

	it('of which a campaign keeps three for short runs, until others get free as soon', () => {
		expect(ask(LIMIT - KEPT, 0, { slot: campaign }).at(-1)).toBe((LIMIT - KEPT - 1) * GAP_MS);
		// Three are free within the time for three requests, and one within the time for one.
		expect(ask(KEPT, 10_000, { slot: campaign })).toEqual([57_000, 57_100, 59_000]);
		expect(next(campaign, 59_000)).toBe(WINDOW_MS);
		pacer = new Pacer(() => 0);
		ask(LIMIT - KEPT, 0, { slot: campaign });
		expect(ask(KEPT + 1, 10_000, { slot: login })).toEqual([10_000, 10_100, 10_200, WINDOW_MS]);
	});

	it.each([
		[9, 9],
		[10, 9],
		[60, 57],
		[600, 570],
	])('of a limit of %d a campaign takes %d at once', (limit, most) => {
		const slot = send(limit, limit + 1, 'long');
		const starts = ask(limit, 0, { slot });
		expect(starts.filter((at) => at < 10_000)).toHaveLength(most);
		expect(starts.at(-1)).toBeLessThan(WINDOW_MS);
	});

	it.each([
		[0, 1],
		[4, 1],
		[5, 2],
		[8, 2],
		[9, 3],
	])(
		'has one more in flight after every four responses: after %d of them %d',
		(responses, most) => {
			ask(responses, 0, { forMs: 2000 });
			expect(mayBegin(responses * 2000, send(), GAP_MS)).toBe(most);
		},
	);

	// At 60 a minute, responses after 500 ms need half a request in flight on average.
	it.each([
		[500, 1],
		[501, 2],
		[1001, 3],
	])(
		'with responses after %d ms has at most %d in flight, twice what the limit needs',
		(forMs, most) => {
			const from = ask(20, 0, { forMs })[19] + forMs;
			expect(mayBegin(from, send(), GAP_MS)).toBe(most);
		},
	);

	it('counts a request in flight until it ends, and not at all when it was not made', () => {
		const inFlight = pacer.begin(send(1), 0);
		expect(pacer.wait(send(1), 10 * WINDOW_MS)).toBe(Infinity);
		pacer.end(inFlight, 10 * WINDOW_MS, 'notMade', {});
		expect(pacer.wait(send(1), 10 * WINDOW_MS)).toBe(0);
		const hung = pacer.begin(send(1), 10 * WINDOW_MS);
		pacer.end(hung, 10 * WINDOW_MS, 'noResponse', {});
		expect(pacer.wait(send(1), 10 * WINDOW_MS)).toBe(WINDOW_MS);
	});

	it('does not wait at all without a limit, but after a 429 finds out with one request', () => {
		const slot = send(Infinity);
		expect(mayBegin(0, slot)).toBe(100);
		pacer = new Pacer(() => 0);
		rateLimit(0);
		expect(pacer.wait(slot, 0)).toBe(1000);
		expect(mayBegin(1000, slot)).toBe(1);
	});

	it('waits for the first slot that gets free, although an older request is still in flight', () => {
		ask(5, 0, { forMs: 100 });
		pacer.begin(send(2), 500);
		pacer.end(pacer.begin(send(2), 500), 30_500, 'responded', {});
		expect(next(send(2), 30_600)).toBe(30_500 + WINDOW_MS);
	});

	it('knows beforehand until when no request can begin, whatever becomes of those in flight', () => {
		ask(1, 0, { slot: send(2), forMs: 500 });
		ask(1, 1000, { slot: send(600) });
		expect(pacer.earliest(2, 10_000)).toBe(0);
		const inFlight = pacer.begin(send(2), 10_000);
		expect(pacer.earliest(2, 20_000)).toBe(0);
		pacer.end(inFlight, 20_000, 'responded', {});
		expect(pacer.earliest(2, 30_000)).toBe(500 + WINDOW_MS - 30_000);
		pacer = new Pacer(() => 0);
		rateLimit(0, { retryAfterMs: 7000 });
		expect(pacer.earliest(2, 1000)).toBe(6000);
	});

	it('never has more requests in any window than the limit, whatever responses say and whenever they come', () => {
		const headers = fc.record({ remaining: fc.nat(100), resetInMs: fc.nat(65_000) });
		const request = fc.record({
			pauseMs: fc.nat(20_000),
			latencyMs: fc.nat(90_000),
			headers: fc.option(headers, { nil: {} }),
		});
		const requests = fc.array(request, { minLength: 1, maxLength: 200 });
		const property = fc.property(fc.integer({ min: 1, max: 20 }), requests, (limit, all) => {
			pacer = new Pacer(() => 0);
			const spans: Array<{ start: number; end: number }> = [];
			const inFlight: Array<{ end: number; finish: () => void }> = [];
			let now = 0;
			for (const { pauseMs, latencyMs, headers } of all) {
				now += pauseMs;
				for (let wait = -1; wait !== 0;) {
					while (inFlight[0]?.end <= now) inFlight.shift()?.finish();
					wait = pacer.wait(send(limit), now);
					now = wait === Infinity ? inFlight[0].end : now + wait;
				}
				const end = now + latencyMs;
				spans.push({ start: now, end });
				const begun = pacer.begin(send(limit), now);
				inFlight.push({ end, finish: () => pacer.end(begun, end, 'responded', headers) });
				inFlight.sort((a, b) => a.end - b.end);
			}
			// The API may count a request at any moment between its start and its end.
			return [0, 0.5, 1].every((part) => {
				const counted = spans.map(({ start, end }) => Math.floor(start + (end - start) * part));
				const inWindow = (from: number) =>
					counted.filter((time) => time >= from && time < from + WINDOW_MS).length;
				return counted.every((from) => inWindow(from) <= limit);
			});
		});
		fc.assert(property, sample(100));
	});
});

describe('after a 429', () => {
	it('finds out with another request, and then waits for what it had itself', () => {
		ask(15, 0);
		rateLimit(2000);
		expect(pacer.wait(send(), 2000)).toBe(1000);
		rateLimit(3000);
		expect(next(send(), 3000)).toBe(WINDOW_MS);
	});

	it('goes on after the pause that the API asked for, each time, with one request in flight', () => {
		ask(15, 0);
		rateLimit(2000, { retryAfterMs: 5000 });
		expect(pacer.wait(send(), 2000)).toBe(5000);
		const other = pacer.begin(send(), 7000);
		rateLimit(7000, { retryAfterMs: 5000 });
		pacer.end(other, 7000, 'noResponse', {});
		expect(pacer.wait(send(), 7000)).toBe(5000);
		expect(pacer.rateLimited(12_000)).toEqual({ times: 2, forMs: 10_000 });
		expect(mayBegin(12_000)).toBe(1);
	});

	it('has no more requests in flight than before the first response', () => {
		ask(12, 0, { forMs: 2000 });
		const [one, other] = [pacer.begin(send(), 24_000), pacer.begin(send(), 24_000)];
		expect(pacer.wait(send(), 24_100)).toBe(0);
		pacer.end(one, 24_000, 'rateLimited', {});
		expect(pacer.wait(send(), 25_000)).toBe(Infinity);
		pacer.end(other, 25_000, 'responded', {});
		expect(pacer.wait(send(), 25_100)).toBe(0);
	});

	it('finds the window full when two that were in flight together are refused', () => {
		ask(12, 0, { forMs: 2000 });
		const together = [pacer.begin(send(), 24_000), pacer.begin(send(), 24_100)];
		pacer.end(together[0], 25_000, 'rateLimited', {});
		expect(pacer.wait(send(), 25_000)).toBe(Infinity);
		pacer.end(together[1], 25_100, 'rateLimited', {});
		// The oldest request in the window got its response at 2000.
		expect(next(send(), 25_100)).toBe(2000 + WINDOW_MS);
	});

	it('takes several 429s of requests that were in flight together for one', () => {
		const slot = send(Infinity);
		const together = [1, 2, 3].map(() => pacer.begin(slot, 0));
		for (const request of together) pacer.end(request, 100, 'rateLimited', {});
		expect(pacer.rateLimited(100)).toEqual({ times: 1, forMs: 0 });
		expect(pacer.wait(slot, 100)).toBe(1000);
	});

	it('waits longer after each, and from the seventh on with jitter', () => {
		pacer = new Pacer(() => 1);
		let now = 0;
		const waits = Array.from({ length: 7 }, () => {
			rateLimit(now);
			const wait = pacer.wait(send(), now);
			now += wait;
			return wait;
		});
		expect(waits).toEqual([1000, 2000, 4000, 8000, 16_000, 30_000, 15_000]);
	});

	it.each([
		['at the same moment', 0, 2],
		['two windows after the pause', 121_000, 2],
		['later than that', 121_001, 1],
	])('another one %s, at %d ms, is number %d in a row', (_, now, times) => {
		rateLimit(0);
		rateLimit(now);
		expect(pacer.rateLimited(now)).toEqual({ times, forMs: times === 1 ? 0 : now });
	});

	it('has had none in a row when the last request was answered', () => {
		rateLimit(5000);
		ask(1, 6000);
		expect(pacer.rateLimited(7000)).toEqual({ times: 0, forMs: 0 });
	});

	it.each<[string, RateLimit, number]>([
		['as Retry-After says', { retryAfterMs: 7000, remaining: 0, resetInMs: 20_000 }, 7000],
		['until the reset when nothing is left', { remaining: 0, resetInMs: 20_000 }, 20_000],
		['a second when something is left', { remaining: 5, resetInMs: 20_000 }, 1000],
		['as long as a run has patience', { retryAfterMs: PATIENCE_MS }, PATIENCE_MS],
		['a second when a run has no patience', { retryAfterMs: PATIENCE_MS + 1 }, 1000],
	])('pauses %s', (_, headers, expected) => {
		rateLimit(0, headers);
		expect(pacer.wait(send(Infinity), 0)).toBe(expected);
	});
});

describe('with the headers of the API', () => {
	it('waits for the reset when nothing remains, although its own count has room', () => {
		ask(1, 0, { headers: { remaining: 0, resetInMs: 12_000 } });
		expect(pacer.wait(send(), 2000)).toBe(10_000);
		expect(pacer.wait(send(), 12_000)).toBe(0);
	});

	it('leaves room for requests that the API may not have counted yet', () => {
		ask(10, 0, { headers: { remaining: 2, resetInMs: 10_000 } });
		expect(mayBegin(20)).toBe(2);
		expect(pacer.wait(send(), 20)).toBe(Infinity);
	});

	it('takes no more at once than half of its share of what is left, when others send too', () => {
		for (let remaining = 59; remaining > 20; remaining -= 4) {
			ask(1, 59 - remaining, { headers: { remaining, resetInMs: 30_000 } });
		}
		// An eighth of the 23 that are left.
		expect(mayBegin(60)).toBe(2);
	});

	it.each([
		[30, 20],
		[31, 1],
	])('after %d ms, in which others may have taken what was left, begins %d', (rest, begun) => {
		ask(20, 0, { headers: { remaining: 40, resetInMs: 50_000 } });
		expect(mayBegin(rest)).toBe(begun);
	});

	/** Until the window ends at 30,000. Of four requests, one is ours; in the end so many are left. */
	function share(remaining: number) {
		for (let left = remaining + 20; left >= remaining; left -= 4) {
			ask(1, 0, { headers: { remaining: left, resetInMs: 30_000 } });
		}
	}

	it.each([
		['of which one fits beside those that are kept', 11, 20],
		['of which none does: it waits until shortly before all get free', 10, 27_000],
	])('leaves others what is kept, by our share of what is left, %s', (_, remaining, at) => {
		share(remaining);
		expect(next(campaign, 20)).toBe(at);
		expect(pacer.wait(login, 20)).toBe(0);
	});

	it('does not wait for the window of the API when it counts no others', () => {
		ask(1, 0, { headers: { remaining: 59, resetInMs: 10_000 } });
		ask(1, 10_000, { headers: { remaining: 58, resetInMs: 60_000 } });
		ask(LIMIT - KEPT - 2, 10_000, { headers: { remaining: KEPT, resetInMs: 60_000 } });
		expect(next(campaign, 20_000)).toBe(WINDOW_MS - KEPT * EVERY_MS);
	});

	it('waits until the window ends, if the end of the last one gave back a single one', () => {
		share(10);
		ask(1, 30_000, { headers: { remaining: 10, resetInMs: 20_000 } });
		expect(next(campaign, 30_100)).toBe(50_000);
	});
});

describe('beside others of whom a 429 tells', () => {
	/** @returns how many of these began within the window before each of these moments */
	const inWindowsTo = (ends: number[], starts: number[]) =>
		ends.map((end) => starts.filter((at) => at > end - WINDOW_MS && at <= end).length);

	it('takes less than fitted into a full window, and after each window more', () => {
		ask(20, 0, { slot: campaign });
		const other = pacer.begin(campaign, 2000);
		rateLimit(3000);
		rateLimit(4000);
		pacer.end(other, 5000, 'notMade', {});
		const starts = ask(80, WINDOW_MS, { slot: campaign });
		const ends = [63_999, 123_999, 183_999, 243_999];
		expect(inWindowsTo(ends, starts)).toEqual([17, 18, 20, 24]);
	});

	it('counts what fitted by the first ones in a row', () => {
		ask(20, 0, { slot: campaign });
		for (const at of [3000, 4000, 61_500]) rateLimit(at);
		expect(inWindowsTo([123_999], ask(30, 65_500, { slot: campaign }))).toEqual([18]);
	});

	it.each([
		[3000, 10_000],
		[3001, 60_300],
	])('takes a window for full when it shall wait longer than until its end: %d ms', (ms, at) => {
		ask(20, 0, { slot: campaign });
		rateLimit(3000, { retryAfterMs: ms });
		expect(next(campaign, 10_000)).toBe(at);
		expect(next(login, 10_000)).toBe(10_000);
	});

	it('tries one if there was room for less than is kept', () => {
		rateLimit(0);
		rateLimit(1000);
		expect(pacer.wait(campaign, 3000)).toBe(0);
	});

	it('takes what there is as long as headers tell', () => {
		ask(20, 0, { slot: campaign });
		rateLimit(3000, { retryAfterMs: 5000 });
		ask(1, 10_000, { slot: login, headers: { remaining: 40, resetInMs: 50_000 } });
		expect(pacer.wait(campaign, 10_000)).toBe(0);
	});
});

it.each<[RunLength, string, number, number, number]>([
	['short', 'with as many messages as a campaign keeps slots', 3, 0, 60],
	['short', 'in the third round of one message', 1, 2, 60],
	['fitting', 'with room', 60, 0, 0],
	['fitting', 'with just room', 4, 0, 56],
	['long', 'without room for one', 4, 0, 57],
	['long', 'with more than the limit', 61, 0, 0],
	['fitting', 'in a later round, with room beside the slots that are kept', 1, 3, 56],
	['long', 'in a later round, without', 1, 3, 57],
	['fitting', 'in a later round, in a window of its own', 60, 1, 0],
	['long', 'in a later round, in a window that it shares', 57, 1, 1],
])(
	'a run is %s %s: %d messages after %d rounds and %d requests',
	(length, _, calls, round, used) => {
		ask(used, 0);
		expect(pacer.lengthOf(LIMIT, { calls, round }, 10_000)).toBe(length);
	},
);

it('a run is long that the API has no room for', () => {
	ask(1, 0, { headers: { remaining: 10, resetInMs: 50_000 } });
	const lengths = [10, 11].map((calls) => pacer.lengthOf(LIMIT, { calls, round: 0 }, 1000));
	expect(lengths).toEqual(['fitting', 'long']);
});

describe('two runs that allow themselves different limits', () => {
	it('share what the higher one allows, and the lower one has no more than its own', () => {
		ask(20, 0, { slot: send(20) });
		expect(next(send(20), 6000)).toBe(WINDOW_MS);
		const starts = ask(41, 6000);
		expect(starts[39]).toBeLessThan(13_000);
		expect(starts[40]).toBe(WINDOW_MS);
	});

	it('do not hold up each other: the lower one gets its part when the higher one has taken all', () => {
		ask(LIMIT, 0);
		ask(1, 6000, { slot: send(Infinity) });
		expect(next(send(20), 10_000)).toBe(WINDOW_MS);
		expect(pacer.wait(send(20), WINDOW_MS)).toBe(0);
	});
});

describe('look-ups of those who wait', () => {
	// docs/good-to-know.md: half of the limit is kept for status checks
	it('take at most half of the limit, and last ones a fifth of that more', () => {
		ask(HALF, 0, { slot: lookUp });
		expect(next(lookUp, 5000)).toBe(WINDOW_MS);
		ask(HALF / 5, 5000, { slot: lastLookUp });
		expect(next(lastLookUp, 6000)).toBe(WINDOW_MS);
		expect(pacer.wait({ ...lastLookUp, sendWaits: false }, 6000)).toBe(0);
		expect(pacer.wait(send(), 6000)).toBe(0);
	});

	it('keep slots for short runs; last ones do not while sends wait', () => {
		const spare = { ...lastLookUp, sendWaits: false };
		ask(LIMIT - KEPT, 0, { slot: spare });
		expect(next(spare, 10_000)).toBe(WINDOW_MS - KEPT * EVERY_MS);
		expect(pacer.wait(login, 10_000)).toBe(0);
		expect(pacer.wait({ ...spare, kind: 'lookUp' }, 10_000)).toBeGreaterThan(0);
		pacer = new Pacer(() => 0);
		ask(LIMIT - KEPT, 0);
		expect(pacer.wait(lastLookUp, 10_000)).toBe(0);
	});

	// docs/good-to-know.md: half of the limit is kept for status checks
	it('have half of the limit while a message needs one within the minute, but not from short runs', () => {
		const settle = pacer.reserveLookUps(WINDOW_MS);
		ask(HALF - KEPT, 0);
		expect(next(send(), 5000)).toBe(WINDOW_MS);
		ask(KEPT, 5000, { slot: login });
		expect(pacer.wait(login, 6000)).toBe(0);
		expect(pacer.wait({ ...lookUp, sendWaits: true }, 6000)).toBe(0);
		pacer.reserveLookUps(WINDOW_MS);
		settle();
		settle();
		// The short run has taken three, so three more have to leave the window first.
		expect(next(send(), 6000)).toBe(WINDOW_MS + KEPT * GAP_MS);
	});

	// docs/good-to-know.md: short means less than the sending time plus one minute, 360 seconds for 300 messages
	it.each<[string, number, number, RunLength]>([
		// What is kept is sent three seconds later.
		['half', 300, 357_000, 'long'],
		['all', 300, 357_001, 'long'],
		['half', 1, 61_000, 'fitting'],
		['all', 1, 61_001, 'fitting'],
	])(
		'leave sends %s of the limit when %d are left and the wait ends in %d ms',
		(part, left, ms, length) => {
			ask(HALF, 0, { slot: login });
			pacer.reserveLookUps(5000 + ms);
			expect(pacer.wait(send(LIMIT, left, length), 5000) === 0).toBe(part === 'all');
		},
	);

	it('do not let a run with a higher limit keep one with a lower limit from sending', () => {
		pacer.reserveLookUps(WINDOW_MS);
		const starts = ask(100, 0, { slot: send(600) });
		expect(pacer.wait(send(), starts[99] + 5000)).toBe(0);
	});

	it('leave all to sends when no message needs one within the minute', () => {
		pacer.reserveLookUps(WINDOW_MS)();
		expect(pacer.wait({ ...lookUp, sendWaits: true }, 0)).toBe(Infinity);
		expect(pacer.wait({ ...lookUp, sendWaits: true, limit: Infinity }, 0)).toBe(Infinity);
		expect(pacer.wait(lookUp, 0)).toBe(0);
		const inFlight = pacer.begin(send(), 0);
		expect(pacer.wait({ ...lookUp, limit: Infinity }, 0)).toBe(Infinity);
		pacer.end(inFlight, 0, 'responded', {});
		const other = pacer.begin(lookUp, 100);
		expect(pacer.wait({ ...lookUp, limit: Infinity }, 100)).toBe(0);
		pacer.end(other, 100, 'notMade', {});
		ask(LIMIT - 1, 100);
		expect(next(login, 6000)).toBe(WINDOW_MS);
	});

	it('come spread over the minute as soon as all of their half is made or needed', () => {
		const everyMs = WINDOW_MS / HALF;
		Array.from({ length: HALF - 2 }, () => pacer.reserveLookUps(WINDOW_MS));
		expect(ask(3, 0, { slot: lookUp })).toEqual([0, GAP_MS, GAP_MS + everyMs]);
		pacer = new Pacer(() => 0);
		Array.from({ length: HALF - 1 }, () => pacer.reserveLookUps(WINDOW_MS));
		expect(ask(3, 0, { slot: lookUp })).toEqual([0, everyMs, 2 * everyMs]);
		ask(1, 2.5 * everyMs);
		expect(next(lookUp, 2.5 * everyMs)).toBe(3 * everyMs);
	});

	it.each([1, 2, 3])('do not keep a limit of %d from sending, nor sends from look-ups', (limit) => {
		Array.from({ length: HALF }, () => pacer.reserveLookUps(WINDOW_MS));
		expect(ask(1, 0, { slot: send(limit) })).toEqual([0]);
		expect(ask(1, WINDOW_MS, { slot: { ...lookUp, limit } })).toEqual([WINDOW_MS]);
	});
});

const LONG = { headers: { remaining: 5, resetInMs: 65_000 } };

it.each<[string, () => void, number, boolean]>([
	['has a request in flight', () => pacer.begin(send(), 0), 0, false],
	['had a request a minute ago', () => ask(1, 0), WINDOW_MS, true],
	['had a request less than a minute ago', () => ask(1, 0), WINDOW_MS - 1, false],
	['has a pause that is over', () => rateLimit(0), 1000, true],
	['has a pause', () => rateLimit(0), 999, false],
	['knows when a long window ends', () => ask(1, 0, LONG), 64_999, false],
	['knows that it has ended', () => ask(1, 0, LONG), 65_000, true],
	['keeps slots for look-ups', () => pacer.reserveLookUps(WINDOW_MS), 0, false],
])('a pacer that %s is idle, or not', (_, use, now, isIdle) => {
	use();
	expect(pacer.isIdle(now)).toBe(isIdle);
});
