import { isGood, messageIdOf } from '../answer';
import type { Answer } from '../answer';
import { readErrorBody } from './errorBody';
import { FAULT_SENTENCES } from './faultSentences';
import type { Fault, FaultKind } from './faults';
import { sentenceForRefusal, WEB_PAGE } from './httpErrors';
import type { Purpose } from './httpErrors';
import { quote } from './inputError';
import { NETWORK_ERRORS } from './networkErrors';
import type { Sentence } from './networkErrors';
import { joinSentences, TRY_LATER } from './sentences';

/**
 * What became of a message: `notSent`, certainly not processed; `rejected`, the API refused it, or it
 * was accepted and could not be delivered; `unknown`, it may have gone.
 */
export type Outcome = 'notSent' | 'rejected' | 'unknown';

/** The `error` of an error item. */
export interface Failure extends Sentence {
	httpStatus: number | null;
	networkCode: string | null;
	/** null for a look-up that failed: it says nothing about the message. */
	outcome: Outcome | null;
	/** Of a message that has one although it failed. */
	messageId?: string;
	/** Whether the same request can succeed later. */
	retryable: boolean;
}

/** In place of what was asked for. */
export interface Failed {
	failure: Failure;
	/** It did not fail by itself: nothing was asked of the API for it. */
	notStarted?: true;
}

export const MAY_HAVE_GONE =
	'The message may have been sent. Before you send it again, check in the dashboard or with the customer.';

/** A message whose Send Once Key was used before, without a record of what became of it. */
export function keyInDoubt(): Failure {
	return {
		message: 'A message with this Send Once Key may already have been sent',
		remedy:
			'An execution is still sending it, was killed meanwhile, or got no clear answer. Check in the dashboard or with the customer. To send it anyway, turn on Retry When Outcome Is Unknown under Options.',
		httpStatus: null,
		networkCode: null,
		outcome: 'unknown',
		retryable: false,
	};
}

/** The outcome of a request that did not do what it was for. */
export function outcomeFor(purpose: Purpose, outcome: Outcome): Outcome | null {
	return purpose === 'send' ? outcome : null;
}

/** What the same request would meet again. */
const STAYS = new Set<FaultKind>(['certificate', 'notEncrypted', 'credential', 'canceled']);

/** A request that got no answer. */
export function failureFromFault(fault: Fault, purpose: Purpose): Failure {
	const { message, remedy } = FAULT_SENTENCES[fault.kind];
	const unknown = purpose === 'send' && !fault.beforeSending;
	return {
		message,
		remedy: unknown ? MAY_HAVE_GONE : remedy,
		httpStatus: null,
		networkCode: null,
		outcome: outcomeFor(purpose, unknown ? 'unknown' : 'notSent'),
		retryable: !unknown && !STAYS.has(fault.kind),
	};
}

/** An answer outside 200-299, or with `success: false`. */
export function failureFromAnswer(answer: Answer, purpose: Purpose): Failure {
	const { networkCode, text } = readErrorBody(answer.body);
	const known = networkCode ? NETWORK_ERRORS[networkCode] : undefined;
	const messageId = purpose === 'send' ? messageIdOf(answer) : undefined;
	const unknown = purpose === 'send' && !isRefusal(answer.status, messageId !== undefined);
	const sentence =
		known ??
		(unknown && answer.status < 500
			? undecided(answer.status)
			: sentenceForRefusal(answer, purpose));
	return {
		message: sentence.message,
		remedy: withQuote(unknown ? MAY_HAVE_GONE : sentence.remedy, text),
		httpStatus: answer.status,
		networkCode: networkCode ?? null,
		outcome: outcomeFor(purpose, unknown ? 'unknown' : 'rejected'),
		...(messageId === undefined ? {} : { messageId }),
		retryable: !unknown && (answer.status === 429 || isTemporary(answer.status)),
	};
}

