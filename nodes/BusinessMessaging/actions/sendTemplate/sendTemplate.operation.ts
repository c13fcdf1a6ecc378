import type { IDataObject } from 'n8n-workflow';
import {
	type ApiResponse,
	type Category,
	dataOf,
	messageIdOf,
	SEND_PATH,
	type SendRequest,
	type SentMessage,
} from '../../api';
import { HOUR_MS } from '../../clock';
import {
	type Failure,
	failureFromException,
	notStarted,
	overLimit as failureOverLimit,
} from '../../errors/failure';
import { failureFromDelivery, NETWORK_CODES, SEND_SENTENCES } from '../../errors/responseErrors';
import type { SendOnceOutcome } from '../../memory/sendOnce';
import { phoneOf } from '../../template/phoneNumber';
import { categoryAt, CURRENCY, PRICES } from '../../template/pricing';
import type { WaitOptions } from '../fields';
import { watchMessage } from '../messageStatus';
import {
	type Beginning,
	isUnknown,
	type Operation,
	type Result,
	type RunContext,
	type Skipped,
} from '../operation';
import { messageIn, rawOutput, sentOf, withoutErrorKey } from '../output';
import type { RetryMemory } from '../retryMemory';
import { sendTemplateFields } from './fields';
import { readSendJob, type SendJob } from './readParameters';
import { checkTemplateText } from './readVariables';
import { sendAfter } from './sendBetween';

export const sendTemplate: Operation<SendJob> = {
	fields: sendTemplateFields,
	sends: true,
	checkRun: checkTemplateText,
	read: readSendJob,
	estimatedPrice,
	isCapped: ({ cap }) => cap !== undefined,
	onceKey: ({ sendOnceKey: key, message: { to } }) =>
		key === undefined ? undefined : { key, recipient: phoneOf(to) },
	recipient: ({ message: { to }, intendedTo = to }) => ({
		to: phoneOf(to),
		customer: phoneOf(intendedTo),
	}),
	remarks: (job) => job,
	perform: async (job, itemIndex, run) => {
		if (job.dryRun) return await dryRun(job, run);
		return await new Send(job, itemIndex, run).perform();
	},
};

function estimatedPrice(
	job: SendJob,
	itemIndex: number,
	{ now, retryMemory }: Beginning,
): number | undefined {
	if (job.dryRun || recall(job, itemIndex, retryMemory)) return undefined;
	const { requestsPerMinute } = job.limits;
	// The rate limit alone may delay the item until the service window has closed.
	const delayMs = requestsPerMinute > 0 ? (itemIndex / requestsPerMinute) * 60_000 : 0;
	return PRICES[categoryAt(job.categoryChoice, now + delayMs)];
}

/** What an earlier attempt of the run did with the message, unless it may be sent again. */
function recall(job: SendJob, itemIndex: number, retryMemory: RetryMemory): Result | undefined {
	const before = retryMemory.find(itemIndex, contentOf(job));
	if (!before || !isUnknown(before) || before.earlierUnknown) return before;
	return job.limits.retryUnknownOutcome ? undefined : before;
}

/** Not the category: a model might try it again with another one. */
function contentOf({ message, knownBy = message, intendedTo }: SendJob): unknown {
	return intendedTo ? [knownBy, intendedTo] : [knownBy];
}

async function dryRun(job: SendJob, run: RunContext): Promise<Result> {
	const { sendOnceKey: key, limits } = job;
	const show = async () => await showNow(job, run);
	if (key === undefined) return await show();
	return (await run.sendOnce.show(key, limits.retryUnknownOutcome, show)) ?? skippedBy(key);
}

async function showNow(job: SendJob, { clock, frequencyCap }: RunContext): Promise<Result> {
	const now = clock.now();
	const quiet = quietAt(now, job, categoryAt(job.categoryChoice, now));
	if (quiet) return quiet;
	const show = () => shownOf(job, now);
	const shown = job.cap ? await frequencyCap.show(job.cap, show) : show();
	return typeof shown === 'number' ? heldBack(job, 'sentRecently', shown) : shown;
}

