import type { ApiResponse } from '../../../nodes/BusinessMessaging/api';
import { connectionFailure } from '../../../nodes/BusinessMessaging/errors/connectionErrors';
import { concernsOthers, type Failure } from '../../../nodes/BusinessMessaging/errors/failure';
import {
	failureFromResponse,
	LOOK_UP_SENTENCES,
	SEND_SENTENCES,
} from '../../../nodes/BusinessMessaging/errors/responseErrors';
import { CircuitBreaker } from '../../../nodes/BusinessMessaging/transport/circuitBreaker';
import { createVirtualClock } from '../../support/virtualClock.mts';

const MINUTE = 60_000;

const WRONG_KEY = failureFromResponse({ status: 401, headers: {}, body: {} }, SEND_SENTENCES, 0);
const LIMITED = failureFromResponse({ status: 429, headers: {}, body: {} }, SEND_SENTENCES, 0);
const CONNECTION_REFUSED = connectionFailure('connectionRefused', 'notSent');

function scene() {
	const clock = createVirtualClock();
	const onOpen = jest.fn();
	const breaker = new CircuitBreaker(clock, onOpen);
	const fail = (times: number, failure: Failure = CONNECTION_REFUSED, startedAt = 0) => {
		for (let failed = 0; failed < times; failed++) breaker.failed(failure, startedAt);
	};
	return { clock, breaker, fail, onOpen, remedy: () => breaker.failureOf(true)?.remedy };
}

// docs/good-to-know.md: when nothing gets through
it('opens at the fifth failure in a row, once, with the failure that opened it', () => {
	const { breaker, fail, onOpen, remedy } = scene();
	fail(4);
	breaker.succeeded();
	fail(4);
	expect([breaker.isOpen, breaker.failureOf(true)]).toEqual([false, undefined]);
	fail(1, WRONG_KEY);
	fail(1);
	expect(breaker.isOpen).toBe(true);
	expect(remedy()).toBe(WRONG_KEY.remedy);
	expect(onOpen).toHaveBeenCalledTimes(1);
});

it('does not count requests that hang while others succeed, however many of them end together', () => {
	const { clock, breaker, fail } = scene();
	clock.pass(1);
	breaker.succeeded();
	fail(10, CONNECTION_REFUSED, 0);
	expect(breaker.isOpen).toBe(false);
	fail(5, CONNECTION_REFUSED, 1);
	expect(breaker.isOpen).toBe(true);
});

it('says of items that it keeps from being tried why, and nothing of the message that opened it', () => {
	const { breaker, fail } = scene();
	fail(5, { ...CONNECTION_REFUSED, outcome: 'unknown', messageId: 'm1' });
	const untried = `${CONNECTION_REFUSED.remedy} This item was not tried, because those before it failed for this reason.`;
	expect(breaker.failureOf(false)).toEqual({ ...CONNECTION_REFUSED, remedy: untried });
	expect(breaker.failureOf(true)).toStrictEqual(CONNECTION_REFUSED);
});

it.each([
	['asks for five minutes', 5 * MINUTE, 0, undefined],
	['asks for more', 5 * MINUTE + 1, 0, 'until 2026-01-31 12:05 UTC'],
	['refused for less than ten minutes', 0, 9 * MINUTE, undefined],
	['refused for ten minutes', 0, 10 * MINUTE, 'for 10 minutes'],
])('knows whether a rate limit ends the run that %s', (_, retryAfterMs, forMs, expected) => {
	const { clock, breaker, remedy } = scene();
	breaker.rateLimited(LIMITED, retryAfterMs, clock.ticks() - forMs);
	expect(remedy()).toEqual(expected && expect.stringContaining(expected));
});

const PAGE = '<!doctype html><h1>Sign in</h1>';
const COUNTED = { 'x-ratelimit-remaining': '59' };

type Body = ApiResponse['body'];

// docs/good-to-know.md: what ends a run at once, after five in a row, or never
it.each<
	['goes on' | 'ends after five' | 'ends' | 'ends, or goes on', string, number, Body, object]
>([
	['goes on', 'invalid values', 422, { detail: [{ msg: 'too long' }] }, {}],
	['goes on', 'success: false', 200, { success: false }, {}],
	['goes on', 'nothing but the rate limit', 400, '', COUNTED],
	['goes on', 'a wrong number', 429, { error: { code: 131026 } }, {}],
	['ends after five', 'a wrong number, though it may have been sent', 500, { code: 131026 }, {}],
	// With "continue on error" messages of other templates can follow.
	['ends, or goes on', 'a template that does not exist', 400, { code: 133004 }, {}],
	['ends after five', 'nothing', 400, null, {}],
	['ends after five', 'JSON without an ID', 200, { success: true }, {}],
	['ends after five', 'a conflict', 409, {}, COUNTED],
	['ends', 'a restricted business number', 400, { code: 131048 }, COUNTED],
	['ends', 'a wrong key', 401, {}, COUNTED],
	[
		'ends, or goes on',
		'what may be a template',
		404,
		{ error: 'Endpoint or resource not found' },
		{},
	],
	['ends', 'a wrong address, in NestJS', 404, { message: 'Cannot POST /x' }, COUNTED],
	['ends', 'a wrong address, in Fastify', 404, { message: 'Route POST:/x not found' }, {}],
	['ends', 'a wrong address, in Spring', 404, { message: 'No message available' }, {}],
	['ends', 'the text of a router', 404, 'default backend - 404', {}],
	['ends', 'a web page with a number in it', 400, `${PAGE}131026`, COUNTED],
])('a run %s that is answered with %s (%d)', (expected, _, status, body, headers) => {
	const { breaker, fail } = scene();
	const failure = failureFromResponse({ status, headers: { ...headers }, body }, SEND_SENTENCES, 0);
	fail(5, failure);
	const opens = ['ends', 'ends after five'].includes(expected);
	expect(breaker.isOpen).toBe(opens);
	expect(concernsOthers(failure)).toBe(['ends', 'ends, or goes on'].includes(expected));
});

it.each([
	[false, 'a message that the API does not know', 'Endpoint or resource not found'],
	[true, 'a wrong address', 'Cannot GET /x'],
])('it is %p that look-ups end because of %s', (ends, _, error) => {
	const { breaker, fail } = scene();
	const response = { status: 404, headers: {}, body: { error } };
	const failure = failureFromResponse(response, LOOK_UP_SENTENCES, 0);
	fail(5, failure);
	expect([breaker.isOpen, concernsOthers(failure)]).toEqual([ends, ends]);
});
