import type { Failure } from '../errors/failure';

/** How often a call is repeated after failures other than 429. */
const MAX_RETRIES = 3;
/** The pacer keeps the rate limit, so after this many 429s of one call something else causes them. */
const MAX_RATE_LIMITED = 20;

/** The failed attempts of one call. */
export interface Attempts {
	/** All but the 429s. */
	failures: number;
	/** The 429s. */
	rateLimited: number;
}

/**
 * The whole retry decision.
 * @param attempts of the call, this failure included
 * @param isIdempotent whether the request may be repeated if it may have been processed
 * @param jitter 0 to 1; spreads the attempts of several executions
 * @returns ms to wait before the next attempt; undefined when there is none
 */
export function retryDelay(
	failure: Failure,
	{ failures, rateLimited }: Attempts,
	isIdempotent: boolean,
	jitter: number,
): number | undefined {
	if (isRateLimited(failure)) {
		if (rateLimited >= MAX_RATE_LIMITED) return undefined;
		// The pacer waits for the rate limit. But where every second request gets a 429, calls that take turns without a
		// pause could get all of theirs.
		return rateLimited > 1 ? backoff(2, jitter) : 0;
	}
	const mayRepeat = failure.retryable && (isIdempotent || failure.outcome === 'notSent');
	return mayRepeat && failures <= MAX_RETRIES ? backoff(failures, jitter) : undefined;
}

/** A 429 that names a cause of the network refuses the message, not the pace of the requests. */
export function isRateLimited({ code }: Failure): boolean {
	return code === 'rateLimited';
}

const FIRST_BACKOFF_MS = 1000;
const MAX_BACKOFF_MS = 30_000;

/** 1 s, 2 s, 4 s … up to 30 s, minus up to half. */
export function backoff(tries: number, random: number): number {
	const full = Math.min(FIRST_BACKOFF_MS * 2 ** Math.max(0, tries - 1), MAX_BACKOFF_MS);
	return Math.ceil(full * (1 - random / 2));
}
