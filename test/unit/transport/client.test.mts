import fc from 'fast-check';

import type { ApiResponse } from '../../../nodes/BusinessMessaging/api';
import type { Failed, Failure } from '../../../nodes/BusinessMessaging/errors/failure';
import type { HttpRequest } from '../../../nodes/BusinessMessaging/transport/httpRequest';
import { Pacer } from '../../../nodes/BusinessMessaging/transport/pacer';
import { RateLimiter } from '../../../nodes/BusinessMessaging/transport/rateLimiter';
import { sample } from '../../support/sample.mts';
import {
	response,
	call,
	callInTurn,
	clientFor,
	clientWith,
	CONNECTION_REFUSED,
	SENT,
	TIMED_OUT,
} from '../../support/scriptedClient.mts';
import { createVirtualClock } from '../../support/virtualClock.mts';

it('is made below the base URL, with a body of its own for each try, and says which was certainly not processed', async () => {
	const { client, clock, requests } = clientFor([CONNECTION_REFUSED, response(429), SENT]);
	let tries = 0;
	const body = async () => ({ try: ++tries });
	const onNotProcessed = jest.fn();
	const send = { ...call('send'), path: '/send', body, onNotProcessed };
	expect(await clock.run(client.call(send))).toMatchObject({ data: 'm1', response: SENT });
	const request = { method: 'POST', url: 'https://api.example.com/send', timeoutMs: 1000 };
	expect(requests).toEqual([1, 2, 3].map((number) => ({ ...request, body: { try: number } })));
	expect(onNotProcessed).toHaveBeenCalledTimes(2);
});

const naming = (code: number) => ({ ...response(400), body: { error: { code } } });
/** A 429 that names a cause of the network does not refuse the pace of the requests. */
const HELD_BACK = { ...naming(131056), status: 429 };

describe('is made once, or four times when a repetition may help and does no harm:', () => {
	it.each<[string, 'send' | 'lookUp', ApiResponse | Failure, number[]]>([
		['a send whose connection was refused', 'send', CONNECTION_REFUSED, [0, 1, 3, 7]],
		['a send that timed out', 'send', TIMED_OUT, [0]],
		['a send to a number that gets too much', 'send', HELD_BACK, [0]],
		['a look-up that timed out', 'lookUp', TIMED_OUT, [0, 1, 3, 7]],
		['a look-up with a wrong key', 'lookUp', response(401), [0]],
	])('%s', async (_, kind, result, seconds) => {
		const { client, clock, startedAt } = clientFor([result]);
		const onNotProcessed = jest.fn();
		const reply = await clock.run(client.call({ ...call(kind), onNotProcessed }));
		const { outcome, remedy } = (reply as Failed).failure;
		const isOpen = kind === 'send' && outcome === 'unknown';
		expect(remedy.includes('may have been sent')).toBe(isOpen);
		expect(onNotProcessed).toHaveBeenCalledTimes(outcome === 'unknown' ? 0 : seconds.length);
		expect(startedAt.map((ms) => ms / 1000)).toEqual(seconds);
		expect(client.waitedMs()).toBe(0);
	});
});

describe('429', () => {
	it('is waited out, which counts as waiting for the limit', async () => {
		// A request without a response says nothing of the limit: the second 429 is one in a row.
		const script = [response(429, { 'retry-after': '7' }), CONNECTION_REFUSED, response(429), SENT];
		const { client, clock, startedAt } = clientFor(script);
		expect(await clock.run(client.call(call('send')))).toMatchObject({ data: 'm1' });
		expect(startedAt).toEqual([0, 7000, 8000, 67_000]);
		expect(client.waitedMs()).toBe(64_000);
	});

	// docs/good-to-know.md: minutes of nothing but 429
	it('ends the run after ten minutes in which nothing got through', async () => {
		const { client, clock, startedAt } = clientFor([response(429, { 'retry-after': '300' })]);
		const reply = await clock.run(client.call(call('send')));
		const remedy = 'The API refused every request for 10 minutes.';
		expect(reply).toMatchObject({ failure: { httpStatus: 429, outcome: 'notSent', remedy } });
		expect(startedAt).toEqual([0, 300_000, 600_000]);
	});

	it('for one recipient is given up at the twentieth, and hardly delays the others', async () => {
		const clock = createVirtualClock();
		const triedAt: number[] = [];
		let othersMs = 0;
		const httpRequest: HttpRequest = async ({ url }) => {
			if (url.endsWith('/3')) triedAt.push(clock.ticks());
			else othersMs = clock.ticks();
			return await Promise.resolve(url.endsWith('/3') ? response(429) : SENT);
		};
		const all = Array.from({ length: 600 }, (_, index) => ({ ...call('send'), path: `/${index}` }));
		const client = clientWith(httpRequest, clock, { calls: 600 });
		const replies = await clock.run(callInTurn(client, all));
		expect(replies.filter((reply) => 'failure' in reply)).toEqual([replies[3]]);
		expect(replies[3]).toMatchObject({ failure: { httpStatus: 429, outcome: 'rejected' } });
		expect(triedAt).toHaveLength(20);
		expect(othersMs).toBeLessThan(670_000);
		expect(clock.ticks() - othersMs).toBeLessThan(325_000);
	});

	it('for every second request gives up no call, although two take turns', async () => {
		const script = Array.from({ length: 200 }, (_, index) => (index % 2 ? SENT : response(429)));
		const { client, clock } = clientFor(script);
		const replies = await clock.run(callInTurn(client, Array(100).fill(call('send')), 2));
		expect(replies.filter((reply) => 'failure' in reply)).toEqual([]);
	});

	// docs/good-to-know.md: a 429 that asks for more than five minutes
	it('that asks for more than five minutes ends the run at once, and says until when', async () => {
		const { client, clock, startedAt } = clientFor([response(429, { 'retry-after': '301' })]);
		const calls = Array.from({ length: 100 }, () => client.call(call('send')));
		const replies = await clock.run(Promise.all(calls));
		const until = 'The API takes no more requests until 2026-01-31 12:05 UTC.';
		expect(replies[0]).toMatchObject({ failure: { outcome: 'notSent', remedy: until } });
		const untried = `${until} This item was not tried, because those before it failed for this reason.`;
		expect(replies[99]).toMatchObject({ failure: { remedy: untried } });
		expect(startedAt).toHaveLength(1);
		expect(client.hasEnded()).toBe(true);
	});
});

