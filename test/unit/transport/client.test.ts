import fc from 'fast-check';

import type { ApiResponse } from '../../../nodes/BusinessMessaging/api';
import { type Failure, notStarted } from '../../../nodes/BusinessMessaging/errors/failure';
import { networkFailure } from '../../../nodes/BusinessMessaging/errors/networkErrors';
import type { HttpRequest } from '../../../nodes/BusinessMessaging/transport/httpRequest';
import { Pacer } from '../../../nodes/BusinessMessaging/transport/pacer';
import { RateLimiter } from '../../../nodes/BusinessMessaging/transport/rateLimiter';
import {
	response,
	call,
	callInTurn,
	clientFor,
	clientWith,
	CONNECTION_REFUSED,
	SENT,
	TIMED_OUT,
} from '../../support/scriptedClient.ts';
import { createVirtualClock } from '../../support/virtualClock.ts';

it('is made below the base URL, with a body of its own for each try', async () => {
	const { client, clock, requests } = clientFor([CONNECTION_REFUSED, SENT]);
	let tries = 0;
	const body = () => ({ try: ++tries });
	const reply = await clock.run(client.call({ ...call('send'), path: '/send', body }));
	expect(reply).toMatchObject({ data: 'm1', response: SENT });
	const request = { method: 'POST', url: 'https://api.example.com/send', timeoutMs: 1000 };
	expect(requests).toEqual([
		{ ...request, body: { try: 1 } },
		{ ...request, body: { try: 2 } },
	]);
});

it('says of each request whether it was certainly not processed', async () => {
	const onNotProcessed = jest.fn();
	const script = [CONNECTION_REFUSED, response(429), TIMED_OUT, SENT];
	const { client, clock, startedAt } = clientFor(script);
	await clock.run(client.call({ ...call('send', true), onNotProcessed }));
	expect(startedAt).toHaveLength(4);
	expect(onNotProcessed).toHaveBeenCalledTimes(2);
});

it('makes no request when its body can not be made', async () => {
	const { client, clock, startedAt } = clientFor([SENT]);
	const failed = notStarted();
	const reply = await clock.run(client.call({ ...call('send'), body: () => failed }));
	expect(reply).toEqual(failed);
	expect(startedAt).toEqual([]);
});

it('waits twice as long after each attempt without a response', async () => {
	const { client, clock, startedAt } = clientFor([CONNECTION_REFUSED]);
	await clock.run(client.call(call('send')));
	expect(startedAt).toEqual([0, 1000, 3000, 7000]);
	expect(client.waitedMs()).toBe(0);
});

describe('a request is made once, or four times when a repetition may help and does no harm:', () => {
	it.each<[string, 'send' | 'lookUp', ApiResponse | Failure, boolean, number]>([
		['a send that was refused a connection', 'send', CONNECTION_REFUSED, false, 4],
		['a send that timed out', 'send', TIMED_OUT, false, 1],
		['a send that timed out, with leave to send twice', 'send', TIMED_OUT, true, 4],
		['a send answered 500', 'send', response(500), false, 1],
		['a send answered 200 without an ID', 'send', response(200), false, 1],
		['a look-up that timed out', 'lookUp', TIMED_OUT, false, 4],
		['a look-up answered 500', 'lookUp', response(500), false, 4],
		['a look-up answered 404', 'lookUp', response(404), false, 1],
	])('%s', async (_, kind, result, retryUnknownOutcome, expected) => {
		const { client, clock, startedAt } = clientFor([result]);
		const reply = await clock.run(client.call(call(kind, retryUnknownOutcome)));
		expect(reply).toHaveProperty('failure');
		expect(startedAt).toHaveLength(expected);
	});
});

