import {
	type HowItEnded,
	Pacer,
	sendsPerWindow,
	type WantedSlot,
} from '../../../nodes/BusinessMessaging/transport/pacer';
import {
	PATIENCE_MS,
	type RateLimit,
} from '../../../nodes/BusinessMessaging/transport/rateLimitHeaders';

/** The API's limit: requests in a window. */
const LIMIT = 60;
const WINDOW_MS = 60_000;
/** While messages wait for their status, look-ups get one half of the limit, and sends the other. */
const HALF = 30;
/** A campaign keeps so many slots for runs that need no more, such as a login code. */
const KEPT = 3;
/** The time that the limit has for one request. */
const EVERY_MS = 1000;

const login: WantedSlot = { kind: 'main', limit: LIMIT, isShort: true };
const campaign: WantedSlot = { ...login, isShort: false };
const lookUp: WantedSlot = { ...login, kind: 'lookUp' };
const lastLookUp: WantedSlot = { ...campaign, kind: 'lastLookUp' };
const withLimit = (limit: number) => ({ ...login, limit });

let pacer: Pacer;

beforeEach(() => (pacer = new Pacer(() => 0)));

const mayBegin = (slot: WantedSlot, now: number) =>
	!pacer.isLimited(slot, now) && !pacer.hasEnoughInFlight(slot.limit);

/** The first tenth of a second at which such a request may begin, if nothing else happens until then. */
function next(slot: WantedSlot, from: number): number {
	for (let now = from; now < from + 20 * WINDOW_MS; now += 100) if (mayBegin(slot, now)) return now;
	throw new Error('waits for nothing');
}

function end(slot: WantedSlot, now: number, how: HowItEnded, headers: RateLimit = {}, forMs = 0) {
	pacer.end(pacer.begin(slot, now), now + forMs, how, headers);
}

/** Requests one after the other, as soon as there is a slot. @returns when each began */
function ask(count: number, from: number, slot = login, headers: RateLimit = {}, forMs = 0) {
	let now = from;
	return Array.from({ length: count }, () => {
		const start = next(slot, now);
		end(slot, start, 'responded', headers, forMs);
		now = start + forMs;
		return start;
	});
}

const rateLimit = (now: number, headers: RateLimit = {}) => end(login, now, 'rateLimited', headers);

/** Begins requests that get no response. @returns how many of them may be in flight */
function inFlight(now: number, slot = login): number {
	let begun = 0;
	for (; begun < 100 && mayBegin(slot, now); begun++) pacer.begin(slot, now);
	return begun;
}

describe('the limit', () => {
	it('is taken at once, and the next slot is free a window after the response to the first request', () => {
		expect(ask(LIMIT + 1, 0).slice(LIMIT - 1)).toEqual([0, WINDOW_MS]);
		pacer = new Pacer(() => 0);
		end(withLimit(1), 0, 'responded', {}, 500);
		expect(next(withLimit(1), 500)).toBe(500 + WINDOW_MS);
	});

	// docs/good-to-know.md: a longer run keeps three slots a minute free
	it('leaves a campaign three slots less, until others get free soon', () => {
		// Those do not count any more, or have no limit.
		ask(1, -2 * WINDOW_MS, withLimit(600));
		ask(1, 0, withLimit(Infinity));
		ask(LIMIT - KEPT, 0, campaign);
		expect(next(campaign, 10_000)).toBe(WINDOW_MS - KEPT * EVERY_MS);
		expect(ask(KEPT + 1, 10_000, login)).toEqual([10_000, 10_000, 10_000, WINDOW_MS]);
	});

	it.each([
		[9, 9],
		[10, 9],
		[600, 570],
	])('of %d leaves a campaign %d at once', (limit, most) => {
		const starts = ask(limit, 0, { ...campaign, limit });
		expect(starts.filter((at) => at < 10_000)).toHaveLength(most);
		expect(starts.at(-1)).toBeLessThan(WINDOW_MS);
	});

	it('counts a request in flight until it ends, also without a response, but not if it was not made', () => {
		const slot = withLimit(1);
		const hung = pacer.begin(slot, 0);
		expect(pacer.isLimited(slot, 10 * WINDOW_MS)).toBe(true);
		pacer.end(hung, 10 * WINDOW_MS, 'noResponse', {});
		expect(next(slot, 10 * WINDOW_MS)).toBe(11 * WINDOW_MS);
		end(slot, 11 * WINDOW_MS, 'notMade');
		expect(mayBegin(slot, 11 * WINDOW_MS)).toBe(true);
	});

	it('is none for runs without one, but after a 429 one request finds out', () => {
		const slot = withLimit(Infinity);
		expect(inFlight(0, slot)).toBe(100);
		pacer = new Pacer(() => 0);
		rateLimit(0);
		expect(next(slot, 0)).toBe(1000);
		expect(inFlight(1000, slot)).toBe(1);
	});

	it('of a run that waits for the status of each message is half of it, unless it has none', () => {
		expect(sendsPerWindow({ limit: LIMIT, waits: true })).toBe(HALF - KEPT);
		expect(sendsPerWindow({ limit: Infinity, waits: true })).toBe(Infinity);
	});

	it('of two runs is the higher one, of which the lower run has no more than its own', () => {
		ask(20, 0);
		expect(ask(21, 0, withLimit(20)).slice(19)).toEqual([0, WINDOW_MS]);
		pacer = new Pacer(() => 0);
		ask(41, 0);
		expect(ask(20, 0, withLimit(20)).slice(18)).toEqual([0, WINDOW_MS]);
	});
});

