import { notStarted } from '../../../nodes/BusinessMessaging/errors/failure';
import type { Failure } from '../../../nodes/BusinessMessaging/errors/failure';
import type { Purpose } from '../../../nodes/BusinessMessaging/errors/httpErrors';
import { backoff } from '../../../nodes/BusinessMessaging/transport/pacing/backoff';
import type { RateLimit } from '../../../nodes/BusinessMessaging/transport/pacing/rateLimit';
import { Retries } from '../../../nodes/BusinessMessaging/transport/retry';

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
	const afterTry = new Retries(CLOCK, () => 0).of({ purpose, retryUnknownOutcome });
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

describe('a call that is answered 429 time and again', () => {
	const rule = { purpose: 'send', retryUnknownOutcome: false } as const;

	/** One 429 a minute, and after each of them another request, accepted when it began so many ms later. */
	function fiveRefusals(
		startedAfterMs: number[],
		{ rateLimit = {}, wasRefused = false }: { rateLimit?: RateLimit; wasRefused?: boolean } = {},
	): unknown[] {
		const retries = new Retries(CLOCK, () => 0);
		const afterTry = retries.of(rule);
		return Array.from({ length: 5 }, (_, index) => {
			const decision = afterTry(LIMITED, rateLimit);
			const startedAfter = startedAfterMs[Math.min(index, startedAfterMs.length - 1)];
			time += 60_000;
			retries.accepted(time - 60_000 + startedAfter, wasRefused);
			return decision;
		});
	}

	it('is given up at the fifth between which others got through, and stands back longer each time', () => {
		const expected = [0, 1000, 2000, 4000, 'stop'];
		expect(fiveRefusals([4999])).toEqual(expected);
		expect(fiveRefusals([4999], { rateLimit: { remaining: 1 } })).toEqual(expected);
	});

	it('is given up as well when the others got through as soon as the API had asked to wait', () => {
		const expected = [0, 1000, 2000, 4000, 'stop'];
		expect(fiveRefusals([34_999], { rateLimit: { retryAfterMs: 30_000 } })).toEqual(expected);
	});

	it('is given up as well when the others had got through after one, and are done', () => {
		expect(fiveRefusals([1, 0])).toEqual([0, 1000, 2000, 4000, 'stop']);
	});

	it.each([
		['the others began no earlier than the limit lets them', [5000], {}],
		['the others began before it was refused', [0], {}],
		['the API says that no request is left', [4999], { rateLimit: { remaining: 0 } }],
		['others got through that had been refused as well', [4999], { wasRefused: true }],
	])('waits on when %s', (_, startedAfterMs, how) => {
		expect(fiveRefusals(startedAfterMs, how)).toEqual([0, 0, 0, 0, 0]);
	});

	it('waits on when others are refused too', () => {
		const retries = new Retries(CLOCK, () => 0);
		const [afterTry, afterOther] = [retries.of(rule), retries.of(rule)];
		afterTry(LIMITED, {});
		retries.accepted(time + 1, false);
		const decisions = [1, 2, 3, 4, 5].map(() => {
			time += 10_000;
			afterOther(LIMITED, {});
			return afterTry(LIMITED, {});
		});
		expect(decisions).toEqual(Array(5).fill(1000));
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
