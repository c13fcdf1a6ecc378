import { type ApiResponse, isAccepted, isGood } from '../api';
import type { Clock } from '../clock';
import { helpFor, NETWORK_CODES } from '../errors/catalogue';
import { causeOf, type Failure } from '../errors/failure';
import { hasRateLimitHeaders, readErrorBody } from '../errors/responseErrors';
import { PATIENCE_MS, type RateLimit } from './rateLimitHeaders';

const MAX_FAILURES_IN_A_ROW = 5;

/** With headers, others are known to use up the limit. */
const PATIENCE_WITH_HEADERS_MS = 10 * 60_000;
const MIN_429S = 3;

/**
 * Opens when calls fail because of the account or the way to the API. The next calls would fail as well, and each send
 * without a clear response may have sent its message: better five of these than 5,000.
 */
export class CircuitBreaker {
	private failuresInARow = 0;
	private lastSuccessAt = -Infinity;
	private reason?: Failure;

	/** @param onOpen is called once */
	constructor(
		private readonly clock: Pick<Clock, 'now' | 'ticks'>,
		private readonly onOpen: () => void,
	) {}

	get isOpen(): boolean {
		return this.reason !== undefined;
	}

	/** A call succeeded, or failed because of its own message: the way to the API works. */
	succeeded(): void {
		this.failuresInARow = 0;
		this.lastSuccessAt = this.clock.ticks();
	}

	/**
	 * All attempts of a call failed, and not because of its own message.
	 * @param startedAt ticks at which its last request started
	 */
	failed(failure: Failure, startedAt: number): void {
		// Requests that hang and end together do not count when others, started later, have succeeded.
		if (startedAt < this.lastSuccessAt) return;
		if (++this.failuresInARow >= MAX_FAILURES_IN_A_ROW) this.open(failure);
	}

	/**
	 * A request got a 429.
	 * @param refused how long all requests of this account got 429
	 */
	rateLimited(
		failure: Failure,
		{ retryAfterMs = 0, remaining }: RateLimit,
		{ times, forMs }: { times: number; forMs: number },
	): void {
		const patience = remaining === undefined ? PATIENCE_MS : PATIENCE_WITH_HEADERS_MS;
		if (retryAfterMs > PATIENCE_MS) {
			this.open({ ...failure, remedy: refusedUntil(this.clock.now() + retryAfterMs) });
		} else if (times >= MIN_429S && forMs >= patience) {
			const minutes = Math.round(forMs / 60_000);
			const remedy = `The API refused every request for ${minutes} minutes.`;
			this.open({ ...failure, remedy });
		}
	}

	/** The failure of a call that ends because the breaker is open. @param wasTried whether it made a request */
	failureOf(wasTried: boolean): Failure | undefined {
		if (!this.reason || wasTried) return this.reason;
		return { ...this.reason, remedy: `${this.reason.remedy} ${NOT_TRIED}` };
	}

	private open(failure: Failure): void {
		if (this.reason) return;
		this.reason = causeOf(failure, 'notSent');
		this.onOpen();
	}
}

const NOT_TRIED = 'This item was not tried, because those before it failed for this reason.';

/** The latest moment that a date can have. */
const MAX_DATE_MS = 8.64e15;

/** @param time epoch ms */
function refusedUntil(time: number): string {
	const [day, clock] = new Date(Math.min(time, MAX_DATE_MS)).toISOString().split('T');
	return `The API takes no more requests until ${day} ${clock.slice(0, 5)} UTC.`;
}

/** With these statuses the API rejects a message, not its sender. */
const ABOUT_THE_MESSAGE = [400, 404, 422];

/** How web frameworks put it in JSON that there is no such address. */
const ADDRESS_WORDS =
	/\b(?:route|endpoint|path|webhook|requested url|static resource)\b|\b(?:get|post):? ?\/|no message available/i;

/** Of a 404. "Endpoint or resource not found" is how 7.1 itself puts it. */
function namesAddress(text = ''): boolean {
	return ADDRESS_WORDS.test(text) && !/\bor resource\b/i.test(text);
}

/**
 * Whether the API rejected a request because of its message, so that the next request may succeed. Proxies and web
 * servers use the same statuses, but without a code of the network, JSON or rate-limit headers (8.1), or their 404
 * speaks of the address.
 */
export function isAboutTheMessage(response: ApiResponse): boolean {
	const { status, headers, body } = response;
	const { networkCode, text, isWebPage } = readErrorBody(body);
	if (isWebPage) return false;
	if (networkCode !== undefined && networkCode in NETWORK_CODES) {
		return helpFor(NETWORK_CODES[networkCode]) !== 'account';
	}
	if (isGood(status)) return !isAccepted(response);
	if (status === 404 && namesAddress(text)) return false;
	const isOfTheApi = (typeof body === 'object' && body !== null) || hasRateLimitHeaders(headers);
	return isOfTheApi && ABOUT_THE_MESSAGE.includes(status);
}
