import { type ApiResponse, type Category, isAccepted } from '../api';
import { type Clock, pause } from '../clock';
import { type Failure, notStarted, tooLate, failed, type Failed } from '../errors/failure';
import {
	type CallSentences,
	failureFromResponse,
	withUnknownOutcome,
} from '../errors/responseErrors';
import { CircuitBreaker } from './circuitBreaker';
import type { Connection } from './credential';
import { type HttpRequest, isResponse } from './httpRequest';
import type { HowItEnded } from './pacer';
import { type RateLimit, readRateLimit } from './rateLimitHeaders';
import type { QueuedRequest, RateLimiter, Run, RunSize, Slot } from './rateLimiter';
import { type Attempts, isRateLimited, retryDelay } from './retry';

export interface Call<Data> {
	/** Whether a repetition does no harm. The API has no idempotency key, so a repeated send can send twice. */
	isIdempotent: boolean;
	method: 'GET' | 'POST';
	/** Below the base URL. */
	path: string;
	/** Made for each request, because it may depend on the moment of sending. A failure ends the call. */
	body?: () => Promise<object | Failed>;
	/** A request was certainly not processed. */
	onNotProcessed?: () => Promise<void>;
	/** The data of an accepted response; undefined when it lacks what it must have. */
	read: (response: ApiResponse) => Data | undefined;
	sentences: CallSentences;
	timeoutMs: number;
	/** Of the message that it sends. */
	category?: Category;
	/** Requests per minute; 0 for no pacing. */
	requestsPerMinute: number;
	/** Look-ups for a message that is waited for let the other requests go first. */
	kind?: QueuedRequest['kind'];
	/** Ticks in ms. No attempt begins later. */
	deadline?: number;
}

export type Reply<Data> = { data: Data; response: ApiResponse } | Failed;

export interface ClientParts extends RunSize {
	connection: Connection;
	httpRequest: HttpRequest;
	rateLimiter: RateLimiter;
	clock: Clock;
	random: () => number;
	/** Aborted when the execution is canceled, or ends early. */
	signal: AbortSignal;
}

/** The calls of one run to one account. */
export class Client {
	private readonly run: Run;
	private readonly mainBreaker: CircuitBreaker;
	/** Sends go on when the messages that are waited for can't be looked up. */
	private readonly lookUpBreaker: CircuitBreaker;
	private readonly closeRun = () => this.run.close();

	constructor(private readonly parts: ClientParts) {
		const { rateLimiter, clock, signal } = parts;
		this.run = rateLimiter.join(parts);
		this.mainBreaker = new CircuitBreaker(clock, this.closeRun);
		this.lookUpBreaker = new CircuitBreaker(clock, () => this.run.close(['lookUp', 'lastLookUp']));
		signal.addEventListener('abort', this.closeRun);
	}

	/** One call, paced and repeated as far as that is safe; never throws. */
	async call<Data>(call: Call<Data>): Promise<Reply<Data>> {
		const { clock, signal } = this.parts;
		const { kind = 'main', category, requestsPerMinute, deadline = Infinity } = call;
		const limit = requestsPerMinute || Infinity;
		const attempts: CallAttempts = { failures: 0, rateLimited: 0 };
		for (;;) {
			const slot = await this.run.acquire({ kind, category, limit, deadline });
			const next =
				typeof slot === 'string'
					? this.withoutSlot(slot, call, attempts)
					: await this.attempt(call, slot, attempts);
			if (typeof next === 'number') await pause(clock, next, signal);
			else return next;
		}
	}

	/** A message will be waited for: sends leave a slot to look it up. @returns ends that */
	reserveLookUp(): () => void {
		return this.parts.rateLimiter.pacer.reserveLookUp();
	}

	/** Whether messages that are waited for are not looked up any more, because nothing gets through. */
	hasEnded(): boolean {
		return this.mainBreaker.isOpen || this.lookUpBreaker.isOpen;
	}

	/** Time during which calls waited for the rate limit, in ms. */
	waitedMs(): number {
		return this.run.waitedMs;
	}

	/** No call will follow. */
	close(): void {
		this.parts.signal.removeEventListener('abort', this.closeRun);
		this.closeRun();
	}

