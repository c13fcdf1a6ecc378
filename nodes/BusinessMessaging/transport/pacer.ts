import { PATIENCE_MS, type RateLimit, Reports } from './rateLimitHeaders';
import { backoff } from './retry';

/** The limit counts requests per minute (8.1). */
export const WINDOW_MS = 60_000;

/**
 * What a request is for. A look-up asks for the status of a message that somebody waits for; the last
 * one, when the wait ends, can't be made later.
 */
export type RequestKind = 'main' | 'lookUp' | 'lastLookUp';

/**
 * A `short` run, such as a login code, needs no more slots than are kept for it. A `fitting` one has room in the window
 * in which it begins. A `long` one, such as a campaign, has not.
 */
export type RunLength = 'short' | 'fitting' | 'long';

/** The slot that a request waits for. */
export interface WantedSlot {
	kind: RequestKind;
	/** Requests per window that its run allows itself; Infinity for no limit. */
	limit: number;
	/** Of its run. */
	length: RunLength;
	/** How many main requests its run has still to make. */
	left: number;
	/** Whether any run waits for a slot of kind `main`. */
	sendWaits: boolean;
}

/** A request of this process. */
export interface OwnRequest {
	limit: number;
	isLookUp: boolean;
	startedAt: number;
	/** Infinity while it is in flight. */
	endedAt: number;
}

/** After `noResponse` it is not known whether the API counted the request. */
export type HowItEnded = 'responded' | 'rateLimited' | 'noResponse' | 'notMade';

/**
 * Says when a request may begin, so that one account stays below its limit. All times are ticks in ms.
 *
 * - Long runs and look-ups keep slots for short runs, so that a login code does not wait behind a campaign. They take
 *   these too as soon as others get free, so that a campaign takes no longer than its messages do at the limit.
 * - Fitting runs keep none: 60 messages go out at once.
 * - While look-ups are urgent, they have half of the limit, and sends the other.
 *
 * `rateLimiter.ts` says whose request is next.
 */
export class Pacer {
	private readonly counts = new Counts();

	/** @param random 0 to 1; spreads the attempts of several processes */
	constructor(private readonly random: () => number) {}

	/** @returns ms until the request may begin: 0 at once, Infinity if another one has to end first */
	wait(wanted: WantedSlot, now: number): number {
		this.counts.forgetOld(now);
		const { limit, kind } = wanted;
		const reasons =
			limit === Infinity ? REASONS_WITHOUT_LIMIT : [...REASONS_WITH_LIMIT, HALF_OF_LIMIT[kind]];
		return Math.max(0, ...reasons.map((reason) => reason(this.counts, wanted, now)));
	}

	/**
	 * Of a run that begins now.
	 * @param calls that it will make
	 * @param round of a loop, from 0. In each one before it the loop has made a call at least.
	 */
	lengthOf(
		limit: number,
		{ calls, round }: { calls: number; round: number },
		now: number,
	): RunLength {
		const { counts } = this;
		counts.forgetOld(now);
		if (calls + round <= keptOf(limit)) return 'short';
		const free = Math.min(counts.free(limit), counts.reports.remaining(now) ?? Infinity);
		// In a window that it shares: otherwise each round of a loop would fit into what the one before has kept.
		const kept = round > 0 && free < limit ? keptOf(limit) : 0;
		return free >= calls + kept ? 'fitting' : 'long';
	}

	/** @returns ms before which no request begins, whatever becomes of those in flight */
	earliest(limit: number, now: number): number {
		const { counts } = this;
		counts.forgetOld(now);
		const hasEnded = (request: OwnRequest) => request.limit <= limit && request.endedAt < Infinity;
		return Math.max(0, counts.blockedUntil - now, counts.freeAt(limit, hasEnded) - now);
	}