describe('429', () => {
	it('is waited out as Retry-After says, before the reset of the window', async () => {
		const limited = response(429, { 'retry-after': '7', 'x-ratelimit-reset': '20' });
		const { client, clock, startedAt } = clientFor([limited, SENT]);
		expect(await clock.run(client.call(call('send')))).toMatchObject({ data: 'm1' });
		expect(startedAt).toEqual([0, 7000]);
		expect(client.waitedMs()).toBe(7000);
	});

	it('is waited out in growing steps, of 30 seconds at most, when the API does not say how long', async () => {
		const { client, clock, startedAt } = clientFor([response(429)]);
		await clock.run(client.call(call('send')));
		expect(startedAt.slice(0, 8).map((ms) => ms / 1000)).toEqual([0, 1, 3, 7, 15, 31, 61, 91]);
		expect(startedAt.at(-1)).toBe(181_000);
	});

	it('that several items wait for is waiting time once', async () => {
		const { client, clock } = clientFor([response(429, { 'retry-after': '5' }), SENT]);
		const later = clock.sleep(2000).then(() => client.call(call('send')));
		await clock.run(Promise.all([client.call(call('send')), later]));
		// And a tenth of a second between the two.
		expect(client.waitedMs()).toBe(5100);
	});

	// README, Good to know: minutes of nothing but 429
	it('ends the run after three minutes in which nothing got through', async () => {
		const { client, clock, startedAt } = clientFor([response(429, { 'retry-after': '60' })]);
		const reply = await clock.run(client.call(call('send')));
		const remedy = 'The API refused every request for 3 minutes.';
		expect(reply).toMatchObject({ failure: { httpStatus: 429, outcome: 'notSent', remedy } });
		expect(startedAt.map((ms) => ms / 1000)).toEqual([0, 60, 120, 180]);
	});

	it('ends the run after ten minutes when its headers count, because others may use it all', async () => {
		const headers = { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '60' };
		const { client, clock, startedAt } = clientFor([response(429, headers)]);
		await clock.run(client.call(call('send')));
		expect(startedAt.at(-1)).toBe(600_000);
	});

	/** What becomes of one request that is always refused, while the others get this answer. */
	async function oddAmong(others: ApiResponse, { at = 3, concurrency = 2, headers = {} } = {}) {
		const clock = createVirtualClock();
		let tries = 0;
		let lastOtherAt = 0;
		const httpRequest: HttpRequest = async ({ url }) => {
			if (url.endsWith('odd')) tries++;
			else lastOtherAt = clock.ticks();
			return await Promise.resolve(url.endsWith('odd') ? response(429, headers) : others);
		};
		const client = clientWith(httpRequest, clock, { concurrency, calls: 60 });
		const paths = Array.from({ length: 59 }, (_, index) => (index === at ? 'odd' : `${index}`));
		const calls = paths.map((path) => ({ ...call('send'), path }));
		const replies = await clock.run(callInTurn(client, calls, concurrency));
		expect(replies[at]).toMatchObject({ failure: { httpStatus: 429 } });
		return { replies, tries, othersS: lastOtherAt / 1000, seconds: clock.ticks() / 1000 };
	}

	it.each([
		['at the start', { at: 3 }, 15, 15],
		['in the middle, of ten at a time', { at: 30, concurrency: 10 }, 15, 15],
		['near the end, when the others are done', { at: 50, concurrency: 10 }, 15, 70],
		['with a Retry-After, which all obey', { at: 30, headers: { 'retry-after': '10' } }, 90, 90],
	])(
		'for one recipient only fails that one after five tries, and holds up the others little: %s',
		async (_, where, othersS, seconds) => {
			const odd = await oddAmong(SENT, where);
			expect(odd.replies.filter((reply) => 'failure' in reply)).toHaveLength(1);
			expect(odd.tries).toBe(5);
			expect(odd.othersS).toBeLessThan(othersS);
			expect(odd.seconds).toBeLessThan(seconds);
		},
	);

	it('for one recipient is waited out for minutes while no other is accepted', async () => {
		expect((await oddAmong(response(400))).seconds).toBeGreaterThan(180);
	});

	// README, Good to know: a 429 that asks for more than five minutes
	it('that asks for more than five minutes ends the run at once, and says until when', async () => {
		const { client, clock, startedAt } = clientFor([response(429, { 'retry-after': '3600' })]);
		const calls = Array.from({ length: 100 }, () => client.call(call('send')));
		const replies = await clock.run(Promise.all(calls));
		const until = 'The API takes no more requests until 2026-01-31 13:00 UTC.';
		expect(replies[0]).toMatchObject({ failure: { outcome: 'notSent', remedy: until } });
		expect(replies[99]).toMatchObject({
			failure: {
				remedy: `${until} This item was not tried, because those before it failed for this reason.`,
			},
		});
		expect(startedAt).toHaveLength(1);
	});

	it('that asks for more than any date can tell is told all the same', async () => {
		const { client, clock } = clientFor([response(429, { 'retry-after': '9e99' })]);
		expect(await clock.run(client.call(call('send')))).toMatchObject({
			failure: { remedy: expect.stringContaining('275760') },
		});
	});
});

