import { type Failure, failureOf } from '../../../nodes/BusinessMessaging/errors/failure';
import { backoff } from '../../../nodes/BusinessMessaging/transport/pacer';
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

const NOT_SENT = failed({ retryable: true });
const REJECTED = failed({ httpStatus: 503, outcome: 'rejected', retryable: true });
const UNKNOWN = failed({ outcome: 'unknown', retryable: true });
const RATE_LIMITED = failed({ httpStatus: 429, outcome: 'rejected', retryable: true });

describe('a call is repeated', () => {
	it.each<[string, Failure, RetryRule, number | undefined]>([
		['after a second when a send was not processed', NOT_SENT, SEND, 1000],
		['never when no repetition helps a send', failed({}), SEND, undefined],
		['at the next slot when a send was over the rate limit', RATE_LIMITED, SEND, 0],
		['never when a send was rejected, although it could succeed later', REJECTED, SEND, undefined],
		['never when the outcome of a send is unknown', UNKNOWN, SEND, undefined],
		['after a second when a send may go out twice', UNKNOWN, SEND_EVEN_TWICE, 1000],
		['never when a rejected send may go out twice', REJECTED, SEND_EVEN_TWICE, undefined],
		['after a second when a look-up could succeed later', REJECTED, LOOK_UP, 1000],
		['after a second when a look-up got no response', UNKNOWN, LOOK_UP, 1000],
		['never when no repetition helps a look-up', failed({}), LOOK_UP, undefined],
	])('%s', (_, failure, rule, expected) => {
		expect(retryDelay(failure, { failures: 1 }, rule, 0)).toBe(expected);
	});

	it('three times, each time later', () => {
		const delays = [1, 2, 3, 4].map((failures) => retryDelay(NOT_SENT, { failures }, SEND, 0));
		expect(delays).toEqual([1000, 2000, 4000, undefined]);
	});

	it('after a 429 however often it failed before', () => {
		expect(retryDelay(RATE_LIMITED, { failures: 4 }, SEND, 0)).toBe(0);
	});
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
	function delays(
		startedAfterMs: number[],
		{ rateLimit = {}, had429 = false }: { rateLimit?: RateLimit; had429?: boolean } = {},
	): unknown[] {
		const attempts: Attempts = { failures: 0 };
		return Array.from({ length: 5 }, (_, index) => {
			const delay = delayAfter429(attempts, rateLimit);
			const startedAfter = startedAfterMs[Math.min(index, startedAfterMs.length - 1)];
			const startedAt = time + startedAfter;
			time += 60_000;
			history.accepted(startedAt, had429 ? history.add(undefined, {}) : undefined);
			return delay;
		});
	}

	it.each<[string, number[], RateLimit]>([
		['others succeeded in between', [4999], {}],
		[
			'others succeeded in between, and the API says that requests are left',
			[4999],
			{ remaining: 1 },
		],
		['others succeeded as soon as the API had asked to wait', [34_999], { retryAfterMs: 30_000 }],
		['others succeeded after one, and are done', [1, 0], {}],
	])(
		'is given up at the fifth when %s, and waits longer each time',
		(_, startedAfterMs, rateLimit) => {
			expect(delays(startedAfterMs, { rateLimit })).toEqual([0, 1000, 2000, 4000, undefined]);
		},
	);

	it.each([
		['the others began no earlier than the limit lets them', [5000], {}],
		['the others began before it', [0], {}],
		['the API says that no request is left', [4999], { rateLimit: { remaining: 0 } }],
		['others succeeded that had a 429 as well', [4999], { had429: true }],
	])('waits for the rate limit when %s', (_, startedAfterMs, how) => {
		expect(delays(startedAfterMs, how)).toEqual([0, 0, 0, 0, 0]);
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

it.each([
	[1, 0, 1000],
	[1, 0.3, 850],
	[1, 0.3333, 834],
	[1, 1, 500],
	[5, 0, 16_000],
	[9, 0, 30_000],
])('the wait after try %d, with the chance %d, is %d ms', (tries, random, expected) => {
	expect(backoff(tries, random)).toBe(expected);
});
