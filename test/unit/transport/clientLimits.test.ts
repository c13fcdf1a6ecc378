import fc from 'fast-check';

import type { Answer } from '../../../nodes/BusinessMessaging/answer';
import { createPacer } from '../../../nodes/BusinessMessaging/transport/pacing/pacer';
import { createTurns } from '../../../nodes/BusinessMessaging/transport/pacing/turns';
import {
	answer,
	call,
	callInTurn,
	clientFor,
	clientWith,
	REFUSED,
	SENT,
} from '../../support/scriptedClient.ts';
import { createVirtualClock } from '../../support/virtualClock.ts';

function inFullestMinute(times: number[]): number {
	const from = (start: number) => times.filter((at) => at >= start && at < start + 60_000);
	return Math.max(...times.map((start) => from(start).length));
}

describe('a call that must not begin after a moment', () => {
	const LIMITED = answer(429, { 'retry-after': '20' });
	const TOO_LATE = { failure: { message: 'The rate limit left no time to ask the API' } };

	it('does not wait for a place that comes later', async () => {
		const { client, clock, startedAt } = clientFor([LIMITED, SENT]);
		const reply = client.call({ ...call('status'), giveUpAt: clock.ticks() + 19_998 });
		expect(await clock.run(reply)).toMatchObject(TOO_LATE);
		expect(startedAt).toEqual([0]);
		expect(await clock.run(client.call(call('status')))).toMatchObject({ data: 'm1' });
		expect(startedAt).toEqual([0, 20_000]);
	});

	it('waits for a place that comes in time', async () => {
		const { client, clock } = clientFor([LIMITED, SENT]);
		const giveUpAt = clock.ticks() + 20_000;
		const reply = client.call({ ...call('status'), giveUpAt });
		expect(await clock.run(reply)).toMatchObject({ data: 'm1' });
	});

	it.each([
		['that would be later', 2999, [0, 1000]],
		['that would be at that moment', 3000, [0, 1000, 3000]],
	])('knows whether to make a try %s', async (_, lastMs, expected) => {
		const { client, clock, startedAt } = clientFor([REFUSED]);
		const giveUpAt = clock.ticks() + lastMs;
		const reply = await clock.run(client.call({ ...call('status'), giveUpAt }));
		expect(reply).toMatchObject({ failure: { retryable: true, message: expect.any(String) } });
		expect(reply).not.toMatchObject(TOO_LATE);
		expect(startedAt).toEqual(expected);
	});
});

describe('requests under way at the same time', () => {
	function clientOfTwo(signal?: AbortSignal) {
		const clock = createVirtualClock();
		const pacer = createPacer(() => 0);
		let underWay = 0;
		let most = 0;
		let made = 0;
		const exchange = async () => {
			made++;
			most = Math.max(most, ++underWay);
			await clock.sleep(1000);
			underWay--;
			return SENT;
		};
		const turns = createTurns(pacer, clock);
		const client = clientWith(exchange, clock, { turns, concurrency: 2, calls: 5, signal });
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
			const turns = createTurns(
				createPacer(() => 0),
				clock,
			);
			const arrivals: number[] = [];
			const exchange = async (): Promise<Answer> => {
				arrivals.push(clock.now());
				await clock.sleep(latency[arrivals.length % latency.length]);
				return SENT;
			};
			const execution = async () => {
				const client = clientWith(exchange, clock, { turns, calls: 60 });
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

describe('headers that make no sense do not lift the limit of a run', () => {
	it.each([
		['59', '60'],
		['59', '86400'],
		['999999', '0'],
		['growing', '60'],
		['growing', '-5'],
	])('when what remains is %s and the reset is %s', async (remaining, reset) => {
		const clock = createVirtualClock();
		const startedAt: number[] = [];
		const exchange = async () => {
			startedAt.push(clock.ticks());
			const left = remaining === 'growing' ? startedAt.length : remaining;
			await clock.sleep(100);
			const headers = { 'x-ratelimit-remaining': String(left), 'x-ratelimit-reset': reset };
			return { ...SENT, headers };
		};
		const client = clientWith(exchange, clock, { calls: 300 });
		const calls = Array.from({ length: 300 }, () => call('send'));
		await clock.run(callInTurn(client, calls));
		// A fixed window may begin between two bursts.
		expect(inFullestMinute(startedAt)).toBeLessThanOrEqual(75);
	});
});