	begin({ limit, kind }: WantedSlot, now: number): OwnRequest {
		const request = { limit, isLookUp: kind !== 'main', startedAt: now, endedAt: Infinity };
		this.counts.begin(request);
		return request;
	}

	end(request: OwnRequest, now: number, how: HowItEnded, rateLimit: RateLimit): void {
		const { counts } = this;
		counts.end(request, now, how === 'responded' || how === 'noResponse');
		counts.reports.add(rateLimit, now);
		if (how === 'rateLimited') counts.rateLimited(request.startedAt, rateLimit, now, this.random());
		if (how === 'responded') counts.responded();
	}

	/** A message has to be looked up until then. @returns ends that */
	reserveLookUps(until: number): () => void {
		const { reservations } = this.counts;
		const reservation = { until };
		reservations.add(reservation);
		return () => void reservations.delete(reservation);
	}

	/** How many 429s came in a row, and for how long. */
	rateLimited(now: number): { times: number; forMs: number } {
		const { rateLimits: times, firstRateLimitAt } = this.counts;
		return { times, forMs: times > 0 ? now - firstRateLimitAt : 0 };
	}

	/** Whether nothing that happened still counts. */
	isIdle(now: number): boolean {
		const { counts } = this;
		counts.forgetOld(now);
		const isUsed = counts.reservations.size > 0 || counts.count(() => true) > 0;
		return !isUsed && now >= Math.max(counts.blockedUntil, counts.reports.endsAt);
	}
}

/** @returns for how many ms a request has to wait for this reason; a negative number is as good as 0 */
type ReasonToWait = (counts: Counts, wanted: WantedSlot, now: number) => number;

const REASONS_WITHOUT_LIMIT: ReasonToWait[] = [pauseAfter429, oneAfter429, sendsFirst];
const REASONS_WITH_LIMIT: ReasonToWait[] = [
	pauseAfter429,
	limitsOfRuns,
	slotsForShortRuns,
	slotsBesideOthers,
	sendsFirst,
	limitOfApi,
	slowStart,
	spreadWithoutHeaders,
];
const HALF_OF_LIMIT: Record<RequestKind, ReasonToWait> = {
	main: halfForLookUps,
	lookUp: halfForSends,
	lastLookUp: halfForLastLookUps,
};

function pauseAfter429({ blockedUntil }: Counts, _: WantedSlot, now: number): number {
	return blockedUntil - now;
}

/** One request finds out whether others may follow. */
function oneAfter429({ rateLimits, inFlight }: Counts): number {
	return rateLimits > 0 && inFlight > 0 ? Infinity : 0;
}

/** Each run keeps to its own limit, and all runs together to the highest one. */
function limitsOfRuns(counts: Counts, { limit }: WantedSlot, now: number): number {
	const highest = counts.highestLimit(limit);
	return Math.max(...[limit, highest].map((most) => counts.freeAt(most, upTo(most)))) - now;
}

function upTo(limit: number) {
	return (request: OwnRequest) => request.limit <= limit;
}

/** One of so many slots is kept for short runs. */
const SLOTS_PER_KEPT = 20;

function keptOf(limit: number): number {
	return Math.round(limit / SLOTS_PER_KEPT);
}

/** How many slots a request keeps for short runs. Last look-ups can't wait, but take all that no send waits for. */
function keeps({ kind, limit, length, sendWaits }: WantedSlot): number {
	const takesAll = kind === 'main' ? length !== 'long' : kind === 'lastLookUp' && sendWaits;
	return takesAll ? 0 : keptOf(limit);
}

/** How long so many sends take, and a window of look-ups after them. */
function untilLookedUp(sends: number, limit: number): number {
	return WINDOW_MS * (sends / limit + 1);
}

/** How a run sends its messages. */
export interface Pace {
	/** Requests per window; Infinity for no limit. */
	limit: number;
	/** How long it waits for the status of each. */
	waitMs?: number;
}

