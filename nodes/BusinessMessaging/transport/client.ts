import { pause } from './clock';
import type { Clock } from './clock';
import type { Connection } from './connection';
import { isAccepted } from './envelope';
import { failureFromAnswer, failureFromFault, failureFromUnreadable, notStarted } from './failure';
import type { Failure } from './failure';
import type { Pacer } from './pacing';
import { readRateLimit } from './rateLimit';
import type { RateLimit } from './rateLimit';
import type { Purpose } from './remedies';
import { isAnswer } from './request';
import type { Answer, Exchange } from './request';
import { delayBeforeRetry, isRateLimited, mayRepeat } from './retry';
import type { Attempts } from './retry';

export interface Call<Data> {
	purpose: Purpose;
	method: 'GET' | 'POST';
	/** Below the base URL. */
	path: string;
	/** Made anew for each try: what it says may depend on the moment of sending. */
	body?: () => object;
	/** The data of an accepted answer; undefined when it lacks what it must have. */
	read: (answer: Answer) => Data | undefined;
	timeoutMs: number;
	/** Requests per minute; 0 for no pacing. */
	requestsPerMinute: number;
	retryUnknownOutcome: boolean;
}

export type Reply<Data> = { data: Data; answer: Answer } | { failure: Failure };

export interface Client {
	/** One call, paced and repeated as far as that is safe; never throws. */
	call: <Data>(call: Call<Data>) => Promise<Reply<Data>>;
	/** Time during which calls waited for the rate limit, in ms. */
	waitedMs: () => number;
}

export interface ClientParts {
	connection: Connection;
	exchange: Exchange;
	pacer: Pacer;
	clock: Clock;
	random: () => number;
	signal?: AbortSignal;
}

export function createClient(parts: ClientParts): Client {
	const { connection, exchange, pacer, clock, random, signal } = parts;
	const waiting = createStopwatch(clock);

	/** Whether a place could be taken before the execution was stopped. */
	async function takePlace(requestsPerMinute: number): Promise<boolean> {
		while (!signal?.aborted) {
			const wait = pacer.take(requestsPerMinute, clock.now());
			if (wait === 0) return true;
			await waiting.during(pause(clock, wait, signal));
		}
		return false;
	}

	async function attempt<Data>(call: Call<Data>): Promise<Reply<Data> & { rateLimit: RateLimit }> {
		const result = await exchange({
			method: call.method,
			url: connection.baseUrl + call.path,
			body: call.body?.(),
			timeoutMs: call.timeoutMs,
		});
		const now = clock.now();
		const rateLimit = isAnswer(result) ? readRateLimit(result.headers, now) : {};
		pacer.ended(now, rateLimit);
		return { ...judge(result, call), rateLimit };
	}

	return {
		async call(call) {
			const attempts: Attempts = { faults: 0, rateLimited: 0, rateLimitWaitMs: 0 };
			for (;;) {
				if (!(await takePlace(call.requestsPerMinute))) return { failure: notStarted() };
				const reply = await attempt(call);
				if ('data' in reply) return reply;
				const { failure, rateLimit } = reply;
				if (!mayRepeat(failure, call.purpose, call.retryUnknownOutcome)) return { failure };
				if (isRateLimited(failure)) attempts.rateLimited++;
				else attempts.faults++;
				const delay = delayBeforeRetry(failure, attempts, rateLimit, random());
				if (delay === undefined) return { failure };
				if (isRateLimited(failure)) {
					attempts.rateLimitWaitMs += delay;
					pacer.blockUntil(clock.now() + delay);
				} else {
					await pause(clock, delay, signal);
				}
				if (signal?.aborted) return { failure };
			}
		},
		waitedMs: () => waiting.totalMs(),
	};
}

function judge<Data>(result: Awaited<ReturnType<Exchange>>, call: Call<Data>): Reply<Data> {
	if (!isAnswer(result)) return { failure: failureFromFault(result, call.purpose) };
	if (!isAccepted(result)) return { failure: failureFromAnswer(result, call.purpose) };
	const data = call.read(result);
	if (data === undefined) return { failure: failureFromUnreadable(result, call.purpose) };
	return { data, answer: result };
}

/** Time during which at least one of several overlapping waits was going on. */
function createStopwatch({ now }: Clock) {
	let running = 0;
	let startedAt = 0;
	let total = 0;
	return {
		async during(wait: Promise<void>): Promise<void> {
			if (running++ === 0) startedAt = now();
			await wait;
			if (--running === 0) total += now() - startedAt;
		},
		totalMs: () => total,
	};
}