const REFUSED_WITH_ID = { ...SENT, body: { success: false, data: { message_id: 'm1' } } };

// docs/good-to-know.md: when nothing gets through
it.each<[string, ApiResponse | Failure, number, number, number, RegExp]>([
	['refuses connections', CONNECTION_REFUSED, 0, 40, 10, /^Check the Base URL/],
	['does not answer', TIMED_OUT, 5, 5, 200, /^Try again later/],
	['says that the key is wrong', response(401), 0, 5, 1, /^Paste a key/],
	['contradicts itself', REFUSED_WITH_ID, 5, 5, 1, /^Check the Base URL/],
])(
	'a run of 5,000 items ends within minutes when the API %s, and leaves few unknown',
	async (_, result, unknown, requests, withinS, remedy) => {
		const latencyMs = result === TIMED_OUT ? 30_000 : 0;
		const { client, clock, startedAt } = clientFor([result], undefined, latencyMs);
		const replies = await clock.run(callInTurn(client, Array(5000).fill(call('send'))));
		const failures = replies.flatMap((reply) => ('failure' in reply ? [reply.failure] : []));
		expect(failures).toHaveLength(5000);
		expect(failures[4999].outcome).toBe('notSent');
		expect(failures[4999]).not.toHaveProperty('messageId');
		expect(failures[4999].remedy).toMatch(remedy);
		expect(failures[4999].remedy).toMatch(/ This item was not tried, because/);
		expect('notStarted' in replies[0]).toBe(false);
		expect(replies[4999]).toHaveProperty('notStarted', true);
		expect(failures.filter(({ outcome }) => outcome === 'unknown')).toHaveLength(unknown);
		expect(startedAt.length).toBeLessThanOrEqual(requests);
		expect(clock.ticks() / 1000).toBeLessThan(withinS);
	},
);

// docs/good-to-know.md: what ends a run; docs/troubleshooting.md has what each failure concerns
it.each<[string, Array<ApiResponse | Failure>]>([
	['of messages to numbers that are not on the network', [naming(131026)]],
	// With "continue on error" messages of other templates can follow.
	['of a template that does not exist', [naming(132001)]],
	['of messages that the network holds back', [HELD_BACK]],
	['that are not in a row', [...Array(4).fill(response(401)), SENT, response(401)]],
])('failures %s do not end a run', async (_, script) => {
	const { client, clock } = clientFor(script);
	await clock.run(callInTurn(client, Array(9).fill(call('send')), 1));
	expect(client.hasEnded()).toBe(false);
});

it('requests that hang while others succeed do not end a run, however many of them end together', async () => {
	const clock = createVirtualClock();
	const httpRequest: HttpRequest = async ({ url }) => {
		const isHanging = url.endsWith('/hanging');
		await clock.sleep(isHanging ? 30_000 : 1000);
		return isHanging ? TIMED_OUT : SENT;
	};
	const client = clientWith(httpRequest, clock, { places: { free: 11 } });
	const send = { ...call('send'), requestsPerMinute: 0 };
	const hanging = Array(10).fill({ ...send, path: '/hanging' });
	await clock.run(callInTurn(client, [...hanging, send], 11));
	expect(client.hasEnded()).toBe(false);
	await clock.run(callInTurn(client, hanging.slice(5)));
	expect(client.hasEnded()).toBe(true);
});