	private withoutSlot(
		reason: 'tooLate' | 'closed',
		call: Call<unknown>,
		attempts: CallAttempts,
	): Failed {
		if (reason === 'tooLate') return this.outOfTime(call, attempts);
		const wasTried = attempts.failures + attempts.rateLimited > 0;
		const failure =
			this.breakerOf(call).failureOf(wasTried) ?? this.mainBreaker.failureOf(wasTried);
		if (!failure) return notStarted();
		return wasTried ? failed(failure) : { ...failed(failure), notStarted: true };
	}

	private outOfTime(call: Call<unknown>, { last }: CallAttempts): Failed {
		return last ? this.afterLast(call, last) : failed(tooLate());
	}

	/** One request. @returns the reply of the call, or ms to wait before the next attempt */
	private async attempt<Data>(
		call: Call<Data>,
		slot: Slot,
		attempts: CallAttempts,
	): Promise<Reply<Data> | number> {
		const { connection, httpRequest, clock, signal } = this.parts;
		try {
			if (signal.aborted) return notStarted();
			const body = await call.body?.();
			if (body && 'failure' in body) return body;
			const startedAt = clock.ticks();
			const { method, timeoutMs } = call;
			const url = connection.baseUrl + call.path;
			const result = await httpRequest({ method, url, body, timeoutMs });
			const rateLimit = isResponse(result) ? readRateLimit(result.headers, clock.now()) : {};
			slot.end(howItEnded(result), rateLimit);
			const reply = replyTo(call, result, clock.now());
			if ('failure' in reply) {
				const cause = reply.failure;
				return await this.afterFailure(call, attempts, { cause, result, rateLimit, startedAt });
			}
			this.breakerOf(call).succeeded();
			return reply;
		} finally {
			// Only now, so that no request begins when this one has ended the run.
			slot.release();
		}
	}

	private async afterFailure(
		call: Call<unknown>,
		attempts: CallAttempts,
		request: FailedRequest,
	): Promise<Failed | number> {
		const { clock, random, rateLimiter } = this.parts;
		const { cause, result, rateLimit, startedAt } = request;
		const isUnknown = cause.outcome === 'unknown';
		if (!isUnknown) await call.onNotProcessed?.();
		const failure =
			isUnknown && !call.isIdempotent
				? withUnknownOutcome(cause, isResponse(result) ? result : undefined)
				: cause;
		if (isRateLimited(cause)) {
			const { rateLimitedSince = clock.ticks() } = rateLimiter.pacer;
			this.mainBreaker.rateLimited(cause, rateLimit.retryAfterMs ?? 0, rateLimitedSince);
			attempts.rateLimited++;
		} else {
			attempts.failures++;
		}
		const delay = retryDelay(cause, attempts, call.isIdempotent, random());
		const { deadline = Infinity } = call;
		// A 429 says nothing about the way to the API.
		attempts.last = isRateLimited(cause) ? undefined : { failure, cause, startedAt };
		if (delay !== undefined) {
			return clock.ticks() + delay <= deadline ? delay : this.outOfTime(call, attempts);
		}
		return attempts.last ? this.afterLast(call, attempts.last) : failed(failure);
	}

	private afterLast(call: Call<unknown>, { failure, cause, startedAt }: LastFailure): Failed {
		this.breakerOf(call).failed(cause, startedAt);
		return failed(failure);
	}

	private breakerOf({ kind = 'main' }: Pick<Call<unknown>, 'kind'>): CircuitBreaker {
		return kind === 'main' ? this.mainBreaker : this.lookUpBreaker;
	}
}

/** The attempts of one call so far. */
interface CallAttempts extends Attempts {
	/** After which there may be no time for another one. None after a 429. */
	last?: LastFailure;
}

interface LastFailure {
	/** Of the call. */
	failure: Failure;
	/** Of its last request. */
	cause: Failure;
	/** Ticks in ms. */
	startedAt: number;
}

interface FailedRequest extends Omit<LastFailure, 'failure'> {
	result: ApiResponse | Failure;
	rateLimit: RateLimit;
}

function howItEnded(result: ApiResponse | Failure): HowItEnded {
	if (!isResponse(result)) return 'noResponse';
	return result.status === 429 ? 'rateLimited' : 'responded';
}

function replyTo<Data>(
	{ read, sentences }: Call<Data>,
	result: ApiResponse | Failure,
	now: number,
): Reply<Data> {
	if (!isResponse(result)) return failed(result);
	const data = isAccepted(result) ? read(result) : undefined;
	if (data !== undefined) return { data, response: result };
	return failed(failureFromResponse(result, sentences, now));
}