it('begins nothing when the run is stopped at the moment at which its turn has come', async () => {
	const stopping = new AbortController();
	const { client, clock, startedAt } = clientFor([SENT], stopping.signal);
	const reply = client.call(call('send'));
	stopping.abort();
	expect(await clock.run(reply)).toMatchObject({ failure: { outcome: 'notSent' } });
	expect(startedAt).toEqual([]);
});

it('no longer listens to the run when it is closed', () => {
	const { signal } = new AbortController();
	const removed = jest.spyOn(signal, 'removeEventListener');
	clientFor([SENT], signal).client.close();
	expect(removed).toHaveBeenCalledWith('abort', expect.any(Function));
});

// README, Good to know: when nothing gets through
describe('a run in which nothing gets through', () => {
	async function runOf(items: number, result: ApiResponse | Failure) {
		const latencyMs = result === TIMED_OUT ? 30_000 : 0;
		const { client, clock, startedAt } = clientFor([result], undefined, latencyMs);
		const calls = Array.from({ length: items }, () => call('send'));
		const replies = await clock.run(callInTurn(client, calls));
		const failures = replies.flatMap((reply) => ('failure' in reply ? [reply.failure] : []));
		return { failures, startedAt, seconds: clock.ticks() / 1000 };
	}

	const page = (status: number): ApiResponse => ({
		status,
		headers: {},
		body: '<!doctype html><h1>Sign in</h1>',
	});

	it.each<[string, ApiResponse | Failure, number, string, RegExp]>([
		['refuses connections', CONNECTION_REFUSED, 0, 'connection was refused', /^Check the Base URL/],
		['does not answer', TIMED_OUT, 5, 'did not answer in time', /^Try again later/],
		['says that the key is wrong', response(401), 0, 'API key is missing', /^Paste a key/],
		['says that the plan is wrong', response(403), 0, 'no API access', /Scale and Enterprise/],
		['redirects', response(302), 0, 'redirects', /^Enter the address/],
		['is down', response(500), 5, 'not working properly (HTTP 500)', /^Try again later/],
		['shows a login page', page(200), 5, 'web page or proxy answered', /^Check the Base URL/],
		[
			'shows a page of its own for 404',
			page(404),
			0,
			'web page or proxy answered',
			/^Check the Base URL/,
		],
		['gives messages no ID', response(200), 5, 'no message ID', /^Try again later/],
	])(
		'ends 5,000 items within minutes when the API %s, and leaves few in doubt',
		async (_, result, unknown, message, remedy) => {
			const { failures, startedAt, seconds } = await runOf(5000, result);
			expect(failures).toHaveLength(5000);
			expect(failures[4999]).toEqual(
				expect.objectContaining({ outcome: 'notSent', message: expect.stringContaining(message) }),
			);
			expect(failures[4999].remedy).toMatch(remedy);
			expect(failures[4999].remedy).toMatch(/ This item was not tried, because/);
			expect(failures.filter(({ outcome }) => outcome === 'unknown')).toHaveLength(unknown);
			const certainlyNotSent = result === CONNECTION_REFUSED ? 40 : 5;
			expect(startedAt.length).toBeLessThanOrEqual(certainlyNotSent);
			expect(seconds).toBeLessThan(200);
		},
	);

	it('is over after 10 seconds when connections are refused', async () => {
		expect((await runOf(60, CONNECTION_REFUSED)).seconds).toBeLessThan(10);
	});

	it('leaves no more in doubt than were under way twice when it is in full swing', async () => {
		const clock = createVirtualClock();
		let made = 0;
		const httpRequest: HttpRequest = async () => {
			const isDown = made++ >= 100;
			await clock.sleep(500);
			return isDown ? response(500) : SENT;
		};
		const client = clientWith(httpRequest, clock, { concurrency: 20, calls: 5000 });
		const calls = Array.from({ length: 5000 }, () => ({ ...call('send'), requestsPerMinute: 0 }));
		const replies = await clock.run(callInTurn(client, calls, 20));
		const unknown = replies.filter(
			(reply) => 'failure' in reply && reply.failure.outcome === 'unknown',
		);
		expect(replies.filter((reply) => 'data' in reply)).toHaveLength(100);
		expect(unknown.length).toBeLessThanOrEqual(40);
		expect(made).toBe(100 + unknown.length);
	});

	it('goes on when one of five gets through, or is refused for its own sake', async () => {
		const own = response(400);
		for (const between of [SENT, own]) {
			const script = Array.from({ length: 40 }, (_, index) =>
				index % 5 === 4 ? between : response(500),
			);
			const { client, clock, startedAt } = clientFor(script);
			const calls = Array.from({ length: 40 }, () => call('send'));
			await clock.run(callInTurn(client, calls, 1));
			expect(startedAt).toHaveLength(40);
		}
	});

	it('goes on sending when five messages in a row could not be looked up, and looks up no more', async () => {
		const clock = createVirtualClock();
		const httpRequest: HttpRequest = async ({ method }) =>
			await Promise.resolve(method === 'GET' ? page(404) : SENT);
		const client = clientWith(httpRequest, clock);
		const lookUp = { ...call('lookUp'), kind: 'lookUp' } as const;
		const looked = await clock.run(callInTurn(client, Array<typeof lookUp>(7).fill(lookUp), 7));
		expect(client.hasEnded()).toBe(true);
		expect(looked.map((reply) => 'failure' in reply && reply.failure.remedy)).toEqual([
			...Array<unknown>(5).fill(
				expect.stringMatching(/^Check the Base URL in the credential.*API\.$/),
			),
			...Array<unknown>(2).fill(expect.stringContaining('not tried')),
		]);
		expect(await clock.run(client.call(call('send')))).toHaveProperty('data');
	});

	it('ends as well when it only looks up', async () => {
		const { client, clock, startedAt } = clientFor([page(200)]);
		const calls = Array.from({ length: 60 }, () => call('lookUp'));
		const replies = await clock.run(callInTurn(client, calls));
		expect(replies[59]).toMatchObject({
			failure: { outcome: 'notSent', remedy: expect.stringContaining('not tried') },
		});
		expect(startedAt).toHaveLength(5);
	});

	it('ends after minutes when each request is answered 429 without a word', async () => {
		const { failures, startedAt, seconds } = await runOf(25, response(429));
		expect(failures).toHaveLength(25);
		expect(startedAt.length).toBeLessThan(15);
		expect(seconds).toBe(181);
	});

	it('is not one whose first request is refused hours after another run was', async () => {
		const { clientOnSameKey, clock } = clientFor([
			response(429),
			response(429),
			response(429),
			SENT,
		]);
		const canceled = clientOnSameKey();
		void clock.sleep(1500).then(() => canceled.close());
		await clock.run(canceled.call(call('send')));
		await clock.run(clock.sleep(5 * 3_600_000));
		expect(await clock.run(clientOnSameKey().call(call('send')))).toMatchObject({ data: 'm1' });
	});

	it.each([
		['once, at its last moment', { kind: 'lastLookUp', deadline: 60_900 }],
		['each time', {}],
	] as const)('is not one in which a look-up got no answer, %s', async (_, limits) => {
		const closed = networkFailure('closed', 'unknown');
		const { client, clock } = clientFor([SENT, closed]);
		await clock.run(client.call(call('send')));
		await clock.run(clock.sleep(60_000));
		await clock.run(client.call({ ...call('lookUp'), ...limits }));
		expect(await clock.run(client.call(call('send')))).toMatchObject({
			failure: { outcome: 'unknown' },
		});
	});

	it('goes on while only some items are refused', async () => {
		const { failures, startedAt } = await runOf(5, response(400));
		expect(failures).toHaveLength(5);
		expect(startedAt).toHaveLength(5);
	});
});