/** The output in place of sending. */
function shownOf(job: SendJob, now: number): Result {
	const { message } = job;
	const category = categoryAt(job.categoryChoice, now);
	const request: SendRequest = { ...message, category };
	return {
		json: {
			dryRun: true,
			to: message.to,
			...addedFields(job),
			template_name: message.templateName,
			category,
			estimatedCost: { amount: PRICES[category], currency: CURRENCY },
			request: request as unknown as IDataObject,
		},
		estimate: PRICES[category],
		pace: { limit: job.limits.requestsPerMinute || Infinity, waitMs: job.wait?.timeoutMs },
		...remarksOn(job),
	};
}

type Sent = Result & { json: IDataObject };

/**
 * One message, in steps of which each calls the next: sent by an earlier attempt? → sent with its Send Once Key? →
 * remember what becomes of it → within the hours? → at most once per number? → send → send in the fallback category.
 * Then the delivery is waited for.
 */
class Send {
	/** In which the last request was made. */
	private category?: Category;
	/** Why an earlier request may have sent the message, whatever becomes of the last one. */
	private earlierUnknown?: Failure;

	constructor(
		private readonly job: SendJob,
		private readonly itemIndex: number,
		private readonly run: RunContext,
	) {}

	async perform(): Promise<Result> {
		const { wait } = this.job;
		const { client, clock } = this.run;
		let endReservation: (() => void) | undefined;
		const send = async () => {
			if (wait) endReservation = client.reserve(clock.ticks() + wait.timeoutMs);
			return await this.send();
		};
		try {
			const result = await this.unlessSentBefore(send);
			if ('failure' in result || result.skipped || !wait) return result;
			return { ...result, later: this.awaitDelivery(result, wait) };
		} finally {
			// The wait has its own reservation.
			endReservation?.();
		}
	}

	private async unlessSentBefore(send: () => Promise<Result>): Promise<Result> {
		const { retryMemory } = this.run;
		const before = recall(this.job, this.itemIndex, retryMemory);
		this.earlierUnknown = before?.earlierUnknown;
		if (before) return before;
		const unknown = retryMemory.find(this.itemIndex, contentOf(this.job));
		if (unknown && 'failure' in unknown) this.earlierUnknown = unknown.failure;
		const result = await this.once(send, unknown !== undefined);
		// That the message was not sent now leaves the outcome of the first attempt unknown.
		return unknown && outcomeOf(result) === 'notSent' ? unknown : result;
	}

	/** @param mayHaveGone an earlier attempt of this run may have sent the message */
	private async once(send: () => Promise<Result>, mayHaveGone = false): Promise<Result> {
		const { sendOnceKey: key, limits } = this.job;
		const remembered = async () => await this.remembered(send);
		if (key === undefined) return await remembered();
		const result = await this.run.sendOnce.send({
			key,
			evenIfUnknown: limits.retryUnknownOutcome,
			mayHaveGone,
			send: remembered,
			outcomeOf,
			signal: this.run.signal,
		});
		return result ?? skippedBy(key);
	}

	/** A later attempt of the run must not send again what was sent, or may have been. */
	private async remembered(send: () => Promise<Result>): Promise<Result> {
		const result = await this.unlessHeldBack(send).catch((error: unknown): Result => ({
			failure: failureFromException(error, 'unknown'),
		}));
		if (outcomeOf(result) !== 'notSent') this.remember(this.withKeyClaim(result));
		return result;
	}

	private withKeyClaim(result: Result): Result {
		const { sendOnceKey: key, wait } = this.job;
		const keyClaim = key !== undefined && wait ? this.run.sendOnce.claimOf(key) : undefined;
		return keyClaim ? { ...result, keyClaim } : result;
	}

	private remember(result: Result): void {
		this.run.retryMemory.remember(this.itemIndex, contentOf(this.job), result);
	}

	private async unlessHeldBack(send: () => Promise<Result>): Promise<Result> {
		const { job, itemIndex, run } = this;
		const { cap, wait } = job;
		const now = run.clock.now();
		// The request asks again. Asked only there, the rest of a campaign would wait for the rate limit.
		const quiet = quietAt(now, job, categoryAt(job.categoryChoice, now));
		if (quiet) return quiet;
		if (!cap) return await send();
		const before = run.retryMemory.find(itemIndex, contentOf(job));
		const result = await run.frequencyCap.send({
			cap,
			// What was not delivered has given its claim back.
			earlier: before && isUnknown(before) ? before.claim : undefined,
			send,
			counts: (each) => outcomeOf(each) !== 'notSent',
		});
		if (typeof result === 'number') return heldBack(job, 'sentRecently', result);
		if (!isUnknown(result) && !wait) return result;
		return { ...result, claim: run.frequencyCap.claimOf(cap) };
	}