it('a run goes on sending when five messages in a row could not be looked up, and looks up no more', async () => {
	const clock = createVirtualClock();
	const httpRequest: HttpRequest = async ({ method }) =>
		await Promise.resolve(method === 'GET' ? response(401) : SENT);
	const client = clientWith(httpRequest, clock);
	const lookUp = { ...call('lookUp'), kind: 'lookUp' } as const;
	await clock.run(callInTurn(client, Array(5).fill(lookUp), 5));
	expect(client.hasEnded()).toBe(true);
	const last = await clock.run(client.call({ ...lookUp, kind: 'lastLookUp' }));
	expect(last).toHaveProperty('failure.remedy', expect.stringContaining('not tried'));
	expect(await clock.run(client.call(call('send')))).toHaveProperty('data');
});

describe('when the execution is canceled', () => {
	it('a send that waits for the rate limit ends within a second', async () => {
		const canceling = new AbortController();
		const { client, clock, startedAt } = clientFor(
			[response(429, { 'retry-after': '60' })],
			canceling.signal,
		);
		void clock.sleep(10_500).then(() => canceling.abort());
		const reply = await clock.run(client.call(call('send')));
		expect(reply).toMatchObject({ failure: { outcome: 'notSent' } });
		expect(startedAt).toHaveLength(1);
		expect(clock.ticks()).toBeLessThanOrEqual(11_500);
	});

	it("nothing begins, although its turn has come, and the slot is another run's", async () => {
		const clock = createVirtualClock();
		const rateLimiter = new RateLimiter(new Pacer(() => 0), clock);
		const stopping = new AbortController();
		const httpRequest = jest.fn(async () => await Promise.resolve(SENT));
		const client = clientWith(httpRequest, clock, { rateLimiter, signal: stopping.signal });
		const reply = client.call({ ...call('send'), requestsPerMinute: 1 });
		stopping.abort();
		expect(await clock.run(reply)).toMatchObject({ failure: { outcome: 'notSent' } });
		expect(httpRequest).not.toHaveBeenCalled();
		const other = clientWith(httpRequest, clock, { rateLimiter });
		const atOnce = { ...call('send'), requestsPerMinute: 1, deadline: 0 };
		expect(await clock.run(other.call(atOnce))).toHaveProperty('data');
	});
});

// docs/troubleshooting.md: how many may be unknown
it('when the way breaks, up to 3 plus twice Requests in Parallel calls are unknown', async () => {
	const latencies = fc.array(fc.integer({ min: 1, max: 2000 }), { minLength: 60, maxLength: 60 });
	await fc.assert(
		fc.asyncProperty(latencies, fc.integer({ min: 1, max: 12 }), async (all, concurrency) => {
			const clock = createVirtualClock();
			let requests = 0;
			const httpRequest = async () => {
				await clock.sleep(all[requests++ % all.length]);
				return clock.ticks() < 5000 ? SENT : TIMED_OUT;
			};
			const client = clientWith(httpRequest, clock, { places: { free: concurrency } });
			const calls = Array(500).fill({ ...call('send'), requestsPerMinute: 0 });
			const replies = await clock.run(callInTurn(client, calls, concurrency));
			const outcomes = replies.map((reply) => 'failure' in reply && reply.failure.outcome);
			const unknown = outcomes.filter((outcome) => outcome === 'unknown');
			expect(unknown.length).toBeGreaterThanOrEqual(5);
			expect(unknown.length).toBeLessThanOrEqual(3 + 2 * concurrency);
		}),
		sample(60),
	);
});

describe('a call that must not begin after a moment', () => {
	const limited = [response(429, { 'retry-after': '20' }), SENT];
	const tooLate = { failure: { code: 'noTimeLeft', outcome: 'notSent', retryable: true } };
	const refused = { failure: { message: CONNECTION_REFUSED.message } };

	it.each([
		['waits for a slot that comes in time', limited, 20_000, { data: 'm1' }, [0, 20_000], 20_000],
		['does not wait for one that comes later', limited, 19_998, tooLate, [0], 20_000],
		['makes a try at that moment', [CONNECTION_REFUSED], 3000, refused, [0, 1000, 3000], 3000],
		['makes none later', [CONNECTION_REFUSED], 2999, refused, [0, 1000], 1000],
	])('%s', async (_, script, deadline, expected, times, endsAt) => {
		const { client, clock, startedAt } = clientFor(script);
		const reply = await clock.run(client.call({ ...call('lookUp'), deadline }));
		expect(reply).toMatchObject(expected);
		expect(startedAt).toEqual(times);
		expect(clock.ticks()).toBe(endsAt);
	});

	it('tells why its last try failed if there is no slot for another one by then', async () => {
		const { client, clock, startedAt } = clientFor([CONNECTION_REFUSED]);
		const late = { ...call('send'), deadline: 20_000, requestsPerMinute: 1 };
		expect(await clock.run(client.call(late))).toMatchObject(refused);
		expect(startedAt).toEqual([0]);
	});
});