it('stops within a second when the execution is canceled, and sends nothing more', async () => {
	const canceling = new AbortController();
	const { client, clock, startedAt } = clientFor(
		[response(429, { 'retry-after': '60' })],
		canceling.signal,
	);
	const start = clock.now();
	void clock.sleep(10_500).then(() => canceling.abort());
	const reply = await clock.run(client.call(call('send')));
	expect(reply).toMatchObject({ failure: { outcome: 'notSent' } });
	expect(startedAt).toHaveLength(1);
	expect(clock.now() - start).toBeLessThanOrEqual(11_500);
});

it.each<[string, ApiResponse | Failure]>([
	['is refused a connection', CONNECTION_REFUSED],
	['is answered 400', response(400)],
	['is answered 429 for too long', response(429, { 'retry-after': '86400' })],
])('keeps the outcome unknown when the next try %s', async (_, next) => {
	const { client, clock, startedAt } = clientFor([TIMED_OUT, next]);
	const reply = await clock.run(client.call(call('send', true)));
	expect(reply).toMatchObject({ failure: { outcome: 'unknown' } });
	expect(startedAt.length).toBeGreaterThan(1);
});

it('keeps the outcome unknown when it is canceled while the next try waits for its place', async () => {
	const canceling = new AbortController();
	const limited = response(429, { 'retry-after': '60' });
	const { client, clock, startedAt } = clientFor([TIMED_OUT, limited], canceling.signal);
	void clock.sleep(10_000).then(() => canceling.abort());
	const reply = await clock.run(client.call(call('send', true)));
	expect(reply).toMatchObject({ failure: { outcome: 'unknown' } });
	expect(startedAt).toHaveLength(2);
});