/** How many messages a run of so many can send per window. */
export function sendsPerWindow({ limit, waitMs = Infinity }: Pace, sends: number): number {
	if (limit === Infinity || waitMs > untilLookedUp(sends, limit)) return limit;
	return besideLookUps(limit);
}

/** How many sends per window leave look-ups their half, and short runs their slots. */
function besideLookUps(limit: number): number {
	return Math.ceil(limit / 2) - keptOf(limit);
}

/**
 * A slot that is kept may be taken if another gets free before a short run would miss it. So behind the request one slot
 * is free within the time that one request takes at the limit, and all that are kept within the time that so many take.
 */
function slotsForShortRuns(counts: Counts, wanted: WantedSlot, now: number): number {
	const kept = keeps(wanted);
	if (kept === 0) return 0;
	const most = counts.highestLimit(wanted.limit);
	const leaves = (slots: number) =>
		counts.freeAt(most - slots, upTo(most)) - (slots * WINDOW_MS) / most;
	return Math.max(leaves(1), leaves(kept)) - now;
}

/**
 * Without headers, only a 429 tells of others. From then on slots are kept of what was ours in the full window; after
 * each further window we try one, three, seven … more.
 */
function slotsBesideOthers(counts: Counts, wanted: WantedSlot, now: number): number {
	const kept = keeps(wanted);
	const { lastFull, reports } = counts;
	if (kept === 0 || !lastFull || reports.remaining(now) !== undefined) return 0;
	const more = 2 ** Math.floor((now - lastFull.at) / WINDOW_MS) - 1;
	return counts.freeAt(Math.max(1, lastFull.own + more - kept), () => true) - now;
}

/** How many waits would end before the run has sent everything and looked it up. */
function urgentLookUps({ reservations }: Counts, wanted: WantedSlot, now: number): number {
	const { limit, left } = wanted;
	// What is kept is sent a little later.
	const madeAt = now + untilLookedUp(left - keeps(wanted), limit);
	let urgent = 0;
	for (const { until } of reservations) if (until <= madeAt) urgent++;
	return urgent;
}

/** While look-ups are urgent, sends of longer runs take at most half of the limit. */
function halfForLookUps(counts: Counts, wanted: WantedSlot, now: number): number {
	const { limit, length } = wanted;
	if (length === 'short' || urgentLookUps(counts, wanted, now) === 0) return 0;
	const isSendUpToLimit = (request: OwnRequest) => !request.isLookUp && request.limit <= limit;
	return counts.freeAt(besideLookUps(limit), isSendUpToLimit) - now;
}

function halfOf(limit: number): number {
	return Math.max(1, Math.floor(limit / 2));
}

function isLookUp(request: OwnRequest): boolean {
	return request.isLookUp;
}

/** Look-ups that are as many as half of the limit keep to it, and spread evenly over the window. */
function halfForSends(counts: Counts, wanted: WantedSlot, now: number): number {
	const half = halfOf(wanted.limit);
	const lookUps = counts.count(isLookUp) + urgentLookUps(counts, wanted, now);
	if (lookUps < half) return 0;
	const freeFrom = counts.freeAt(half, isLookUp);
	// There is only one look-up for each message, and a later one tells more.
	const evenlyFrom = counts.lastLookUpAt + WINDOW_MS / half;
	return Math.max(freeFrom, evenlyFrom) - now;
}

/** Last look-ups may exceed the look-ups' half of the limit by a fifth. */
const LAST_LOOK_UPS = 1.2;

/** They also take what no send waits for. */
function halfForLastLookUps(counts: Counts, { limit, sendWaits }: WantedSlot, now: number): number {
	if (!sendWaits) return 0;
	return counts.freeAt(Math.ceil(halfOf(limit) * LAST_LOOK_UPS), isLookUp) - now;
}

