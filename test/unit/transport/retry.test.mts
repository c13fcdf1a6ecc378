import { type Failure, failureOf } from '../../../nodes/BusinessMessaging/errors/failure';
import type { RateLimit } from '../../../nodes/BusinessMessaging/transport/rateLimitHeaders';
import {
	type Attempts,
	RateLimitHistory,
	retryDelay,
	type RetryRule,
} from '../../../nodes/BusinessMessaging/transport/retry';

const SEND: RetryRule = { isIdempotent: false, retryUnknownOutcome: false };
const SEND_EVEN_TWICE: RetryRule = { isIdempotent: false, retryUnknownOutcome: true };
const LOOK_UP: RetryRule = { isIdempotent: true, retryUnknownOutcome: false };

function failed(failure: Partial<Failure>): Failure {
	return { ...failureOf({ message: 'It failed', remedy: 'Try again.' }), ...failure };
}

const HOPELESS = failed({});
const NOT_SENT = failed({ retryable: true });
const REJECTED = failed({ httpStatus: 503, outcome: 'rejected', retryable: true });
const UNKNOWN = failed({ outcome: 'unknown', retryable: true });
const RATE_LIMITED = failed({ httpStatus: 429, outcome: 'rejected', retryable: true });

it.each<[string, Failure, RetryRule, number, number | undefined]>([
	['again after a second when it was not processed', NOT_SENT, SEND, 1, 1000],
	['three times again, not four', NOT_SENT, SEND, 4, undefined],
	['never when that does not help', HOPELESS, SEND, 1, undefined],
	['at the next slot when it was over the rate limit', RATE_LIMITED, SEND, 4, 0],
	['never when it was rejected, although it could succeed later', REJECTED, SEND, 1, undefined],
	['never when its outcome is unknown', UNKNOWN, SEND, 1, undefined],
	['again when it may go out twice', UNKNOWN, SEND_EVEN_TWICE, 1, 1000],
	['never when it may go out twice, but was rejected', REJECTED, SEND_EVEN_TWICE, 1, undefined],
	['again when it only looks up', REJECTED, LOOK_UP, 1, 1000],
	['never when it looks up, and that does not help', HOPELESS, LOOK_UP, 1, undefined],
])('a call is made %s', (_, failure, rule, failures, expected) => {
	expect(retryDelay(failure, { failures }, rule, 0)).toBe(expected);
});

it.each<[string, Failure, number | undefined]>([
	['never when it may go out a third time', UNKNOWN, undefined],
	['again when it was not processed', NOT_SENT, 2000],
])('a call that may have sent before is made %s', (_, failure, expected) => {
	const attempts = { failures: 2, earlierUnknown: UNKNOWN };
	expect(retryDelay(failure, attempts, SEND_EVEN_TWICE, 0)).toBe(expected);
});

describe('a call that gets 429 time and again', () => {
	let time = 0;
	let history: RateLimitHistory;

	beforeEach(() => (history = new RateLimitHistory({ ticks: () => time })));

	/** The delay after one more 429. */
	function delayAfter429(attempts: Attempts, rateLimit: RateLimit = {}): number | undefined {
		attempts.rateLimited = history.add(attempts.rateLimited, rateLimit);
		return retryDelay(RATE_LIMITED, attempts, SEND, 0);
	}

	/** One 429 a minute, and after each of them another request, accepted when it began so many ms later. */
	function delays(startedAfterMs: number[], rateLimit: RateLimit, had429 = false): unknown[] {
		const attempts: Attempts = { failures: 0 };
		return Array.from({ length: 5 }, (_, index) => {
			const delay = delayAfter429(attempts, rateLimit);
			const startedAt = time + startedAfterMs[Math.min(index, startedAfterMs.length - 1)];
			time += 60_000;
			history.accepted(startedAt, had429 ? history.add(undefined, {}) : undefined);
			return delay;
		});
	}

	it.each<[string, number[], RateLimit]>([
		['others succeeded in between', [4999], {}],
		['others succeeded, and the API says that requests are left', [4999], { remaining: 1 }],
		['others succeeded as soon as the API had asked to wait', [34_999], { retryAfterMs: 30_000 }],
		['others succeeded after one, and are done', [1, 0], {}],
	])('is given up at the fifth when %s, and waits longer each time', (_, startedAfterMs, limit) => {
		expect(delays(startedAfterMs, limit)).toEqual([0, 1000, 2000, 4000, undefined]);
	});

	it.each<[string, number[], RateLimit, boolean]>([
		['the others began no earlier than the limit lets them', [5000], {}, false],
		['the others began before it', [0], {}, false],
		['the API says that no request is left', [4999], { remaining: 0 }, false],
		['others succeeded that had a 429 as well', [4999], {}, true],
	])('waits for the rate limit when %s', (_, startedAfterMs, limit, had429) => {
		expect(delays(startedAfterMs, limit, had429)).toEqual([0, 0, 0, 0, 0]);
	});

	it('waits on when others get 429 too', () => {
		const [attempts, others]: Attempts[] = [{ failures: 0 }, { failures: 0 }];
		delayAfter429(attempts);
		history.accepted(time + 1, undefined);
		const all = [1, 2, 3, 4, 5].map(() => {
			time += 10_000;
			delayAfter429(others);
			return delayAfter429(attempts);
		});
		expect(all).toEqual(Array(5).fill(1000));
	});
});
