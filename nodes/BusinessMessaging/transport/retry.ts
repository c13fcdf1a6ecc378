import type { Clock } from '../clock';
import type { Failure } from '../errors/failure';
import type { Purpose } from '../errors/httpErrors';
import { backoff } from './pacing/backoff';
import type { RateLimit } from './pacing/rateLimit';

/** Tries after a fault; a rate limit is not a fault. */
const MAX_FAULT_RETRIES = 3;
/** Refused so often while others got through, it is not the limit that keeps a request out. */
const MAX_ODD_REFUSALS = 5;
/** A limit that all have used up rarely lets the next one through so soon. */
const ODD_WITHIN_MS = 5000;

export interface RetryRule {
	purpose: Purpose;
	/** A send whose outcome is unknown may go out twice. */
	retryUnknownOutcome: boolean;
}

/** After a try that failed: ms to wait before the next one, or that there is none. */
export type AfterTry = (failure: Failure, rateLimit: RateLimit) => number | 'stop';

export interface Retries {
	/** A request of the run was accepted that began then, in ticks. */
	accepted: (startedAt: number) => void;
	/** Decides about one call, after each of its tries. */
	of: (rule: RetryRule) => AfterTry;
}

/**
 * The tries of a run's calls. A send is repeated only after a try that was certainly not processed,
 * because the API has no key to recognize a repetition by; a look-up is repeated freely. After 429 the
 * pacer says when.
 * @param random 0 to 1; spreads the tries of several executions
 */
export function createRetries({ ticks }: Pick<Clock, 'ticks'>, random: () => number): Retries {
	/** When each request began that was accepted. */
	const accepted: number[] = [];

	/** Whether a request got through that began soon after a refusal. */
	function wasOdd(refusedAt: number): boolean {
		return accepted.some(
			(startedAt) => startedAt > refusedAt && startedAt < refusedAt + ODD_WITHIN_MS,
		);
	}

	return {
		accepted: (startedAt) => accepted.push(startedAt),
		of(rule) {
			let latest = ticks();
			let faults = 0;
			let oddRefusals = 0;
			return (failure, { remaining }) => {
				const isOdd = wasOdd(latest) && remaining !== 0;
				const chance = random();
				latest = ticks();
				if (isRateLimited(failure)) {
					if (isOdd) oddRefusals++;
					return oddRefusals < MAX_ODD_REFUSALS ? 0 : 'stop';
				}
				faults++;
				if (!mayRepeat(failure, rule)) return 'stop';
				return faults <= MAX_FAULT_RETRIES ? backoff(faults, chance) : 'stop';
			};
		},
	};
}

function mayRepeat(failure: Failure, { purpose, retryUnknownOutcome }: RetryRule): boolean {
	if (failure.outcome === 'unknown') return retryUnknownOutcome;
	return failure.retryable && (purpose === 'status' || failure.outcome === 'notSent');
}

export function isRateLimited({ httpStatus }: Failure): boolean {
	return httpStatus === 429;
}
