import { notStarted } from '../../../nodes/BusinessMessaging/errors/failure';
import type { Failure } from '../../../nodes/BusinessMessaging/errors/failure';
import type { Purpose } from '../../../nodes/BusinessMessaging/errors/httpErrors';
import { backoff } from '../../../nodes/BusinessMessaging/transport/pacing/backoff';
import { nextTry } from '../../../nodes/BusinessMessaging/transport/retry';

function failed(failure: Partial<Failure>): Failure {
	return { ...notStarted('send').failure, ...failure };
}

const FIRST = { faults: 1, oddRefusals: 0 };

describe('a request is tried again', () => {
	it.each<[string, Partial<Failure>, Purpose, number | 'stop']>([
		[
			'after a second when a send was not processed',
			{ outcome: 'notSent', retryable: true },
			'send',
			1000,
		],
		[
			'never when no repetition helps a send',
			{ outcome: 'notSent', retryable: false },
			'send',
			'stop',
		],
		[
			'without a further wait when a send was over the rate limit',
			{ httpStatus: 429, outcome: 'rejected' },
			'send',
			0,
		],
		[
			'never when a send was refused, although it could succeed later',
			{ httpStatus: 503, outcome: 'rejected', retryable: true },
			'send',
			'stop',
		],
		[
			'after a second when a look-up could succeed later',
			{ httpStatus: 503, outcome: 'rejected', retryable: true },
			'status',
			1000,
		],
		['never when no repetition helps a look-up', { outcome: 'rejected' }, 'status', 'stop'],
	])('%s', (_, failure, purpose, expected) => {
		expect(nextTry(failed(failure), FIRST, purpose, false, 0)).toBe(expected);
		expect(nextTry(failed(failure), FIRST, purpose, true, 0)).toBe(expected);
	});

	it('when the outcome of a send is unknown, but only with leave to send twice', () => {
		const failure = failed({ outcome: 'unknown', retryable: true });
		expect(nextTry(failure, FIRST, 'send', false, 0)).toBe('stop');
		expect(nextTry(failure, FIRST, 'send', true, 0)).toBe(1000);
	});

	it('no more than three times after faults', () => {
		const failure = failed({ retryable: true });
		const delays = [1, 2, 3, 4].map((faults) =>
			nextTry(failure, { ...FIRST, faults }, 'send', false, 0),
		);
		expect(delays).toEqual([1000, 2000, 4000, 'stop']);
	});

	it('not after five 429 between which others got through: it is not the limit then', () => {
		const limited = failed({ httpStatus: 429, retryable: true });
		expect(nextTry(limited, { ...FIRST, oddRefusals: 4 }, 'send', false, 0)).toBe(0);
		expect(nextTry(limited, { ...FIRST, oddRefusals: 5 }, 'send', false, 0)).toBe('stop');
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