/** While no look-up is urgent, look-ups wait until nothing is sent. */
function sendsFirst(counts: Counts, wanted: WantedSlot, now: number): number {
	if (wanted.kind !== 'lookUp' || urgentLookUps(counts, wanted, now) > 0) return 0;
	const isSendInFlight = ({ isLookUp, endedAt }: OwnRequest) => !isLookUp && endedAt === Infinity;
	return wanted.sendWaits || counts.count(isSendInFlight) > 0 ? Infinity : 0;
}

/** So many ms before the API's window ends, what is kept is given away, if the end gives back as many. */
const RELEASE_MS = 3000;

/** The API's own count includes what other processes send. Beside them, slots are kept of our share of what is left. */
function limitOfApi(counts: Counts, wanted: WantedSlot, now: number): number {
	const { reports } = counts;
	const remaining = reports.remaining(now) ?? Infinity;
	const hasOthers = remaining < counts.free(wanted.limit);
	const kept = hasOthers ? keeps(wanted) : 0;
	const isEnough = (slots: number) =>
		kept === 0 ? slots > 0 : (slots - kept) * usableShare(reports) >= 1;
	if (isEnough(remaining)) return 0;
	const isReleased = remaining > 0 && isEnough(remaining + reports.regained);
	return reports.endsAt - (isReleased ? RELEASE_MS : 0) - now;
}

/** Without headers, only a 429 tells that a window is full: allow one more in flight after so many responses. */
const RESPONSES_PER_MORE = 4;
/** The next response may take so many times as long as the last one. */
const LATENCY_SPREAD = 2;

/**
 * After a rest or a 429, requests in flight grow one by one: up to half of our share of what remains or, without
 * headers, to what the limit needs at this latency, because all of them get a 429 when others have filled the window.
 */
function slowStart(counts: Counts, { limit }: WantedSlot, now: number): number {
	const { reports, inFlight, responses, latencyMs } = counts;
	const remaining = reports.remaining(now);
	const most =
		remaining === undefined
			? Math.min(responses / RESPONSES_PER_MORE, (LATENCY_SPREAD * limit * latencyMs) / WINDOW_MS)
			: Math.min(responses, Math.floor(remaining * usableShare(reports)));
	return inFlight < Math.max(1, most) ? 0 : Infinity;
}

/** The other half, because what others have in flight is not in the API's count yet. */
function usableShare(reports: Reports): number {
	const share = reports.share();
	return share < 1 ? share / 2 : 1;
}

/** Spreads a window's requests over so many ms, so that few of them get a 429 when others have filled it. */
const BURST_MS = 6000;

function spreadWithoutHeaders(counts: Counts, { limit }: WantedSlot, now: number): number {
	if (counts.reports.remaining(now) !== undefined) return 0;
	return counts.lastStartAt + BURST_MS / counts.highestLimit(limit) - now;
}

/** After a rest of so many ms, other processes may have taken what the last response said was left. */
const STALE_MS = 30;

/** Our own requests of the last window, because the API may send no headers, and what its responses say of the rest. */
class Counts {
	readonly reports = new Reports();
	/** For each message that is waited for: when the wait ends. */
	readonly reservations = new Set<{ until: number }>();
	inFlight = 0;
	/** Since a 429 or a rest. */
	responses = 0;
	/** Of the last request. */
	latencyMs = 0;
	lastStartAt = -Infinity;
	lastLookUpAt = -Infinity;
	blockedUntil = -Infinity;
	/** 429s in a row, those of requests that were in flight together counted once. */
	rateLimits = 0;
	firstRateLimitAt = 0;
	/** When a 429 last told that others had filled the window, and how many of its requests were ours. */
	lastFull?: { at: number; own: number };
	private lastRateLimitAt = -Infinity;
	private lastEndAt = 0;
	/** In the order of their ends; those in flight come last. */
	private requests: OwnRequest[] = [];

	/** The API counts a request before it ends. So one window after that end, the API no longer counts it. */
	forgetOld(now: number): void {
		while (this.requests[0]?.endedAt <= now - WINDOW_MS) this.requests.shift();
	}

