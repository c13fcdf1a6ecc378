import type { SendJob } from '../../../nodes/BusinessMessaging/actions/sendTemplate/sending';
import type { ApiResponse, Category, SendRequest } from '../../../nodes/BusinessMessaging/api';
import { connectionFailure } from '../../../nodes/BusinessMessaging/errors/connectionErrors';
import type { Failure } from '../../../nodes/BusinessMessaging/errors/failure';
import { CONNECTION_REFUSED, response, TIMED_OUT } from '../scriptedClient.mts';
import type { VirtualClock } from '../virtualClock.mts';
import { type Answer, ANSWERS, type Scenario } from './sendScenario.mts';

/** 8.2 */
export const PRICES = { service: 0, utility: 0.115, authentication: 0.115, marketing: 0.8631 };
/** For so much of the period of the cap a message counts, and at most two minutes longer. */
const COUNTING = 15 / 16;
const ROUNDED_MS = { down: 0, up: 120_000 };
/** It counts from the response on. */
const MAX_RESPONSE_MS = 5_000;

/** A message of an execution, through all its attempts. */
export interface Message {
	execution: string;
	job: SendJob;
	isActive: boolean;
	endedAt: number;
}

/** A request to send that the API has processed. */
export interface Entry {
	id: string;
	message: Message;
	sentIn: Attempt;
	category: Category;
	at: number;
	isAccepted: boolean;
	isFallback: boolean;
	/** When the API told that the network could not deliver it. */
	failedAt?: number;
	/** It told a later attempt than the one that sent it. */
	isToldLate?: boolean;
	/** Because the service window is closed. */
	isTooLate?: boolean;
}

export interface Attempt {
	message: Message;
	isDryRun: boolean;
	signal: AbortSignal;
	startedAt: number;
	requests: number;
	fallbacks: number;
	/** The API has refused a service message, because the window is closed. */
	isTooLate: boolean;
	/** After a 429 the rest of a run may be not sent. */
	run: { wasRateLimited: boolean };
}

/** The network could not deliver it, and the API has told so. */
export const isLost = ({ failedAt }: Entry) => failedAt !== undefined;
export const mayHaveArrived = (entry: Entry) => !isLost(entry);
/** Only the attempt that sent it gives back what it has taken for it. */
export const isHeld = (entry: Entry) => mayHaveArrived(entry) || entry.isToldLate === true;

/** The API of a scenario, and its ledger: each request to send that it has processed, in their order. */
export class LedgerApi {
	readonly ledger: Entry[] = [];
	private answered = 0;
	private looked = 0;

	constructor(
		public script: Scenario,
		private readonly clock: VirtualClock,
	) {}

	of(message: Message): Entry[] {
		return this.ledger.filter((entry) => entry.message === message);
	}

	withKey({ job: { sendOnceKey: key } }: Message): Entry[] {
		return this.ledger.filter(
			({ message }) => key !== undefined && message.job.sendOnceKey === key,
		);
	}

	/** To its number, within the period of the cap: those that count for certain, or all that may. */
	inCap({ job: { cap } }: Message, rounded: keyof typeof ROUNDED_MS = 'down'): Entry[] {
		return this.ledger.filter(({ message, at }) => {
			if (cap === undefined || message.job.cap?.number !== cap.number) return false;
			const ms = cap.periodMs * COUNTING + ROUNDED_MS[rounded];
			return this.clock.now() - at < (rounded === 'up' ? ms + MAX_RESPONSE_MS : ms);
		});
	}

	spentBy(execution: string): number {
		const entries = this.ledger.filter(({ message }) => message.execution === execution);
		return entries.reduce((sum, { category }) => sum + PRICES[category], 0);
	}

	/** Whether the next request for a message must be its fallback. */
	needsFallback({ message, isTooLate }: Attempt): boolean {
		if (message.job.categoryChoice.category !== 'auto') return false;
		return isTooLate || this.of(message).some((e) => e.category === 'service' && e.isTooLate);
	}

	/** POST (4.1) */
	async send(attempt: Attempt, { category, to }: SendRequest, timeoutMs: number) {
		const answer: Answer = inTurn(this.script.answers, this.answered++);
		const id = `m${this.answered}`;
		const isFallback = this.needsFallback(attempt);
		const isAccepted = isOneOf(ANSWERS.accepted, answer);
		const { message } = attempt;
		const at = this.clock.now();
		const entry: Entry = { id, message, sentIn: attempt, category, at, isAccepted, isFallback };
		attempt.requests++;
		if (isFallback) attempt.fallbacks++;
		if (!isOneOf(ANSWERS.certainlyNot, answer)) this.ledger.push(entry);
		await this.clock.sleep(answer === 'timeout' ? timeoutMs : this.script.latencyMs);
		if (isAccepted) {
			const cost = { amount: PRICES[category], currency: 'INR', pricing_category: category };
			const named = isFallback && this.script.callsFallbackService ? 'service' : category;
			const told = this.tell(entry, answer, attempt);
			return accepted({ message_id: id, to, category: named, cost, ...told });
		}
		if (answer === '131047' && category === 'service') attempt.isTooLate = true;
		if (answer === '429') attempt.run.wasRateLimited = true;
		return notAccepted(answer);
	}

	/** GET (4.2) */
	async lookUp(entry: Entry, attempt: Attempt, timeoutMs: number) {
		const { looks, fates, latencyMs } = this.script;
		const { status, afterMs } = fates[this.ledger.indexOf(entry) % fates.length];
		const look = inTurn(looks, this.looked++);
		await this.clock.sleep(look === 'timeout' ? timeoutMs : latencyMs);
		if (look !== 'status') return notAccepted(look);
		const fate = this.clock.now() - entry.at >= afterMs ? status : 'sent';
		return accepted({ message_id: entry.id, ...this.tell(entry, fate, attempt) });
	}

	private tell(entry: Entry, fate: string, attempt: Attempt): { status: string; error?: object } {
		const isTooLate = fate === 'failed131047';
		const status = isTooLate ? 'failed' : fate;
		if (status === 'failed') {
			entry.failedAt ??= this.clock.now();
			entry.isToldLate ??= entry.sentIn !== attempt;
			entry.isTooLate = isTooLate;
		}
		return { status, ...(isTooLate ? CLOSED : {}) };
	}
}

const CLOSED = { error: { code: 131047 } };

function accepted(data: object): ApiResponse {
	return { ...response(200), body: { success: true, data } };
}

function notAccepted(answer: string): ApiResponse | Failure {
	if (answer === 'refused') return CONNECTION_REFUSED;
	if (answer === 'timeout') return TIMED_OUT;
	if (answer === 'lost') return connectionFailure('connectionFailed', 'unknown');
	if (answer === 'unreadable') return { status: 200, headers: {}, body: 'OK' };
	if (answer === '131047') return { ...response(400), body: CLOSED };
	return response(Number(answer));
}

/** After the last one, the last one again. */
function inTurn<T>(list: readonly T[], index: number): T {
	return list[Math.min(index, list.length - 1)];
}

function isOneOf(list: readonly string[], answer: string): boolean {
	return list.includes(answer);
}
