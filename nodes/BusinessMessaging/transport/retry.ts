import type { Clock } from '../clock';
import type { Failure } from '../errors/failure';
import type { Purpose } from '../errors/httpErrors';
import { backoff } from './pacing/backoff';
import type { RateLimit } from './pacing/rateLimit';

/** Tries after a fault; a rate limit is not a fault. */
const MAX_FAULT_RETRIES = 3;
/** Refused so often while others got through, it is not the limit that keeps a request out. */
const MAX_ODD_REFUSALS = 4;
/** A limit that all have used up rarely lets the next one through so soon. */
const ODD_WITHIN_MS = 5000;

export interface RetryRule {
	purpose: Purpose;
	/** A send whose outcome is unknown may go out twice. */
	retryUnknownOutcome: boolean;
}

/** After a try that failed: ms to wait before the next one, or that there is none. */
export type AfterTry = (failure: Failure, rateLimit: RateLimit) => number | 'stop';

/** A 429. */
interface Refusal {
	/** Ticks in ms. */
	at: number;
	/** Until when it counts as soon after, in ticks; later than the API asked to wait. */
	soonUntil: number;
	/** Another request was accepted that began soon after. */
	othersGotThrough: boolean;
}

/**
 * The tries of a run's calls. A send is repeated only after a try that was certainly not processed,
 * because the API has no key to recognize a repetition by; a look-up is repeated freely. After 429 the
 * pacer says when.
 */
export class Retries {
	private readonly recent = new Set<Refusal>();
	private latest?: Refusal;
	/** When a request was last accepted after a 429: waiting helps, so the limit is the reason. */
	private helpedAt = -Infinity;

	/** @param random 0 to 1; spreads the tries of several executions */
	constructor(
		private readonly clock: Pick<Clock, 'ticks'>,
		private readonly random: () => number,
	) {}

	/**
	 * A request of the run was accepted.
	 * @param startedAt in ticks
	 * @param wasRefused by 429, in an earlier try
	 */
	accepted(startedAt: number, wasRefused: boolean): void {
		if (wasRefused) this.helpedAt = this.clock.ticks();
		for (const refusal of this.recent) {
			if (startedAt >= refusal.soonUntil) this.recent.delete(refusal);
			else if (startedAt > refusal.at) refusal.othersGotThrough = true;
		}
	}

	/** Decides about one call, after each of its tries. */
	of(rule: RetryRule): AfterTry {
		let previous: Refusal | undefined;
		let faults = 0;
		let oddRefusals = 0;
		return (failure, rateLimit) => {
			const chance = this.random();
			if (isRateLimited(failure)) {
				oddRefusals = this.countOdd(oddRefusals, previous, rateLimit);
				previous = this.refused(rateLimit);
				if (oddRefusals >= MAX_ODD_REFUSALS) return 'stop';
				// Lets the others go on, and does not come back in step with them.
				return oddRefusals > 0 ? backoff(oddRefusals, chance) : 0;
			}
			faults++;
			if (!mayRepeat(failure, rule)) return 'stop';
			return faults <= MAX_FAULT_RETRIES ? backoff(faults, chance) : 'stop';
		};
	}

	/** @returns how often a call was refused for another reason than the limit, as far as one can tell */
	private countOdd(count: number, previous: Refusal | undefined, { remaining }: RateLimit): number {
		if (!previous) return 0;
		if (this.helpedAt > previous.at) return 0;
		const isOnlyOne = count > 0 && this.latest === previous;
		const isOdd = (previous.othersGotThrough || isOnlyOne) && remaining !== 0;
		return isOdd ? count + 1 : count;
	}

	private refused({ retryAfterMs = 0 }: RateLimit): Refusal {
		const at = this.clock.ticks();
		this.latest = { at, soonUntil: at + retryAfterMs + ODD_WITHIN_MS, othersGotThrough: false };
		this.recent.add(this.latest);
		return this.latest;
	}
}

function mayRepeat(failure: Failure, { purpose, retryUnknownOutcome }: RetryRule): boolean {
	if (failure.outcome === 'unknown') return retryUnknownOutcome;
	return failure.retryable && (purpose === 'status' || failure.outcome === 'notSent');
}

export function isRateLimited({ httpStatus }: Failure): boolean {
	return httpStatus === 429;
}
