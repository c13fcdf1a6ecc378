import { PATIENCE_MS, type RateLimit } from './rateLimitHeaders';
import { backoff } from './retry';

/** The limit counts requests per minute (8.1). */
export const WINDOW_MS = 60_000;

/**
 * What a request is for. A look-up asks for the status of a message that somebody waits for; the last
 * one, when the wait ends, can't be made later.
 */
export type RequestKind = 'main' | 'lookUp' | 'lastLookUp';

/** The slot that a request waits for. */
export interface WantedSlot {
	kind: RequestKind;
	/** Requests per window that its run allows itself; Infinity for no limit. */
	limit: number;
	/** Whether its run, such as a login code, needs no more slots than are kept for it. */
	isShort: boolean;
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

/** One of so many slots is kept for short runs, so that a login code does not wait behind a campaign. */
const SLOTS_PER_KEPT = 20;
/** What is kept may be taken so many ms before as many get free. So a campaign takes no longer than at the limit. */
const RELEASE_MS = WINDOW_MS / SLOTS_PER_KEPT;

/** How many slots of a window are kept for short runs. */
export function keptOf(limit: number): number {
	return Math.round(limit / SLOTS_PER_KEPT);
}

/** How a run sends its messages. */
export interface Pace {
	/** Requests per window; Infinity for no limit. */
	limit: number;
	/** Whether it waits for the status of each. */
	waits?: boolean;
}

/** How many messages a long run can send per window. */
export function sendsPerWindow({ limit, waits }: Pace): number {
	return waits && limit < Infinity ? Math.ceil(limit / 2) - keptOf(limit) : limit;
}

/** The part of look-ups. */
function halfOf(limit: number): number {
	return Math.max(1, Math.floor(limit / 2));
}

/** Requests that are spread make up for a delay of so many ms, because those that wait are looked at now and then. */
const LATENESS_MS = 1000;

function dueAfter(dueAt: number, everyMs: number, now: number): number {
	return Math.max(dueAt, now - LATENESS_MS) + everyMs;
}

/** After a rest of so many ms, other processes may have taken what the last response said was left. */
const STALE_MS = 30;
/** After so many responses one more request may be in flight. */
const RESPONSES_PER_MORE = 4;
/** So many times as long as the last one a response may take. */
const LATENCY_SPREAD = 2;
/** Resets in whole seconds differ by this much within one window. */
const RESET_JITTER_MS = 1000;
/** For so long after others were seen to use the limit, too, long runs spread their requests and keep twice as many. */
const BESIDE_OTHERS_MS = 5 * WINDOW_MS;

/**
 * Says whether a request may begin, so that one account stays below its limit: by the log of this process's own requests,
 * by the API's count in the headers, and by 429s. All times are ticks in ms. `rateLimiter.ts` says whose request is next.
 */
export class Pacer {
	/** Those that may count now. The API counts a request before it ends, and for one window. */
	private requests: OwnRequest[] = [];
	/** One for each message that is waited for. */
	private readonly awaited = new Set<() => void>();
	private inFlight = 0;
	/** Since a 429 or a rest. */
	private responses = 0;
	/** Of the last response. */
	private latencyMs = 0;
	/** When the next one is due of requests that are spread evenly, and of look-ups. */
	private nextStartAt = -Infinity;
	private nextLookUpAt = -Infinity;
	private lastEndAt = -Infinity;
	private othersSeenAt = -Infinity;
	/** When the window of the API's count ends, and the lowest number of requests left that it told for it. */
	private endsAt = -Infinity;
	private left = Infinity;
	/** The highest number of requests left that the API ever told. */
	private mostLeft = 0;
	private blockedUntil = -Infinity;
	/** 429s in a row, those of requests that were in flight together counted once. */
	private rateLimits = 0;
	/** When the first of them came. */
	rateLimitedSince?: number;
	private lastRateLimitAt = -Infinity;

	/** @param random 0 to 1; spreads the attempts of several processes */
	constructor(private readonly random: () => number) {}

