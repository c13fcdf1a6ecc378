import { isAccepted } from '../answer';
import type { Answer } from '../answer';
import { pause } from '../clock';
import type { Clock } from '../clock';
import {
	failureFromAnswer,
	failureFromFault,
	failureFromUnreadable,
	notStarted,
	tooLate,
} from '../errors/failure';
import type { Failed, Failure } from '../errors/failure';
import type { Fault } from '../errors/faults';
import type { Purpose } from '../errors/httpErrors';
import { CircuitBreaker, isAboutTheMessage } from './circuitBreaker';
import type { Connection } from './connection';
import { readRateLimit } from './pacing/rateLimit';
import type { RateLimit } from './pacing/rateLimit';
import type { RunSize, Turn, Turns, Wish } from './pacing/turns';
import { isAnswer } from './request';
import type { Exchange } from './request';
import { isRateLimited, Retries } from './retry';
import type { RetryRule } from './retry';

export interface Call<Data> extends RetryRule {
	method: 'GET' | 'POST';
	/** Below the base URL. */
	path: string;
	/** Made for each request: what it says may depend on the moment of sending. A failure ends the call. */
	body?: () => object | Failed;
	/** A request was certainly not processed. */
	onNotProcessed?: () => void;
	/** The data of an accepted answer; undefined when it lacks what it must have. */
	read: (answer: Answer) => Data | undefined;
	timeoutMs: number;
	/** Requests per minute; 0 for no pacing. */
	requestsPerMinute: number;
	/** Look-ups for a message that is waited for stand back behind the others. */
	kind?: Wish['kind'];
	/** Ticks in ms. No try begins later, and none is waited for that would. */
	giveUpAt?: number;
}

export type Reply<Data> = { data: Data; answer: Answer } | Failed;

export interface Client {
	/** One call, paced and repeated as far as that is safe; never throws. */
	call: <Data>(call: Call<Data>) => Promise<Reply<Data>>;
	/** A message will need a look-up within a minute: sends leave it a place. @returns its end */
	owe: () => () => void;
	/** Whether nothing more is looked up for messages that are waited for, because nothing gets through. */
	hasEnded: () => boolean;
	/** Nothing more will be asked. */
	close: () => void;
	/** Time during which calls waited for the rate limit, in ms. */
	waitedMs: () => number;
}

export interface ClientParts extends RunSize {
	connection: Connection;
	exchange: Exchange;
	turns: Turns;
	clock: Clock;
	random: () => number;
	signal?: AbortSignal;
}

/** What became of one request. */
type Tried<Data> = Reply<Data> & {
	exchanged: Answer | Fault;
	rateLimit: RateLimit;
	/** Ticks in ms. */
	startedAt: number;
};

const LOOK_UPS: Array<Wish['kind']> = ['lookUp', 'lastLookUp'];

