import { NETWORK_ERRORS } from '../networkErrors';
import type { Sentence } from '../networkErrors';
import type { Fault } from './faults';
import { FAULT_SENTENCES } from './faultSentences';
import { readErrorBody } from './errorBody';
import { sentenceForStatus, WEB_PAGE } from './remedies';
import type { Purpose } from './remedies';
import type { Answer } from './request';

/**
 * What became of the message: `notSent`, certainly not processed; `rejected`, the API said no;
 * `unknown`, it may have gone.
 */
export type Outcome = 'notSent' | 'rejected' | 'unknown';

/** The `error` of an error item. */
export interface Failure extends Sentence {
	httpStatus: number | null;
	networkCode: string | null;
	outcome: Outcome;
	/** Whether the same request can succeed later. */
	retryable: boolean;
}

export const MAY_HAVE_GONE =
	'The message may have been sent. Before you send it again, check in the dashboard or with the customer.';

/** A request that got no answer. For a status look-up nothing is ever in doubt. */
export function failureFromFault(fault: Fault, purpose: Purpose): Failure {
	const { message, remedy } = FAULT_SENTENCES[fault.kind];
	const unknown = purpose === 'send' && !fault.beforeSending;
	return {
		message,
		remedy: unknown ? MAY_HAVE_GONE : remedy,
		httpStatus: null,
		networkCode: null,
		outcome: unknown ? 'unknown' : 'notSent',
		retryable: !unknown && fault.kind !== 'certificate' && fault.kind !== 'canceled',
	};
}

/** An answer outside 200-299, or with `success: false`. */
export function failureFromAnswer(answer: Answer, purpose: Purpose): Failure {
	const { networkCode, text, isWebPage } = readErrorBody(answer.body);
	const known = networkCode ? NETWORK_ERRORS[networkCode] : undefined;
	const sentence = known ?? sentenceForAnswer(answer, purpose, isWebPage);
	const unknown = purpose === 'send' && isUndecided(answer.status);
	return {
		message: sentence.message,
		remedy: withQuote(unknown ? MAY_HAVE_GONE : sentence.remedy, text),
		httpStatus: answer.status,
		networkCode: networkCode ?? null,
		outcome: unknown ? 'unknown' : 'rejected',
		retryable: !unknown && (answer.status === 429 || isUndecided(answer.status)),
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
			'Try again later.',
		httpStatus: answer.status,
		networkCode: null,
		outcome: purpose === 'send' ? 'unknown' : 'rejected',
		retryable: purpose === 'status' && !page,
	};
}

function withQuote(remedy: string, text: string | undefined): string {
	return text ? `${remedy} The API says: "${text}"` : remedy;
}

/** 408 and 5xx: the API gave up, possibly after it had passed the message on. */
function isUndecided(status: number): boolean {
	return status === 408 || status >= 500;
}

function sentenceForAnswer(answer: Answer, purpose: Purpose, isWebPage: boolean): Sentence {
	if (answer.status >= 300 && answer.status < 400) {
		return {
			message: 'The API address redirects to another address, which was not followed',
			remedy: 'Enter the address that the redirect leads to as Base URL in the credential.',
		};
	}
	if (isWebPage && answer.status === 404) return WEB_PAGE;
	return sentenceForStatus(answer.status, purpose);
}

/** A canceled execution: this item's turn had not come. */
export function notStarted(): Failure {
	return failureFromFault({ kind: 'canceled', beforeSending: true }, 'send');
}

/** A request whose turn within the rate limit would come after its time is over. */
export function tooLate(): Failure {
	return {
		message: 'The rate limit left no time to ask the API',
		remedy: 'Raise Wait Timeout under Options, or send fewer items at once.',
		httpStatus: null,
		networkCode: null,
		outcome: 'notSent',
		retryable: true,
	};
}

/** A message that was accepted, and that the network then could not deliver (2.5: failed). */
export function failureFromDelivery(record: Record<string, unknown>): Failure {
	const { networkCode, text } = readErrorBody(record);
	const known = networkCode ? NETWORK_ERRORS[networkCode] : undefined;
	const remedy = known?.remedy ?? 'Check the number, or reach the customer in another way.';
	return {
		message: `The message could not be delivered${known ? `: ${known.message}` : ''}`,
		remedy: withQuote(remedy, text),
		httpStatus: null,
		networkCode: networkCode ?? null,
		outcome: 'rejected',
		retryable: false,
	};
}