	/** Whether a request has to wait for the rate limit. */
	isLimited({ kind, limit, isShort }: WantedSlot, now: number): boolean {
		if (now < this.blockedUntil) return true;
		if (limit === Infinity) return false;
		if (this.isFull(limit, now)) return true;
		if (kind !== 'lookUp' && isShort) return false;
		if (this.takesKept(limit, now)) return true;
		if (kind === 'lastLookUp') return false;
		return (
			this.isBesideOthers(limit, now) ||
			(kind === 'main' ? this.leavesNoLookUps(limit, now) : this.hasEnoughLookUps(limit, now))
		);
	}

	/**
	 * Whether a request has to wait for the end of another one. After a rest or a 429, requests in flight grow slowly,
	 * because all of them get a 429 if others have filled the window.
	 */
	hasEnoughInFlight(limit: number): boolean {
		const isFree = limit === Infinity && this.rateLimits === 0;
		const grown = this.responses / RESPONSES_PER_MORE;
		// Without headers only a 429 tells that others have filled the window: then no more than the limit needs.
		const needed = (LATENCY_SPREAD * limit * this.latencyMs) / WINDOW_MS;
		const isTold = this.mostLeft > 0 || limit === Infinity;
		const most = isTold ? grown : Math.min(grown, needed);
		return !isFree && this.inFlight >= Math.max(1, most);
	}

	begin({ limit, kind }: WantedSlot, now: number): OwnRequest {
		const isLookUp = kind !== 'main';
		const request = { limit, isLookUp, startedAt: now, endedAt: Infinity };
		if (this.inFlight === 0 && now - this.lastEndAt > STALE_MS) this.responses = 0;
		this.inFlight++;
		this.nextStartAt = dueAfter(this.nextStartAt, WINDOW_MS / this.highest(limit), now);
		if (isLookUp) this.nextLookUpAt = dueAfter(this.nextLookUpAt, WINDOW_MS / halfOf(limit), now);
		this.requests = this.requests.filter(({ endedAt }) => endedAt > now - 2 * WINDOW_MS);
		if (limit < Infinity) this.requests.push(request);
		return request;
	}

	end(request: OwnRequest, now: number, how: HowItEnded, rateLimit: RateLimit): void {
		this.inFlight--;
		this.lastEndAt = now;
		request.endedAt = how === 'responded' || how === 'noResponse' ? now : -Infinity;
		this.readCount(rateLimit, request, now);
		if (how === 'rateLimited') this.rateLimited(rateLimit, request, now);
		if (how !== 'responded') return;
		this.latencyMs = now - request.startedAt;
		this.responses++;
		this.forgetRateLimits();
	}

	/** A message will be waited for: sends leave a slot to look it up. @returns ends that */
	reserveLookUp(): () => void {
		const end = () => void this.awaited.delete(end);
		this.awaited.add(end);
		return end;
	}

	/** Whether nothing that happened still counts. */
	isIdle(now: number): boolean {
		return this.inFlight === 0 && now >= this.lastEndAt + PATIENCE_MS;
	}

	/** Each run keeps to its own limit, all together to the highest one, and all processes to what the API has left. */
	private isFull(limit: number, now: number): boolean {
		const isUpToLimit = (request: OwnRequest) => request.limit <= limit;
		return (
			this.free(limit, now) <= 0 ||
			this.remaining(now) <= 0 ||
			this.count(now, isUpToLimit) >= limit
		);
	}

	/** Whether one more request of a long run would take what is kept for short runs. */
	private takesKept(limit: number, now: number): boolean {
		return this.free(limit, now + RELEASE_MS) <= keptOf(limit);
	}

	/** Whether a long run has to leave it to short runs of other processes. */
	private isBesideOthers(limit: number, now: number): boolean {
		const kept = keptOf(limit);
		if (kept === 0 || now >= this.othersSeenAt + BESIDE_OTHERS_MS) return false;
		// A limit that the user has set too high must not keep all that the API allows.
		const keptBesideOthers = 2 * Math.min(kept, keptOf(this.mostLeft));
		return now < this.nextStartAt || this.remaining(now) <= keptBesideOthers;
	}

