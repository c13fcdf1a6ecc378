import type { FailureCode } from '../../../nodes/BusinessMessaging/errors/catalogue';
import { connectionFailure } from '../../../nodes/BusinessMessaging/errors/connectionErrors';
import type { Failure } from '../../../nodes/BusinessMessaging/errors/failure';
import { CircuitBreaker } from '../../../nodes/BusinessMessaging/transport/circuitBreaker';
import { createVirtualClock } from '../../support/virtualClock.mts';

const FAILURE = connectionFailure('connectionRefused', 'notSent');

function scene() {
	const clock = createVirtualClock();
	const onOpen = jest.fn();
	const breaker = new CircuitBreaker(clock, onOpen);
	const fail = (times: number, failure: Partial<Failure> = {}, startedAt = 0) => {
		for (let n = 0; n < times; n++) breaker.failed({ ...FAILURE, ...failure }, startedAt);
	};
	return { clock, breaker, fail, onOpen };
}

// docs/good-to-know.md: when nothing gets through
it('opens at the fifth failure in a row, once, with the failure that opened it', () => {
	const { breaker, fail, onOpen } = scene();
	fail(4);
	breaker.succeeded();
	fail(4);
	expect([breaker.isOpen, breaker.failureOf(true)]).toEqual([false, undefined]);
	fail(1, { remedy: 'Paste a key.' });
	fail(1);
	expect(breaker.isOpen).toBe(true);
	expect(breaker.failureOf(true)?.remedy).toBe('Paste a key.');
	expect(onOpen).toHaveBeenCalledTimes(1);
});

it('does not count requests that hang while others succeed, however many of them end together', () => {
	const { clock, breaker, fail } = scene();
	clock.pass(1);
	breaker.succeeded();
	fail(10, {}, 0);
	expect(breaker.isOpen).toBe(false);
	fail(5, {}, 1);
	expect(breaker.isOpen).toBe(true);
});

it('says of items that it keeps from being tried why, and nothing of the message that opened it', () => {
	const { breaker, fail } = scene();
	fail(5, { outcome: 'unknown', messageId: 'm1' });
	const untried = `${FAILURE.remedy} This item was not tried, because those before it failed for this reason.`;
	expect(breaker.failureOf(false)).toEqual({ ...FAILURE, remedy: untried });
	expect(breaker.failureOf(true)).toStrictEqual(FAILURE);
});

it('is opened by a rate limit that asks for more than five minutes', () => {
	const { clock, breaker } = scene();
	clock.pass(10 * 60_000);
	breaker.rateLimited(FAILURE, 5 * 60_000, clock.ticks());
	expect(breaker.isOpen).toBe(false);
	breaker.rateLimited(FAILURE, 5 * 60_000 + 1, clock.ticks());
	expect(breaker.failureOf(true)?.remedy).toContain('until 2026-01-31 12:15 UTC');
});

// docs/good-to-know.md: what ends a run; docs/troubleshooting.md has what each failure concerns
it.each<[FailureCode, boolean]>([
	['notOnNetwork', false],
	// With "continue on error" messages of other templates can follow.
	['noTemplate', false],
	['networkHeldBack', false],
	['keyRejected', true],
	['unclearResponse', true],
])('five failures %s open it: %p', (code, opens) => {
	const { breaker, fail } = scene();
	fail(5, { code });
	expect(breaker.isOpen).toBe(opens);
});