export function createClient(parts: ClientParts): Client {
	const { connection, exchange, turns, clock, random, signal } = parts;
	const run = turns.join(parts);
	const main = new CircuitBreaker(clock, () => run.close());
	/** Sends go on when the messages that are waited for can't be looked up. */
	const lookUps = new CircuitBreaker(clock, () => run.close(LOOK_UPS));
	const retries = new Retries(clock, random);
	const close = () => run.close();
	signal?.addEventListener('abort', close);

	async function tryOnce<Data>(
		call: Call<Data>,
		body: object | undefined,
		turn: Turn,
	): Promise<Tried<Data>> {
		const startedAt = clock.ticks();
		const exchanged = await exchange({
			method: call.method,
			url: connection.baseUrl + call.path,
			body,
			timeoutMs: call.timeoutMs,
		});
		const reply = replyTo(call, exchanged);
		const tried = { ...reply, startedAt, exchanged, rateLimit: {} };
		if ('failure' in reply && reply.failure.outcome !== 'unknown') call.onNotProcessed?.();
		if (!isAnswer(exchanged)) {
			turn.end('unanswered', {});
			return tried;
		}
		const rateLimit = readRateLimit(exchanged.headers, clock.now());
		const failure = 'failure' in reply ? reply.failure : undefined;
		const isRefused = failure !== undefined && isRateLimited(failure);
		turn.end(isRefused ? 'refused' : 'answered', rateLimit);
		if (isRefused) main.limited(failure, rateLimit, turns.pacer.refused(clock.ticks()));
		return { ...tried, rateLimit };
	}

	/** What the last try of a call says about the way to the API. A 429 says nothing about it. */
	function tell(breaker: CircuitBreaker, tried: Tried<unknown>): void {
		const { exchanged, startedAt } = tried;
		if ('data' in tried) return breaker.succeeded();
		if (isRateLimited(tried.failure)) return;
		if (isAnswer(exchanged) && isAboutTheMessage(exchanged)) return breaker.succeeded();
		// The remaining items were certainly not sent: as after a look-up, their remedy speaks of no doubt.
		const failure = { ...failureFrom(exchanged, 'status'), message: tried.failure.message };
		breaker.failed(failure, startedAt);
	}

	return {
		async call(call) {
			const { kind = 'main', requestsPerMinute, giveUpAt = Infinity } = call;
			const breaker = kind === 'main' ? main : lookUps;
			const afterTry = retries.of(call);
			/** An earlier try that may have gone through, whatever became of the later ones. */
			let doubt: Failure | undefined;
			let wasTried = false;
			let wasRefused = false;
			const end = (failed: Failed): Failed => (doubt ? { failure: doubt } : failed);
			for (;;) {
				const turn = await run.turn({ kind, limit: requestsPerMinute || Infinity, giveUpAt });
				if (turn === 'tooLate') return end({ failure: tooLate(call.purpose) });
				if (turn === 'closed') {
					const failure = (breaker.isOpen ? breaker : main).failureOf(call.purpose, wasTried);
					return end(failure ? { failure } : notStarted(call.purpose));
				}
				let delay = 0;
				try {
					if (signal?.aborted) return end(notStarted(call.purpose));
					const body = call.body?.();
					if (body && 'failure' in body) return end(body);
					wasTried = true;
					const tried = await tryOnce(call, body, turn);
					const next = 'data' in tried ? 'stop' : afterTry(tried.failure, tried.rateLimit);
					const isLast = next === 'stop' || clock.ticks() + next > giveUpAt;
					if (isLast) tell(breaker, tried);
					if ('data' in tried) {
						retries.accepted(tried.startedAt, wasRefused);
						return tried;
					}
					const { failure } = tried;
					if (failure.outcome === 'unknown') doubt = failure;
					if (isLast) return end({ failure });
					wasRefused ||= isRateLimited(failure);
					delay = next;
				} finally {
					// Only now, so that nothing more begins when the run has ended.
					turn.leave();
				}
				await pause(clock, delay, signal);
			}
		},
		owe: () => turns.pacer.owe(),
		hasEnded: () => main.isOpen || lookUps.isOpen,
		close() {
			signal?.removeEventListener('abort', close);
			close();
		},
		waitedMs: () => run.waitedMs(),
	};
}

function replyTo<Data>({ purpose, read }: Call<Data>, exchanged: Answer | Fault): Reply<Data> {
	if (isAnswer(exchanged) && isAccepted(exchanged)) {
		const data = read(exchanged);
		if (data !== undefined) return { data, answer: exchanged };
	}
	return { failure: failureFrom(exchanged, purpose) };
}

/** @param exchanged a fault, or an answer that is not what a request is for */
function failureFrom(exchanged: Answer | Fault, purpose: Purpose): Failure {
	if (!isAnswer(exchanged)) return failureFromFault(exchanged, purpose);
	return isAccepted(exchanged)
		? failureFromUnreadable(exchanged, purpose)
		: failureFromAnswer(exchanged, purpose);
}
