import { notStarted } from '../../../nodes/BusinessMessaging/transport/failure';
import type { Failure } from '../../../nodes/BusinessMessaging/transport/failure';
import type { Purpose } from '../../../nodes/BusinessMessaging/transport/remedies';
import { delayBeforeRetry, mayRepeat } from '../../../nodes/BusinessMessaging/transport/retry';

function failed(failure: Partial<Failure>): Failure {
	return { ...notStarted('send'), ...failure };
}

describe('whether a request may be repeated', () => {
	it.each<[string, Partial<Failure>, Purpose, boolean]>([
		['a send that was not processed', { outcome: 'notSent', retryable: true }, 'send', true],
		['a send that no repetition helps', { outcome: 'notSent', retryable: false }, 'send', false],
		['a send over the rate limit', { httpStatus: 429, outcome: 'rejected' }, 'send', false],
		[
			'a send over the rate limit that can succeed later',
			{ httpStatus: 429, outcome: 'rejected', retryable: true },
			'send',
			true,
		],
		[
			'a send that was refused, although it could succeed later',
			{ httpStatus: 503, outcome: 'rejected', retryable: true },
			'send',
			false,
		],
		[
			'a look-up that could succeed later',
			{ httpStatus: 503, outcome: 'rejected', retryable: true },
			'status',
			true,
		],
		['a look-up that no repetition helps', { outcome: 'rejected' }, 'status', false],
	])('%s', (_, failure, purpose, expected) => {
		expect(mayRepeat(failed(failure), purpose, false)).toBe(expected);
		expect(mayRepeat(failed(failure), purpose, true)).toBe(expected);
	});

	it('a send whose outcome is unknown, only with leave to send twice', () => {
		const failure = failed({ outcome: 'unknown', retryable: true });
		expect(mayRepeat(failure, 'send', false)).toBe(false);
		expect(mayRepeat(failure, 'send', true)).toBe(true);
	});
});

describe('the wait before the next try', () => {
	const attempts = { faults: 1, rateLimited: 1, rateLimitWaitMs: 0 };

	it.each([
		[0, 1000],
		[0.3, 850],
		[0.3333, 834],
		[1, 500],
	])('is shorter by up to a half, by chance %d', (random, expected) => {
		expect(delayBeforeRetry(failed({}), attempts, {}, random)).toBe(expected);
	});

	it('is at least what 429 asks for, whatever the chance', () => {
		const limited = failed({ httpStatus: 429 });
		expect(delayBeforeRetry(limited, attempts, { retryAfterMs: 7000 }, 1)).toBe(7000);
		expect(delayBeforeRetry(limited, attempts, { retryAfterMs: 0, resetInMs: 9000 }, 1)).toBe(500);
		expect(delayBeforeRetry(limited, attempts, { resetInMs: 9000 }, 1)).toBe(9000);
	});

	it('because of 429 is five minutes at most in all', () => {
		const limited = failed({ httpStatus: 429 });
		const waited = { ...attempts, rateLimitWaitMs: 290_000 };
		expect(delayBeforeRetry(limited, waited, { retryAfterMs: 10_000 }, 0)).toBe(10_000);
		expect(delayBeforeRetry(limited, waited, { retryAfterMs: 10_001 }, 0)).toBeUndefined();
	});
});
