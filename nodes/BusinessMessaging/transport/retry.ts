import type { Failure } from '../errors/failure';
import type { Purpose } from '../errors/httpErrors';
import { backoff } from './pacing/backoff';

/** Tries after a fault; a rate limit is not a fault. */
const MAX_FAULT_RETRIES = 3;
/** Refused so often while others got through, it is not the limit that keeps a request out. */
const MAX_ODD_REFUSALS = 5;

export interface Tries {
	/** That failed, without those answered 429. */
	faults: number;
	/** Answered 429, although others of the run were accepted at that time. */
	oddRefusals: number;
}

/**
 * How long to wait before the next try, in ms; `stop` for none. A send is repeated only after a try that
 * was certainly not processed, because the API has no key to recognize a repetition by; a look-up is
 * repeated freely. After 429 the pacer says when.
 * @param random 0 to 1; spreads the tries of several executions
 */
export function nextTry(
	failure: Failure,
	tries: Tries,
	purpose: Purpose,
	retryUnknownOutcome: boolean,
	random: number,
): number | 'stop' {
	if (isRateLimited(failure)) return tries.oddRefusals < MAX_ODD_REFUSALS ? 0 : 'stop';
	if (!mayRepeat(failure, purpose, retryUnknownOutcome)) return 'stop';
	return tries.faults <= MAX_FAULT_RETRIES ? backoff(tries.faults, random) : 'stop';
}

function mayRepeat(failure: Failure, purpose: Purpose, retryUnknownOutcome: boolean): boolean {
	if (failure.outcome === 'unknown') return retryUnknownOutcome;
	return failure.retryable && (purpose === 'status' || failure.outcome === 'notSent');
}

export function isRateLimited({ httpStatus }: Failure): boolean {
	return httpStatus === 429;
}