describe('after a 429', () => {
	it('waits longer after each in a row, and from the seventh on with jitter', () => {
		pacer = new Pacer(() => 1);
		let now = 0;
		const waits = Array.from({ length: 7 }, () => {
			rateLimit(now);
			const from = now;
			now = next(login, now);
			return now - from;
		});
		expect(waits).toEqual([1000, 2000, 4000, 8000, 16_000, 30_000, 15_000]);
	});

	it.each<[string, RateLimit, number]>([
		['as Retry-After says', { retryAfterMs: 7000, remaining: 0, resetInMs: 20_000 }, 7000],
		['until the reset when nothing is left', { remaining: 0, resetInMs: 20_000 }, 20_000],
		['a second when something is left', { remaining: 5, resetInMs: 20_000 }, 1000],
		['as long as a run has patience', { retryAfterMs: PATIENCE_MS }, PATIENCE_MS],
		['a second when a run has no patience', { retryAfterMs: PATIENCE_MS + 1 }, 1000],
	])('pauses %s', (_, headers, expected) => {
		rateLimit(0, headers);
		expect(next(withLimit(Infinity), 0)).toBe(expected);
	});

	it('takes several of requests that were in flight together for one, and goes on with one request', () => {
		ask(12, 0);
		const hung = pacer.begin(login, 100);
		const together = [1, 2, 3].map(() => pacer.begin(login, 100));
		for (const request of together) pacer.end(request, 200, 'rateLimited', {});
		expect(pacer.isLimited(login, 1199)).toBe(true);
		expect(pacer.isLimited(login, 1200)).toBe(false);
		expect(inFlight(1200)).toBe(0);
		pacer.end(hung, 1300, 'noResponse', {});
		expect(inFlight(1300)).toBe(1);
	});

	it.each<[string, RateLimit, number]>([
		['without headers waits until its own requests leave the window', {}, 10_000 + WINDOW_MS],
		['waits as long as the API asks', { retryAfterMs: 3000 }, 43_000],
	])('the second in a row %s', (_, headers, expected) => {
		for (const at of [10_000, 20_000]) ask(1, at);
		rateLimit(30_000);
		rateLimit(40_000, headers);
		expect(next(login, 40_000)).toBe(expected);
	});

	it.each([
		['two windows after the pause', 121_000, 0],
		['later than that', 121_001, 121_001],
	])('another one %s, at %d ms, is one of those since %d', (_, now, since) => {
		rateLimit(0);
		rateLimit(now);
		expect(pacer.rateLimitedSince).toBe(since);
		ask(1, now + WINDOW_MS);
		expect(pacer.rateLimitedSince).toBeUndefined();
	});

	it('a campaign spreads its requests for five minutes, and makes up for a second', () => {
		rateLimit(0);
		const starts = ask(4, WINDOW_MS, campaign);
		expect(starts.map((at) => (at - WINDOW_MS) / EVERY_MS)).toEqual([0, 0, 1, 2]);
		expect(mayBegin(login, WINDOW_MS)).toBe(true);
		const later = 5 * WINDOW_MS;
		expect(ask(3, later, campaign)).toEqual([later, later, later]);
		rateLimit(later);
		expect(ask(3, later + WINDOW_MS, { ...campaign, limit: 9 })[2]).toBe(later + WINDOW_MS);
	});
});