	/** While messages are waited for, sends of long runs leave a slot for each, up to half of the limit. */
	private leavesNoLookUps(limit: number, now: number): boolean {
		const lookUps = Math.min(Math.floor(limit / 2), this.awaited.size);
		const isSend = (request: OwnRequest) => !request.isLookUp && request.limit <= limit;
		return lookUps > 0 && this.count(now, isSend) >= limit - lookUps - keptOf(limit);
	}

	/** Look-ups that are as many as half of the limit keep to it, and spread evenly over the window. */
	private hasEnoughLookUps(limit: number, now: number): boolean {
		const half = halfOf(limit);
		const lookUps = this.count(now, ({ isLookUp }) => isLookUp);
		if (lookUps + this.awaited.size < half) return false;
		// There is only one look-up for each message, and a later one tells more.
		return lookUps >= half || now < this.nextLookUpAt;
	}

	/** Slots that are free by our own count, which is all there is if the API sends no headers. */
	private free(limit: number, now: number): number {
		return this.highest(limit) - this.count(now, () => true);
	}

	/** Of the runs that share the account. */
	private highest(limit: number): number {
		return Math.max(limit, ...this.requests.map((request) => request.limit));
	}

	private count(now: number, isMeant: (request: OwnRequest) => boolean): number {
		return this.counting(now).filter(isMeant).length;
	}

	/** Our requests that are in the API's count. */
	private counting(now: number): OwnRequest[] {
		return this.requests.filter(({ endedAt }) => endedAt > now - WINDOW_MS);
	}

	/**
	 * Slots that are free by the API's own count, which includes what other processes send, but perhaps not yet what is in
	 * flight; Infinity if it is not known.
	 */
	private remaining(now: number): number {
		return now < this.endsAt ? this.left - this.inFlight : Infinity;
	}

	private readCount({ remaining, resetInMs }: RateLimit, request: OwnRequest, now: number): void {
		if (remaining === undefined || resetInMs === undefined) return;
		if (remaining < this.free(request.limit, request.startedAt)) this.othersSeenAt = now;
		this.mostLeft = Math.max(this.mostLeft, remaining);
		const endsAt = now + resetInMs;
		const isKnown = now < this.endsAt;
		// A response that was late, from the window before, tells nothing.
		if (isKnown && endsAt < this.endsAt - RESET_JITTER_MS) return;
		const isSameWindow = isKnown && endsAt <= this.endsAt + RESET_JITTER_MS;
		this.left = isSameWindow ? Math.min(this.left, remaining) : remaining;
		if (!isSameWindow) this.endsAt = endsAt;
	}

	private rateLimited(rateLimit: RateLimit, { startedAt }: OwnRequest, now: number): void {
		const { remaining, retryAfterMs, resetInMs } = rateLimit;
		this.responses = 0;
		this.othersSeenAt = now;
		// After so long without a request, an earlier 429 says nothing of now.
		const lastCounts = Math.max(this.lastRateLimitAt, this.blockedUntil) + 2 * WINDOW_MS;
		if (startedAt > lastCounts) this.forgetRateLimits();
		const asked = retryAfterMs ?? (remaining ? undefined : resetInMs) ?? Infinity;
		if (asked <= PATIENCE_MS) this.block(now + asked);
		// A request that began before the last 429 tells of the same moment.
		if (startedAt < this.lastRateLimitAt) return;
		// The second one in a row tells that the window is full, also with requests of others: until ours leave it.
		if (asked > PATIENCE_MS && this.rateLimits > 0) this.block(this.firstToLeave(now));
		this.rateLimits++;
		this.rateLimitedSince ??= now;
		this.lastRateLimitAt = now;
		// The first six pauses have no jitter: together they last a minute, after which a window that others filled is open.
		this.block(now + backoff(this.rateLimits, this.rateLimits > 6 ? this.random() : 0));
	}

	private forgetRateLimits(): void {
		this.rateLimits = 0;
		this.rateLimitedSince = undefined;
	}

	/** When the first of our requests is out of the API's count. */
	private firstToLeave(now: number): number {
		const first = Math.min(...this.counting(now).map(({ endedAt }) => endedAt));
		return first < Infinity ? first + WINDOW_MS : now;
	}

	private block(until: number): void {
		this.blockedUntil = Math.max(this.blockedUntil, until);
	}
}
