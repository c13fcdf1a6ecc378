import { notStarted } from '../../../nodes/BusinessMessaging/errors/failure';
import type { Failure } from '../../../nodes/BusinessMessaging/errors/failure';
import type { Purpose } from '../../../nodes/BusinessMessaging/errors/httpErrors';
import { backoff } from '../../../nodes/BusinessMessaging/transport/pacing/backoff';
import { createRetries } from '../../../nodes/BusinessMessaging/transport/retry';

let time: number;

beforeEach(() => {
	time = 0;
});

function failed(failure: Partial<Failure>): Failure {
	return { ...notStarted('send').failure, ...failure };
}

const CLOCK = { ticks: () => time };
const NOT_SENT = failed({ retryable: true });
const LIMITED = failed({ httpStatus: 429, retryable: true });

/** What is decided after each of these tries of one call. */
function decisions(failures: Failure[], purpose: Purpose = 'send', retryUnknownOutcome = false) {
	const afterTry = createRetries(CLOCK, () => 0).of({ purpose, retryUnknownOutcome });
	return failures.map((failure) => afterTry(failure, {}));
}

describe('a request is tried again', () => {
	const REJECTED = failed({ httpStatus: 503, outcome: 'rejected', retryable: true });
	const FINAL = failed({ outcome: 'rejected' });

	it.each<[string, Purpose, Failure, number | 'stop']>([
		['after a second when a send was not processed', 'send', NOT_SENT, 1000],
		['never when no repetition helps a send', 'send', failed({}), 'stop'],
		['without a further wait when a send was over the rate limit', 'send', LIMITED, 0],
		['never when a send was refused, although it could succeed later', 'send', REJECTED, 'stop'],
		['after a second when a look-up could succeed later', 'status', REJECTED, 1000],
		['never when no repetition helps a look-up', 'status', FINAL, 'stop'],
	])('%s', (_, purpose, failure, expected) => {
		expect(decisions([failure], purpose)).toEqual([expected]);
		expect(decisions([failure], purpose, true)).toEqual([expected]);
	});

	it('when the outcome of a send is unknown, but only with leave to send twice', () => {
		const unknown = failed({ outcome: 'unknown', retryable: true });
		expect(decisions([unknown])).toEqual(['stop']);
		expect(decisions([unknown], 'send', true)).toEqual([1000]);
	});

	it('no more than three times after faults, however many 429 come between', () => {
		const tries = [NOT_SENT, LIMITED, NOT_SENT, NOT_SENT, LIMITED, NOT_SENT];
		expect(decisions(tries)).toEqual([1000, 0, 2000, 4000, 0, 'stop']);
	});
});

describe('five answers 429 between which others got through are about this one request:', () => {
	/** One 429 a minute, and after each of them another request that was accepted. */
	function fiveRefusals(startedAfterMs: number, remaining?: number): unknown[] {
		const retries = createRetries(CLOCK, () => 0);
		const afterTry = retries.of({ purpose: 'send', retryUnknownOutcome: false });
		return Array.from({ length: 5 }, () => {
			retries.accepted(time + startedAfterMs);
			time += 60_000;
			return afterTry(LIMITED, { remaining });
		});
	}

	it('it is given up', () => {
		expect(fiveRefusals(4999)).toEqual([0, 0, 0, 0, 'stop']);
		expect(fiveRefusals(4999, 1)).toEqual([0, 0, 0, 0, 'stop']);
	});

	it.each([
		['the others began no earlier than the limit lets them', 5000, undefined],
		['the others began before it was refused', 0, undefined],
		['the API says that no request is left', 4999, 0],
	])('unless %s', (_, startedAfterMs, remaining) => {
		expect(fiveRefusals(startedAfterMs, remaining)).toEqual([0, 0, 0, 0, 0]);
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
