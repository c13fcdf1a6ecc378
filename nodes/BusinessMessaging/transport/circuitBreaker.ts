import type { Clock } from '../clock';
import { aboutOf } from '../errors/catalogue';
import { causeOf, type Failure } from '../errors/failure';
import { PATIENCE_MS } from './rateLimitHeaders';

const MAX_FAILURES_IN_A_ROW = 5;
/** So many minutes in which all requests of the account got 429. */
const MAX_REFUSED_MINUTES = 10;

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

	/** The way to the API works. */
	succeeded(): void {
		this.failuresInARow = 0;
		this.lastSuccessAt = this.clock.ticks();
	}

	/**
	 * All attempts of a call failed.
	 * @param startedAt ticks at which its last request started
	 */
	failed(failure: Failure, startedAt: number): void {
		// The API has read the message. Other messages may have another template.
		const about = aboutOf(failure.code);
		if (about !== 'all' && about !== 'unclear') return this.succeeded();
		// Requests that hang and end together do not count when others, started later, have succeeded.
		if (startedAt < this.lastSuccessAt) return;
		if (++this.failuresInARow >= MAX_FAILURES_IN_A_ROW) this.open(failure);
	}

	/**
	 * A request got a 429.
	 * @param refusedSince ticks from which on all requests of this account got 429
	 */
	rateLimited(failure: Failure, retryAfterMs: number, refusedSince: number): void {
		const refusedMinutes = Math.round((this.clock.ticks() - refusedSince) / 60_000);
		if (retryAfterMs > PATIENCE_MS) {
			this.open({ ...failure, remedy: refusedUntil(this.clock.now() + retryAfterMs) });
		} else if (refusedMinutes >= MAX_REFUSED_MINUTES) {
			const remedy = `The API refused every request for ${refusedMinutes} minutes.`;
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

/** @param time epoch ms */
function refusedUntil(time: number): string {
	const [day, clock] = new Date(time).toISOString().split('T');
	return `The API takes no more requests until ${day} ${clock.slice(0, 5)} UTC.`;
}
