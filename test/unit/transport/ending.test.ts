import {
	failureFromAnswer,
	failureFromFault,
} from '../../../nodes/BusinessMessaging/errors/failure';
import { createEnding } from '../../../nodes/BusinessMessaging/transport/ending';
import type { Answered } from '../../../nodes/BusinessMessaging/transport/ending';

const MINUTE = 60_000;
const NOW = Date.UTC(2026, 0, 31, 12);

const refusedWith = (status: number) =>
	failureFromAnswer({ status, headers: {}, body: {} }, 'send');
const WRONG_KEY = refusedWith(401);
const LIMITED = refusedWith(429);
const BROKEN = refusedWith(500);
const SILENT = failureFromFault({ kind: 'timeout', beforeSending: false }, 'send');
const REFUSED = failureFromFault({ kind: 'refused', beforeSending: true }, 'send');

/** A run whose account was refused like this, with what tells of its end. */
function runWith(refused = { times: 0, forMs: 0 }) {
	let ticks = 0;
	const onEnd = jest.fn();
	const ending = createEnding({
		ticks: () => ticks,
		now: () => NOW,
		refused: () => refused,
		onEnd,
	});
	const remedy = () => ending.reason('send', true)?.remedy;
	return { ...ending, onEnd, remedy, passTo: (ms: number) => (ticks = ms) };
}

const answered = (failure?: Answered['failure'], rateLimit: Answered['rateLimit'] = {}) => ({
	failure,
	rateLimit,
});

// README, Good to know: when nothing gets through
it('a run ends at the third answer in a row that the key is wrong, and tells it once', () => {
	const run = runWith();
	for (const failure of [WRONG_KEY, WRONG_KEY, undefined, WRONG_KEY, WRONG_KEY]) {
		run.answered(answered(failure));
	}
	expect(run.reason('send', true)).toBeUndefined();
	run.answered(answered(WRONG_KEY));
	run.unanswered(REFUSED, false, 1);
	expect(run.remedy()).toBe(WRONG_KEY.remedy);
	expect(run.onEnd).toHaveBeenCalledTimes(1);
});

it.each([
	['asks for five minutes', {}, { retryAfterMs: 5 * MINUTE }, undefined],
	['asks for more', {}, { retryAfterMs: 5 * MINUTE + 1 }, 'until 2026-01-31 12:05 UTC'],
	['refused twice, for long', { times: 2, forMs: 60 * MINUTE }, {}, undefined],
	['refused three times, for less than 3 minutes', { forMs: 3 * MINUTE - 1 }, {}, undefined],
	['refused three times, for 3 minutes', { forMs: 3 * MINUTE }, {}, 'for 3 minutes'],
	['counts, and refused for less than 10', { forMs: 10 * MINUTE - 1 }, { remaining: 0 }, undefined],
	['counts, and refused for 10', { forMs: 10 * MINUTE }, { remaining: 0 }, 'for 10 minutes'],
])('a run knows whether a rate limit is its end that %s', (_, refused, rateLimit, expected) => {
	const run = runWith({ times: 3, forMs: 0, ...refused });
	run.answered(answered(LIMITED, rateLimit));
	expect(run.remedy()).toEqual(expected && expect.stringContaining(expected));
});

it('another answer than 429 is not held against the rate limit', () => {
	const run = runWith({ times: 9, forMs: 60 * MINUTE });
	run.answered(answered(BROKEN, { retryAfterMs: 60 * MINUTE }));
	run.answered(answered());
	expect(run.remedy()).toBeUndefined();
});

it('a run ends when a minute brought no answer to three calls', () => {
	const run = runWith();
	const isOverAt = (ms: number, since: number) => {
		run.passTo(ms);
		run.unanswered(SILENT, true, since);
		return run.remedy();
	};
	expect(isOverAt(2 * MINUTE, 0)).toBeUndefined();
	expect(isOverAt(2 * MINUTE, 1)).toBeUndefined();
	run.answered(answered());
	// Calls that began before an answer came say nothing.
	expect([0, 2 * MINUTE].map((since) => isOverAt(9 * MINUTE, since))).toEqual([
		undefined,
		undefined,
	]);
	const start = 10 * MINUTE;
	const times = [start + MINUTE - 2, start + MINUTE - 1, start + MINUTE - 1, start + MINUTE];
	expect(times.map((ms) => isOverAt(ms, start))).toEqual([
		...Array<undefined>(3),
		'Check that the service is running, or try again later.',
	]);
});

it('a run ends at once when a request cannot reach the API', () => {
	const run = runWith();
	expect(run.hasEnded()).toBe(false);
	run.unanswered(REFUSED, false, 0);
	expect(run.hasEnded()).toBe(true);
	expect(run.remedy()).toBe(REFUSED.remedy);
	expect(run.reason('send', false)).toMatchObject({
		remedy: expect.stringMatching(/ This item was not tried, because .*\.$/),
		outcome: 'notSent',
	});
});