it('keeps the outcome unknown when it is canceled before the next try', async () => {
	const canceling = new AbortController();
	const { client, clock, startedAt } = clientFor([TIMED_OUT], canceling.signal);
	void clock.sleep(500).then(() => canceling.abort());
	const reply = await clock.run(client.call(call('send', true)));
	expect(reply).toMatchObject({ failure: { outcome: 'unknown' } });
	expect(startedAt).toHaveLength(1);
});

describe('a call that must not begin after a moment', () => {
	const LIMITED = response(429, { 'retry-after': '20' });
	const TOO_LATE = { failure: { message: 'The rate limit left no time to ask the API' } };

	it('does not wait for a place that comes later', async () => {
		const { client, clock, startedAt } = clientFor([LIMITED, SENT]);
		const reply = client.call({ ...call('lookUp'), deadline: clock.ticks() + 19_998 });
		expect(await clock.run(reply)).toMatchObject(TOO_LATE);
		expect(startedAt).toEqual([0]);
		expect(await clock.run(client.call(call('lookUp')))).toMatchObject({ data: 'm1' });
		expect(startedAt).toEqual([0, 20_000]);
	});

	it('waits for a place that comes in time', async () => {
		const { client, clock } = clientFor([LIMITED, SENT]);
		const deadline = clock.ticks() + 20_000;
		const reply = client.call({ ...call('lookUp'), deadline });
		expect(await clock.run(reply)).toMatchObject({ data: 'm1' });
	});

	it.each([
		['that would be later', 2999, [0, 1000]],
		['that would be at that moment', 3000, [0, 1000, 3000]],
	])('knows whether to make a try %s', async (_, lastMs, expected) => {
		const { client, clock, startedAt } = clientFor([CONNECTION_REFUSED]);
		const deadline = clock.ticks() + lastMs;
		const reply = await clock.run(client.call({ ...call('lookUp'), deadline }));
		expect(reply).toMatchObject({ failure: { retryable: true, message: expect.any(String) } });
		expect(reply).not.toMatchObject(TOO_LATE);
		expect(startedAt).toEqual(expected);
	});
});