	begin(request: OwnRequest): void {
		const { startedAt, isLookUp } = request;
		if (this.inFlight === 0 && startedAt - this.lastEndAt > STALE_MS) this.responses = 0;
		this.requests.push(request);
		this.inFlight++;
		this.lastStartAt = startedAt;
		if (isLookUp) this.lastLookUpAt = startedAt;
	}

	/** @param isCounted whether the API may have counted it */
	end(request: OwnRequest, now: number, isCounted: boolean): void {
		this.requests.splice(this.requests.lastIndexOf(request), 1);
		this.inFlight--;
		this.lastEndAt = now;
		if (!isCounted) return;
		request.endedAt = now;
		this.latencyMs = now - request.startedAt;
		this.requests.splice(this.requests.length - this.inFlight, 0, request);
	}

	responded(): void {
		this.responses++;
		this.rateLimits = 0;
	}

	rateLimited(startedAt: number, rateLimit: RateLimit, now: number, random: number): void {
		const { remaining, retryAfterMs, resetInMs } = rateLimit;
		// After so long without a request, an earlier 429 says nothing of now.
		if (startedAt - Math.max(this.lastRateLimitAt, this.blockedUntil) > 2 * WINDOW_MS)
			this.rateLimits = 0;
		const asked = retryAfterMs ?? (remaining ? undefined : resetInMs);
		if (asked !== undefined && asked <= PATIENCE_MS) this.block(now + asked);
		this.responses = 0;
		// A request that began before the last 429 tells of the same moment.
		const isSameMoment = startedAt < this.lastRateLimitAt;
		// Of the first 429 it is not known what it counts: another request finds out.
		const isFull = asked === undefined && (isSameMoment || this.rateLimits > 0);
		if (isFull && this.requests[0]?.endedAt <= now)
			this.block(this.requests[0].endedAt + WINDOW_MS);
		// By later ones in a row, many of ours have left the window.
		if (this.rateLimits < 2 && (isFull || (asked ?? 0) > RELEASE_MS))
			this.lastFull = { at: now, own: this.requests.length - this.inFlight };
		if (isSameMoment) return;
		if (this.rateLimits++ === 0) this.firstRateLimitAt = now;
		this.lastRateLimitAt = now;
		// The first six pauses have no jitter: together they last a minute, after which a window that others filled is open.
		this.block(now + backoff(this.rateLimits, this.rateLimits > 6 ? random : 0));
	}

	private block(until: number): void {
		this.blockedUntil = Math.max(this.blockedUntil, until);
	}

	/** @returns the tick from which one more request keeps the requests that `isMeant` selects at or below `most` */
	freeAt(most: number, isMeant: (request: OwnRequest) => boolean): number {
		if (this.requests.length < most) return -Infinity;
		return this.leaveAt(this.count(isMeant) + 1 - most, isMeant);
	}

	/** @returns when so many are out of the API's count; Infinity if one in flight has to end first */
	leaveAt(number: number, isMeant: (request: OwnRequest) => boolean): number {
		if (number <= 0) return -Infinity;
		let left = number;
		const last = this.requests.find((request) => isMeant(request) && --left === 0);
		return (last?.endedAt ?? Infinity) + WINDOW_MS;
	}

	count(isMeant: (request: OwnRequest) => boolean): number {
		return this.requests.reduce((sum, request) => (isMeant(request) ? sum + 1 : sum), 0);
	}

	/** How many slots are free by our own count. */
	free(limit: number): number {
		const most = this.highestLimit(limit);
		return most - this.count(upTo(most));
	}

	/** The most that a run with a request here allows itself. */
	highestLimit(limit: number): number {
		let highest = limit;
		for (const other of this.requests) {
			if (other.limit > highest && other.limit < Infinity) highest = other.limit;
		}
		return highest;
	}
}