/** A 2xx answer that does not say what it must, such as the ID of the message. */
export function failureFromUnreadable(answer: Answer, purpose: Purpose): Failure {
	const page = readErrorBody(answer.body).isWebPage;
	return {
		message: page
			? WEB_PAGE.message
			: purpose === 'send'
				? 'The API accepted the request, but its answer has no message ID'
				: 'The answer of the API has no message status',
		remedy:
			`${purpose === 'send' ? MAY_HAVE_GONE : ''}${page ? ` ${WEB_PAGE.remedy}` : ''}`.trim() ||
			TRY_LATER,
		httpStatus: answer.status,
		networkCode: null,
		outcome: outcomeFor(purpose, 'unknown'),
		retryable: purpose === 'status' && !page,
	};
}

function withQuote(remedy: string, text: string | undefined): string {
	return joinSentences(remedy, text && `The API says: "${text}"`);
}

/**
 * The statuses whose definition says that the request was not processed. 7.1 has 400 to 404 and 429;
 * the others are answers of what stands before an API (RFC 9110, 6585, 7725, 8470). 301, 302, 307 and
 * 308 send the request elsewhere. Not 303, "done, look there"; not 408, 409, 499 and 5xx, which come
 * also after the message was passed on; not what no RFC gives a meaning.
 */
const REFUSALS = new Set([
	...[301, 302, 307, 308],
	...[400, 401, 402, 403, 404, 405, 406, 407, 410, 411, 412, 413, 414, 415, 416, 417],
	...[421, 422, 425, 426, 428, 429, 431, 451],
]);

/** With a good status the API refuses by `success: false` (2.1), unless it gives the message an ID. */
function isRefusal(status: number, hasMessageId: boolean): boolean {
	return REFUSALS.has(status) || (isGood(status) && !hasMessageId);
}

/** The API gave up; the same request can succeed later. */
function isTemporary(status: number): boolean {
	return status === 408 || status >= 500;
}

function undecided(status: number): Sentence {
	return {
		message: `The API's answer does not say whether it sent the message (HTTP ${status})`,
		remedy: MAY_HAVE_GONE,
	};
}

/** A canceled execution, or one that stopped at another item: the turn of this one had not come. */
export function notStarted(purpose: Purpose): Failed {
	const failure = failureFromFault({ kind: 'canceled', beforeSending: true }, purpose);
	return { failure, notStarted: true };
}

/** A message whose price the budget of the run does not have. @param limit as it is shown */
export function overLimit(limit: string): Failure {
	return {
		message: `The run would cost more than the spending limit of ${limit} with this message`,
		remedy:
			'It was not sent. Raise Spending Limit under Options, or send the remaining items in another run.',
		httpStatus: null,
		networkCode: null,
		outcome: 'notSent',
		retryable: false,
	};
}

/** A request whose turn within the rate limit would come after its time is over. */
export function tooLate(purpose: Purpose): Failure {
	return {
		message: 'The rate limit left no time to ask the API',
		remedy: 'Raise Wait Timeout under Options, or send fewer items at once.',
		httpStatus: null,
		networkCode: null,
		outcome: outcomeFor(purpose, 'notSent'),
		retryable: true,
	};
}

/** An ID that the API gave to a message, and under which it can't be asked for. */
export function notAnId(messageId: string): Failure {
	return {
		message: `The message ID ${quote(messageId)} can't be looked up`,
		remedy: 'Look for the message in the dashboard, and tell the support of the API.',
		httpStatus: null,
		networkCode: null,
		outcome: null,
		retryable: false,
	};
}

/**
 * A message that was accepted, and that the network then could not deliver (2.5: failed).
 * @param messageId the ID under which the record was asked for
 */
export function failureFromDelivery(record: Record<string, unknown>, messageId: string): Failure {
	const { networkCode, text } = readErrorBody(record);
	const known = networkCode ? NETWORK_ERRORS[networkCode] : undefined;
	const remedy = known?.remedy ?? 'Check the number, or reach the customer in another way.';
	return {
		message: `The message could not be delivered${known ? `: ${known.message}` : ''}`,
		remedy: withQuote(remedy, text),
		httpStatus: null,
		networkCode: networkCode ?? null,
		outcome: 'rejected',
		messageId,
		retryable: false,
	};
}
