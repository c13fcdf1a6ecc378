import { type Failure, failureOf } from '../../../nodes/BusinessMessaging/errors/failure';
import { type Attempts, retryDelay } from '../../../nodes/BusinessMessaging/transport/retry';

const SEND = false;
const LOOK_UP = true;

function failed(failure: Partial<Failure>): Failure {
	const cause = { code: 'wrongInput', message: 'It failed', remedy: 'Try again.' } as const;
	return { ...failureOf(cause), ...failure };
}

const HOPELESS = failed({});
const NOT_SENT = failed({ retryable: true });
const REJECTED = failed({ httpStatus: 503, outcome: 'rejected', retryable: true });
const UNKNOWN = failed({ outcome: 'unknown', retryable: true });
const RATE_LIMITED = failed({ code: 'rateLimited', outcome: 'rejected', retryable: true });
const HELD_BACK: Failure = { ...RATE_LIMITED, code: 'networkHeldBack', httpStatus: 429 };

const after = (failures: number, rateLimited = 0): Attempts => ({ failures, rateLimited });

it.each<[string, Failure, boolean, Attempts, number | undefined]>([
	['again after a second when it was not processed', NOT_SENT, SEND, after(1), 1000],
	['three times again, not four', NOT_SENT, SEND, after(4), undefined],
	['three times again, whatever the rate limit', NOT_SENT, SEND, after(3, 20), 4000],
	['never when that does not help', HOPELESS, SEND, after(1), undefined],
	['at the next slot when it was over the rate limit', RATE_LIMITED, SEND, after(4, 1), 0],
	['two seconds later when it was so again', RATE_LIMITED, SEND, after(0, 19), 2000],
	['no more when that is not the rate limit', RATE_LIMITED, SEND, after(0, 20), undefined],
	['never when the network names a cause in a 429', HELD_BACK, SEND, after(0), undefined],
	['never when it was rejected, although it could later', REJECTED, SEND, after(1), undefined],
	['never when its outcome is unknown', UNKNOWN, SEND, after(1), undefined],
	['again when it only looks up', REJECTED, LOOK_UP, after(1), 1000],
	['again when it only looks up, with any outcome', UNKNOWN, LOOK_UP, after(1), 1000],
	['never when it looks up, and that does not help', HOPELESS, LOOK_UP, after(1), undefined],
])('a call is made %s', (_, failure, isIdempotent, attempts, expected) => {
	expect(retryDelay(failure, attempts, isIdempotent, 0)).toBe(expected);
});
