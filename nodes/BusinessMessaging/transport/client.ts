import pLimit from 'p-limit';

import { pause } from './clock';
import type { Clock } from './clock';
import type { Connection } from './connection';
import { isAccepted } from './envelope';
import {
	failureFromAnswer,
	failureFromFault,
	failureFromUnreadable,
	notStarted,
	tooLate,
} from './failure';
import type { Failure } from './failure';
import type { Pacer } from './pacing';
import { readRateLimit } from './rateLimit';
import type { RateLimit } from './rateLimit';
import type { Purpose } from './remedies';
import { isAnswer } from './request';
import type { Answer, Exchange } from './request';
import { delayBeforeRetry, isRateLimited, mayRepeat } from './retry';
import type { Attempts } from './retry';
import { createStopwatch } from './stopwatch';

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
	/** Epoch ms. No try begins later, and none is waited for that would. */
	giveUpAt?: number;
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
	/** How many requests may be under way at the same time. */
	concurrency: number;
	signal?: AbortSignal;
}

export function createClient(parts: ClientParts): Client {
	const { connection, exchange, pacer, clock, random, signal } = parts;
	const inParallel = pLimit(parts.concurrency);
	const waiting = createStopwatch(clock);

	/** Waits for a place within the rate limit. @returns why there is none for this call */
	async function takePlace(call: Call<unknown>): Promise<Failure | undefined> {
		while (!signal?.aborted) {
			const wait = pacer.take(call.requestsPerMinute, clock.now());
			if (wait === 0) return undefined;
			if (isTooLate(call, wait)) return tooLate(call.purpose);
			await waiting.during(pause(clock, wait, signal));
		}
		return notStarted(call.purpose);
	}

	function isTooLate({ giveUpAt = Infinity }: Call<unknown>, delay: number): boolean {
		return clock.now() + delay > giveUpAt;
	}

	async function attempt<Data>(call: Call<Data>): Promise<Reply<Data> & { rateLimit: RateLimit }> {
		if (signal?.aborted) {
			// The place that was taken must not stay taken.
			pacer.ended(clock.now());
			return { failure: notStarted(call.purpose), rateLimit: {} };
		}
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
			/** An earlier try that may have gone through, whatever became of the later ones. */
			let doubt: Failure | undefined;
			const end = (failure: Failure) => ({ failure: doubt ?? failure });
			for (;;) {
				const obstacle = await takePlace(call);
				if (obstacle) return end(obstacle);
				const reply = await inParallel(async () => await attempt(call));
				if ('data' in reply) return reply;
				const { failure, rateLimit } = reply;
				if (failure.outcome === 'unknown') doubt = failure;
				if (!mayRepeat(failure, call.purpose, call.retryUnknownOutcome)) return end(failure);
				if (isRateLimited(failure)) attempts.rateLimited++;
				else attempts.faults++;
				const delay = delayBeforeRetry(failure, attempts, rateLimit, random());
				if (delay === undefined) return end(failure);
				if (isRateLimited(failure)) {
					attempts.rateLimitWaitMs += delay;
					pacer.blockUntil(clock.now() + delay);
				} else if (isTooLate(call, delay)) {
					return end(failure);
				} else {
					await pause(clock, delay, signal);
				}
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