	private async send(): Promise<Result> {
		const result = await this.request(() =>
			categoryAt(this.job.categoryChoice, this.run.clock.now()),
		);
		if ('json' in result) return result;
		const fallback = this.fallbackAfter(result.failure, this.category);
		return fallback ? await this.sendInFallback(fallback, result.failure) : result;
	}

	/**
	 * The category in which the message is sent once more, because Auto took the service window for open and the
	 * network says that it is closed. Only if the message was rejected for certain: after an unclear response
	 * the first message may have gone, whatever code the response has, and whatever becomes of its repetition.
	 */
	private fallbackAfter(failure: Failure, sentAs: unknown): Category | undefined {
		const { categoryChoice: choice } = this.job;
		if (this.earlierUnknown || choice.category !== 'auto' || sentAs !== 'service') return undefined;
		if (!isWindowClosed(failure) || choice.fallbackCategory === 'service') return undefined;
		return choice.fallbackCategory;
	}

	private async sendInFallback(category: Category, rejection: Failure): Promise<Result> {
		const result = await this.request(() => category, {
			...rejection,
			remedy:
				'It was not sent with Fallback Category, because the run would then cost more than the spending limit. Raise Spending Limit under Options.',
		});
		if ('failure' in result || result.skipped) return result;
		return { ...result, json: withAddedFields(result.json, { fallbackUsed: true }) };
	}

	/**
	 * Sends the message if it is within the hours, and the budget has its price.
	 * @param categoryNow asked again before each request
	 * @param overLimit the failure if the budget does not have the price
	 */
	private async request(
		categoryNow: () => Category,
		overLimit: Failure = failureOverLimit(this.run.budget.limitText),
	): Promise<Result> {
		const { job } = this;
		const { client, budget, clock, inFlight } = this.run;
		const notNow = notStarted();
		let quiet: Result | undefined;
		let price = 0;
		const reply = await client.call({
			isIdempotent: false,
			method: 'POST',
			path: SEND_PATH,
			body: () => {
				const category = categoryNow();
				this.category = category;
				quiet = quietAt(clock.now(), job, category);
				if (quiet) return notNow;
				price = PRICES[category];
				if (!budget.reserve(price)) return { failure: overLimit };
				inFlight.add(this.itemIndex);
				return { ...job.message, category };
			},
			onNotProcessed: () => {
				budget.release(price);
				inFlight.delete(this.itemIndex);
			},
			read: readSentMessage,
			sentences: SEND_SENTENCES,
			// Until then other messages are kept from going to the number.
			...(job.cap ? { deadline: clock.ticks() + job.cap.hours * HOUR_MS } : {}),
			...job.limits,
			retryUnknownOutcome: job.limits.retryUnknownOutcome && !this.earlierUnknown,
		});
		this.earlierUnknown ??= reply.earlierUnknown;
		const earlier = this.earlierUnknown ? { earlierUnknown: this.earlierUnknown } : {};
		if ('failure' in reply) {
			if (reply === notNow && quiet) return quiet;
			if (reply.failure === overLimit) return reply;
			return { ...reply, ...this.rejected(reply.failure), ...earlier };
		}
		const { data } = reply;
		budget.settle(price, sentOf(data as IDataObject));
		if (data.status === 'failed') {
			const failure = failureFromDelivery(data, String(data.message_id));
			return { ...this.rejected(this.earlierUnknown ?? failure), ...earlier };
		}
		const json = withAddedFields(outputOf(job, reply), addedFields(job));
		return { json, sent: sentOf(json), ...earlier, ...remarksOn(job) };
	}

	/** With advice that does not name the category that is chosen already. What the API says, behind it, stays. */
	private rejected(failure: Failure): { failure: Failure } {
		const { category } = this.job.categoryChoice;
		if (category === 'service' || !isWindowClosed(failure)) return { failure };
		const said = failure.remedy.slice(NETWORK_CODES[WINDOW_CLOSED].remedy.length);
		const remedy = `Check in your dashboard which category the template is approved for, and choose it as ${category === 'auto' ? 'Fallback Category' : 'Category'}.${said}`;
		return { failure: { ...failure, remedy } };
	}

