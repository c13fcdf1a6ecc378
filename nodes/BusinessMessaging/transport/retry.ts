import type { Clock } from '../clock';
import type { Failure } from '../errors/failure';
import { backoff } from './pacer';
import type { RateLimit } from './rateLimitHeaders';

/** How often a call is repeated after failures other than 429. */
const MAX_RETRIES = 3;
/** After this many 429s while other requests succeed, the rate limit is not the cause. */
const MAX_ODD = 4;
/** After a 429 because of the limit, other requests rarely succeed so soon. */
const ODD_WITHIN_MS = 5000;

export interface RetryRule {
	/** Whether a repetition does no harm. The API has no idempotency key, so a repeated send can send twice. */
	isIdempotent: boolean;
	/** Repeat a send whose outcome is unknown, once, at the risk of sending twice. */
	retryUnknownOutcome: boolean;
}

/** The failed attempts of one call. */
export interface Attempts {
	/** All but the 429s. */
	failures: number;
	/** An attempt before the last failed one that may have sent the message too. */
	earlierUnknown?: Failure;
	/** The last 429. */
	rateLimited?: RateLimited;
}

/**
 * The whole retry decision.
 * @param attempts of the call, this failure included
 * @param jitter 0 to 1; spreads the attempts of several executions
 * @returns ms to wait before the next attempt; undefined when there is none
 */
export function retryDelay(
	failure: Failure,
	{ failures, earlierUnknown, rateLimited }: Attempts,
	{ isIdempotent, retryUnknownOutcome }: RetryRule,
	jitter: number,
): number | undefined {
	if (isRateLimited(failure)) {
		const { odd = 0 } = rateLimited ?? {};
		if (odd >= MAX_ODD) return undefined;
		// The pacer waits for the rate limit. After an odd 429 the other requests go first.
		return odd > 0 ? backoff(odd, jitter) : 0;
	}
	if (failures > MAX_RETRIES) return undefined;
	const mayRepeat = isIdempotent
		? failure.retryable
		: failure.outcome === 'unknown'
			? retryUnknownOutcome && !earlierUnknown
			: failure.outcome === 'notSent' && failure.retryable;
	return mayRepeat ? backoff(failures, jitter) : undefined;
}

export function isRateLimited({ httpStatus }: Failure): boolean {
	return httpStatus === 429;
}

/** A 429. All times are ticks in ms. */
interface RateLimited {
	at: number;
	/** A request that starts before this tick starts soon after the 429. It is the end of the wait that the API asks for, plus 5 s. */
	soonUntil: number;
	/** A request that started soon after it was accepted. */
	othersSucceeded: boolean;
	/** How many 429s of its call so far the rate limit did not cause, as far as one can tell. */
	odd: number;
}

/** The 429s of a run. It tells those that the rate limit causes from odd ones, such as a limit per recipient. */
export class RateLimitHistory {
	private readonly recent = new Set<RateLimited>();
	private latest?: RateLimited;
	/** When a call last succeeded after a 429: waiting helped, so the rate limit was the cause. */
	private helpedAt = -Infinity;

	constructor(private readonly clock: Pick<Clock, 'ticks'>) {}

	/** A request got a 429. @param previous the last 429 of its call */
	add(previous: RateLimited | undefined, { retryAfterMs = 0, remaining }: RateLimit): RateLimited {
		const at = this.clock.ticks();
		const odd = this.oddAfter(previous, remaining);
		this.latest = { at, soonUntil: at + retryAfterMs + ODD_WITHIN_MS, othersSucceeded: false, odd };
		this.recent.add(this.latest);
		return this.latest;
	}

	/**
	 * A request was accepted.
	 * @param startedAt in ticks
	 * @param previous the last 429 of its call
	 */
	accepted(startedAt: number, previous: RateLimited | undefined): void {
		if (previous) this.helpedAt = this.clock.ticks();
		for (const rateLimited of this.recent) {
			if (startedAt >= rateLimited.soonUntil) this.recent.delete(rateLimited);
			else if (startedAt > rateLimited.at) rateLimited.othersSucceeded = true;
		}
	}

	private oddAfter(previous: RateLimited | undefined, remaining: RateLimit['remaining']): number {
		if (!previous || this.helpedAt > previous.at) return 0;
		const isOnlyOne = previous.odd > 0 && this.latest === previous;
		const isOdd = (previous.othersSucceeded || isOnlyOne) && remaining !== 0;
		return previous.odd + (isOdd ? 1 : 0);
	}
}
