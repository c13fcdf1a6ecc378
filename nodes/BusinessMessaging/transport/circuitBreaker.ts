import { isAccepted, isGood } from '../answer';
import type { Answer } from '../answer';
import type { Clock } from '../clock';
import { readErrorBody } from '../errors/errorBody';
import { outcomeFor } from '../errors/failure';
import type { Failure } from '../errors/failure';
import { hasRateLimitHeaders } from '../errors/httpErrors';
import type { Purpose } from '../errors/httpErrors';
import { NETWORK_ERRORS } from '../errors/networkErrors';
import { PATIENCE_MS } from './pacing/rateLimit';
import type { RateLimit } from './pacing/rateLimit';

const MAX_FAILURES_IN_A_ROW = 5;

/** With these statuses the API refuses a message, not its sender. */
const ABOUT_THE_MESSAGE = [400, 404, 422];

/** A limit per minute lets something through within two. Other processes may take it for longer. */
const NOTHING_FOR_MS = 3 * 60_000;
const NOTHING_WITH_HEADERS_MS = 10 * 60_000;
const MIN_REFUSALS = 3;

const NOT_TRIED = 'This item was not tried, because those before it failed for this reason.';

/** The latest moment that a date can tell. */
const MAX_DATE_MS = 8.64e15;

/**
 * Opens when calls fail because of the account or the way to the API. The next calls would fail too, and each send
 * without a clear answer may have gone out: better five of these than 5,000.
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

	/** A call got what it asked for, or failed because of its own message: the way to the API works. */
	succeeded(): void {
		this.failuresInARow = 0;
		this.lastSuccessAt = this.clock.ticks();
	}

	/**
	 * A call failed, after all its tries, for a reason that is not its own message.
	 * @param failure of the calls that are not made because of it
	 * @param startedAt ticks at which its last request began
	 */
	failed(failure: Failure, startedAt: number): void {
		// Others have succeeded since: requests that hang and end together are not the way to the API.
		if (startedAt < this.lastSuccessAt) return;
		if (++this.failuresInARow >= MAX_FAILURES_IN_A_ROW) this.open(failure);
	}

	/**
	 * A request was answered 429.
	 * @param refused how long the API has refused everything of this account because of the limit
	 */
	limited(
		failure: Failure,
		{ retryAfterMs = 0, remaining }: RateLimit,
		{ times, forMs }: { times: number; forMs: number },
	): void {
		const patience = remaining === undefined ? NOTHING_FOR_MS : NOTHING_WITH_HEADERS_MS;
		if (retryAfterMs > PATIENCE_MS) {
			this.open({ ...failure, remedy: refusedUntil(this.clock.now() + retryAfterMs) });
		} else if (times >= MIN_REFUSALS && forMs >= patience) {
			this.open({ ...failure, remedy: refusedFor(forMs) });
		}
	}

	/** The failure of a call that is not made, or not made again; undefined while calls are made. */
	failureOf(purpose: Purpose, wasTried: boolean): Failure | undefined {
		if (!this.reason) return undefined;
		const remedy = wasTried ? this.reason.remedy : `${this.reason.remedy} ${NOT_TRIED}`;
		return { ...this.reason, remedy, outcome: outcomeFor(purpose, 'notSent') };
	}

	private open(reason: Failure): void {
		if (this.reason) return;
		this.reason = reason;
		this.onOpen();
	}
}

/**
 * Whether the API refused a request because of its message, so that the next one may succeed. Proxies and web servers
 * answer with the same statuses, but not with a network code (7.2), JSON or rate-limit headers (8.1).
 */
export function isAboutTheMessage(answer: Answer): boolean {
	const { status, headers, body } = answer;
	const { networkCode, isWebPage } = readErrorBody(body);
	if (isWebPage) return false;
	if (networkCode !== undefined && networkCode in NETWORK_ERRORS) return true;
	if (isGood(status)) return !isAccepted(answer);
	const isOfTheApi = (typeof body === 'object' && body !== null) || hasRateLimitHeaders(headers);
	return isOfTheApi && ABOUT_THE_MESSAGE.includes(status);
}

/** @param time epoch ms */
function refusedUntil(time: number): string {
	const [day, clock] = new Date(Math.min(time, MAX_DATE_MS)).toISOString().split('T');
	return `The API takes no more requests until ${day} ${clock.slice(0, 5)} UTC.`;
}

function refusedFor(ms: number): string {
	return `The API refused every request for ${Math.round(ms / 60_000)} minutes.`;
}