describe('by the headers of the API', () => {
	it('waits for the reset when nothing remains, although its own count has room', () => {
		ask(1, 0, login, { remaining: 0, resetInMs: 12_000 });
		expect(next(login, 2000)).toBe(12_000);
		end(login, 12_000, 'responded', { remaining: 0, resetInMs: 1000 });
		expect(next(login, 12_000)).toBe(13_000);
	});

	it('leaves room for requests that the API may not have counted yet', () => {
		ask(10, 0, login, { remaining: 2, resetInMs: 10_000 });
		expect(inFlight(20)).toBe(2);
	});

	it.each<[string, RateLimit, number]>([
		['without them has no more in flight than the limit needs', {}, 10],
		['with them grows on', { remaining: 599, resetInMs: WINDOW_MS }, 15],
	])('%s', (_, headers, expected) => {
		ask(60, 0, withLimit(600), headers, 500);
		expect(inFlight(30_000, withLimit(600))).toBe(expected);
	});

	it.each([
		[30, 3],
		[31, 1],
	])('after %d ms, in which others may have taken what was left, begins %d', (rest, begun) => {
		ask(12, 0, login, { remaining: 40, resetInMs: 50_000 });
		expect(inFlight(rest)).toBe(begun);
	});

	// docs/good-to-know.md: with several workers
	it('a campaign beside others keeps twice as many slots, and spreads its requests', () => {
		const told = { resetInMs: 50_000 };
		// One header alone says nothing.
		for (const alone of [told, { remaining: 9 }]) ask(1, -WINDOW_MS, campaign, alone);
		for (const remaining of [59, 58]) ask(1, 0, campaign, { remaining, ...told });
		expect(mayBegin(campaign, 0)).toBe(true);
		ask(1, 0, campaign, { remaining: 2 * KEPT + 1, ...told });
		expect(next(campaign, 100)).toBe(2 * EVERY_MS);
		ask(1, 2 * EVERY_MS, campaign, { remaining: 2 * KEPT, ...told });
		expect(next(campaign, 3000)).toBe(52_000);
		expect(mayBegin(login, 3000)).toBe(true);
	});

	it('a campaign with a limit that is too high for the API goes on all the same', () => {
		const slot = { ...campaign, limit: 6000 };
		const told = [59, 58].map((remaining) => ask(1, 0, slot, { remaining, resetInMs: 50_000 }));
		expect(told.flat()).toEqual([0, 0]);
		expect(mayBegin(slot, 200)).toBe(true);
	});

	/** The first response tells of 20 requests left in a window that ends at 10,000. */
	it.each([
		['before is of the window before, and tells nothing', 8999, 5000],
		['before is of this window', 9000, 10_000],
		['after is of this window', 11_000, 10_000],
		['after is of another window', 11_001, 11_100],
	])('a reset about a second %s: %d', (_, resetAt, expected) => {
		ask(1, 0, login, { remaining: 20, resetInMs: 10_000 });
		end(login, 5000, 'responded', { remaining: 0, resetInMs: resetAt - 5000 });
		end(login, 5000, 'responded', { remaining: 30, resetInMs: resetAt - 5000 });
		expect(next(login, 5000)).toBe(expected);
	});
});

describe('look-ups of those who wait', () => {
	// docs/good-to-know.md: half of the limit is kept for status checks
	it('take at most half of the limit, but for the last ones, and leave short runs their slots', () => {
		ask(HALF, 0, lookUp);
		expect(next(lookUp, 5000)).toBe(WINDOW_MS);
		expect(mayBegin(lastLookUp, 5000)).toBe(true);
		pacer = new Pacer(() => 0);
		ask(LIMIT - KEPT, 0);
		expect(next(lookUp, 10_000)).toBe(WINDOW_MS - KEPT * EVERY_MS);
		expect(next(lastLookUp, 10_000)).toBe(WINDOW_MS - KEPT * EVERY_MS);
		expect(mayBegin(login, 10_000)).toBe(true);
	});

	// docs/good-to-know.md: half of the limit is kept for status checks
	it.each([
		[1, LIMIT - KEPT - 1],
		[HALF, HALF - KEPT],
		[HALF + 1, HALF - KEPT],
	])(
		'have a slot for each of %d messages, of which a campaign leaves them: it sends %d',
		(awaited, sends) => {
			const ends = Array.from({ length: awaited }, () => pacer.reserveLookUp());
			ask(sends, 0, campaign);
			expect(next(campaign, 5000)).toBe(WINDOW_MS);
			expect(mayBegin(login, 5000)).toBe(true);
			expect(mayBegin(lookUp, 5000)).toBe(true);
			for (const endReservation of [...ends, ...ends]) endReservation();
			expect(mayBegin(campaign, 5000)).toBe(sends < LIMIT - KEPT);
		},
	);

	it('come spread over the minute as soon as all of their half is made or needed', () => {
		const everyMs = WINDOW_MS / HALF;
		for (let awaited = 0; awaited < HALF - 2; awaited++) pacer.reserveLookUp();
		expect(ask(4, 0, lookUp)).toEqual([0, 0, 1.5 * everyMs, 2.5 * everyMs]);
		ask(1, 3 * everyMs);
		expect(next(lookUp, 3 * everyMs)).toBe(3.5 * everyMs);
	});

	it.each([1, 2, 3])('do not keep a limit of %d from sending, nor sends from look-ups', (limit) => {
		for (let awaited = 0; awaited < HALF; awaited++) pacer.reserveLookUp();
		ask(1, 0);
		expect(ask(1, 0, { ...campaign, limit })).toEqual([0]);
		expect(ask(1, WINDOW_MS, { ...lookUp, limit })).toEqual([WINDOW_MS]);
		expect(mayBegin({ ...campaign, limit }, WINDOW_MS)).toBe(limit > 1);
	});
});

it('is idle when nothing that happened counts any more', () => {
	expect(pacer.isIdle(0)).toBe(true);
	const request = pacer.begin(login, 0);
	expect(pacer.isIdle(PATIENCE_MS)).toBe(false);
	pacer.end(request, 1000, 'rateLimited', { retryAfterMs: PATIENCE_MS });
	expect(pacer.isIdle(1000 + PATIENCE_MS - 1)).toBe(false);
	expect(pacer.isIdle(1000 + PATIENCE_MS)).toBe(true);
});