	/** A message that did not reach the customer can be sent again with its key. */
	private async giveBack({ claim, keyClaim }: Sent): Promise<void> {
		const { sendOnceKey: key, cap } = this.job;
		if (key !== undefined) await this.run.sendOnce.free(key, keyClaim);
		if (cap) await this.run.frequencyCap.free(cap, claim);
	}

	private async awaitDelivery(sent: Sent, wait: WaitOptions): Promise<Result> {
		const { message_id: id, status } = messageIn(sent.json);
		const watched = await watchMessage(
			{
				messageId: String(id),
				first: { status: typeof status === 'string' ? status : 'sent' },
				wait,
				limits: this.job.limits,
			},
			this.run,
		);
		if ('failure' in watched) return await this.undelivered(sent, watched.failure, wait);
		const { delivery, seen } = watched;
		return { ...sent, json: { ...sent.json, delivery }, seen };
	}

	private async undelivered(sent: Sent, failure: Failure, wait: WaitOptions): Promise<Result> {
		if (this.earlierUnknown) {
			const unknown: Result = {
				failure: this.earlierUnknown,
				sent: sent.sent,
				earlierUnknown: this.earlierUnknown,
			};
			this.remember(unknown);
			return unknown;
		}
		// The API may call the fallback a service message too.
		const fallback = sent.json.fallbackUsed
			? undefined
			: this.fallbackAfter(failure, messageIn(sent.json).category);
		const rejected: Result = { ...this.rejected(failure), sent: sent.sent };
		await this.giveBack(sent);
		if (!fallback) {
			// A later attempt must neither take the message for sent nor stop because of it.
			this.remember(rejected);
			return rejected;
		}
		const again = await this.once(async () => await this.sendInFallback(fallback, failure));
		if (again.skipped) return again.sendAfter === undefined ? rejected : again;
		return 'json' in again ? await this.awaitDelivery(again, wait) : again;
	}
}

/** 7.2: Re-engagement Required */
const WINDOW_CLOSED = '131047';

function isWindowClosed({ networkCode, outcome }: Failure): boolean {
	return outcome === 'rejected' && networkCode === WINDOW_CLOSED;
}

function outcomeOf(result: Result): SendOnceOutcome {
	if (result.sendAfter !== undefined) return 'notSent';
	if ('json' in result) return 'sent';
	return isUnknown(result) ? 'unknown' : 'notSent';
}

function skippedBy(key: string): Result {
	return { json: { skipped: 'sentBefore', key }, skipped: 'sentBefore' };
}

/** The result of a message that is outside of its hours. */
function quietAt(now: number, job: SendJob, category: Category): Result | undefined {
	const opens = sendAfter(job.sendBetween, category, now);
	return opens === undefined ? undefined : heldBack(job, 'quietHours', opens);
}

/** @param until epoch ms */
function heldBack({ message: { to } }: SendJob, skipped: Skipped, until: number): Result {
	const time = new Date(until).toISOString();
	return { json: { skipped, to, sendAfter: time }, skipped, sendAfter: time };
}

/** Section 2.2: without the ID it is not known which message it is, or whether there is one. */
function readSentMessage(response: ApiResponse): SentMessage | undefined {
	return messageIdOf(response) === undefined ? undefined : (dataOf(response) as SentMessage);
}

function outputOf(job: SendJob, { response, data }: { response: ApiResponse; data: SentMessage }) {
	return job.rawResponse ? rawOutput(response) : withoutErrorKey(data as unknown as IDataObject);
}

function addedFields({ preview, intendedTo }: SendJob): IDataObject {
	return {
		...(preview === undefined ? {} : { preview }),
		...(intendedTo === undefined ? {} : { intendedTo }),
	};
}

/** Our fields stand right after the status, or else at the end. */
function withAddedFields(json: IDataObject, added: IDataObject): IDataObject {
	const fields = Object.entries(json);
	const status = fields.findIndex(([name]) => name === 'status');
	const end = status < 0 ? fields.length : status + 1;
	return { ...Object.fromEntries(fields.slice(0, end)), ...added, ...json, ...added };
}

/** For the line above the output. */
function remarksOn({ whitespaceNormalized }: SendJob): Pick<Result, 'whitespaceNormalized'> {
	return whitespaceNormalized ? { whitespaceNormalized } : {};
}