describe('requests under way at the same time', () => {
	function clientOfTwo(signal?: AbortSignal) {
		const clock = createVirtualClock();
		const pacer = new Pacer(() => 0);
		let inFlight = 0;
		let most = 0;
		let made = 0;
		const httpRequest = async () => {
			made++;
			most = Math.max(most, ++inFlight);
			await clock.sleep(1000);
			inFlight--;
			return SENT;
		};
		const rateLimiter = new RateLimiter(pacer, clock);
		const client = clientWith(httpRequest, clock, {
			rateLimiter,
			concurrency: 2,
			calls: 5,
			signal,
		});
		const unlimited = { ...call('send'), requestsPerMinute: 0 };
		const calls = Array.from({ length: 5 }, () => client.call(unlimited));
		return { clock, pacer, calls: Promise.all(calls), seen: () => ({ most, made }) };
	}

	it('are as many as allowed, look-ups of many waiting items included', async () => {
		const { clock, calls, seen } = clientOfTwo();
		expect(await clock.run(calls)).toHaveLength(5);
		expect(seen()).toEqual({ most: 2, made: 5 });
	});

	it('are followed by no other once the execution is canceled, and keep no place', async () => {
		const canceling = new AbortController();
		const { clock, pacer, calls, seen } = clientOfTwo(canceling.signal);
		void clock.sleep(500).then(() => canceling.abort());
		const replies = await clock.run(calls);
		expect(replies.filter((reply) => 'data' in reply)).toHaveLength(2);
		expect(replies[4]).toMatchObject({ failure: { outcome: 'notSent' } });
		expect(seen()).toEqual({ most: 2, made: 2 });
		expect(pacer.isIdle(clock.ticks() + 60_000)).toBe(true);
	});
});

// README, Top: the rate limit is kept, by all workflows together
it('keeps two executions on one key below the limit in any window, for any latency', async () => {
	const latencies = fc.array(fc.integer({ min: 1, max: 3000 }), { minLength: 20, maxLength: 40 });
	await fc.assert(
		fc.asyncProperty(latencies, async (latency) => {
			const clock = createVirtualClock();
			const rateLimiter = new RateLimiter(new Pacer(() => 0), clock);
			const arrivals: number[] = [];
			const httpRequest = async (): Promise<ApiResponse> => {
				arrivals.push(clock.now());
				await clock.sleep(latency[arrivals.length % latency.length]);
				return SENT;
			};
			const execution = async () => {
				const client = clientWith(httpRequest, clock, { rateLimiter, calls: 60 });
				const worker = async () => {
					for (let item = 0; item < 20; item++)
						await client.call({ ...call('send'), requestsPerMinute: 30 });
				};
				await Promise.all([worker(), worker(), worker()]);
			};
			await clock.run(Promise.all([execution(), execution()]));
			expect(arrivals).toHaveLength(120);
			expect(inFullestMinute(arrivals)).toBeLessThanOrEqual(30);
		}),
		{ numRuns: 10 },
	);
});

function inFullestMinute(times: number[]): number {
	const from = (start: number) => times.filter((at) => at >= start && at < start + 60_000);
	return Math.max(...times.map((start) => from(start).length));
}

describe('headers that make no sense do not lift the limit of a run', () => {
	it.each([
		['59', '86400'],
		['growing', '-5'],
	])('when what remains is %s and the reset is %s', async (remaining, reset) => {
		const clock = createVirtualClock();
		const startedAt: number[] = [];
		const httpRequest = async () => {
			startedAt.push(clock.ticks());
			const left = remaining === 'growing' ? startedAt.length : remaining;
			await clock.sleep(100);
			const headers = { 'x-ratelimit-remaining': String(left), 'x-ratelimit-reset': reset };
			return { ...SENT, headers };
		};
		const client = clientWith(httpRequest, clock, { calls: 300 });
		const calls = Array.from({ length: 300 }, () => call('send'));
		await clock.run(callInTurn(client, calls));
		// A fixed window may begin between two bursts.
		expect(inFullestMinute(startedAt)).toBeLessThanOrEqual(75);
	});
});
