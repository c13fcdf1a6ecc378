import type { Failure } from './failure';
import type { RateLimit } from './rateLimit';
import type { Purpose } from './remedies';

/** How long one item waits out 429 answers in all. */
const RATE_LIMIT_PATIENCE_MS = 5 * 60_000;

/** Tries after a fault; a rate limit is not a fault. */
const MAX_FAULT_RETRIES = 3;
const FIRST_DELAY_MS = 1000;
const MAX_DELAY_MS = 30_000;

export interface Attempts {
	/** Failed tries, without those answered 429. */
	faults: number;
	/** Tries answered 429. */
	rateLimited: number;
	/** Spent waiting because of 429 answers. */
	rateLimitWaitMs: number;
}

/**
 * The retry rule. A send is repeated only after a try that was certainly not processed, because the
 * API has no key to recognize a repetition by; a look-up is repeated freely.
 */
export function mayRepeat(
	failure: Failure,
	purpose: Purpose,
	retryUnknownOutcome: boolean,
): boolean {
	if (failure.outcome === 'unknown') return retryUnknownOutcome;
	return (
		failure.retryable &&
		(purpose === 'status' || isRateLimited(failure) || failure.outcome === 'notSent')
	);
}

/**
 * How long to wait before the next try, in ms; undefined when there is none. 429 is waited out as
 * the API asks: `Retry-After` first, then the reset of the window.
 * @param random 0 to 1; spreads the tries of several executions
 */
export function delayBeforeRetry(
	failure: Failure,
	attempts: Attempts,
	rateLimit: RateLimit,
	random: number,
): number | undefined {
	if (!isRateLimited(failure)) {
		return attempts.faults <= MAX_FAULT_RETRIES ? backoff(attempts.faults, random) : undefined;
	}
	const asked = rateLimit.retryAfterMs ?? rateLimit.resetInMs;
	const delay = Math.max(asked ?? 0, backoff(attempts.rateLimited, random));
	return attempts.rateLimitWaitMs + delay <= RATE_LIMIT_PATIENCE_MS ? delay : undefined;
}

export function isRateLimited({ httpStatus }: Failure): boolean {
	return httpStatus === 429;
}

/** 1 s, 2 s, 4 s … with up to half of it off. */
function backoff(tries: number, random: number): number {
	const full = Math.min(FIRST_DELAY_MS * 2 ** Math.max(0, tries - 1), MAX_DELAY_MS);
	return Math.ceil(full * (1 - random / 2));
}
