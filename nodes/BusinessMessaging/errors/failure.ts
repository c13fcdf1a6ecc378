import type { IDataObject } from 'n8n-workflow';
import { joinSentences, reasonOf } from '../inputError';
import { aboutOf, type Cause, causeNamed } from './catalogue';

/**
 * What happened to a message: `notSent`, the API certainly did not process it; `rejected`, the API refused it, or
 * accepted it and could not deliver it; `unknown`, it may have been sent.
 */
export type FailureOutcome = 'notSent' | 'rejected' | 'unknown';

/** The `error` of an error item. */
export interface Failure extends Cause {
	httpStatus: number | null;
	networkCode: string | null;
	/** null after a look-up: that it failed says nothing about the message. */
	outcome: FailureOutcome | null;
	/** Some messages have an ID although they failed. */
	messageId?: string;
	/** Whether the same request can succeed later. */
	retryable: boolean;
	/** From when on, if the network asks to wait. ISO 8601. */
	sendAfter?: string;
}

/** In place of what was asked for. */
export interface Failed {
	kind: 'failed';
	failure: Failure;
	/** As the API accepted it, before it could not be delivered. It has an ID and a cost. */
	message?: IDataObject;
	/** The item did not fail by itself: the run ended before its first request. */
	notStarted?: true;
}

export function failed(failure: Failure, message?: IDataObject): Failed {
	return { kind: 'failed', failure, ...(message ? { message } : {}) };
}

/** A failure of which no response tells. */
export function failureOf(
	{ code, message, remedy }: Cause,
	outcome: FailureOutcome | null = 'notSent',
	retryable = false,
): Failure {
	return { code, message, remedy, httpStatus: null, networkCode: null, outcome, retryable };
}

/** An exception that should not happen, as the failure of one item. */
export function failureFromException(error: unknown, outcome: FailureOutcome): Failure {
	const cause = causeNamed('unforeseen', { reason: reasonOf(error) });
	return failureOf(outcome === 'unknown' ? { ...cause, remedy: MAY_HAVE_GONE } : cause, outcome);
}

/** The message may have been sent, though not in this run. */
export function asUnknown({ failure }: Failed): Failed {
	const remedy = joinSentences('Before this Retry, it may have been sent.', failure.remedy);
	return failed({ ...failure, remedy, outcome: 'unknown' });
}

/** The execution was canceled, or stopped at another item, before this item's turn. */
export function notStarted(): Failed {
	return { ...failed(failureOf(causeNamed('canceled'))), notStarted: true };
}

/** There is no slot for a request before its deadline. */
export function tooLate(): Failure {
	return failureOf(causeNamed('noTimeLeft'), 'notSent', true);
}

export const MAY_HAVE_GONE =
	'The message may have been sent. Before you send it again, check in the dashboard or with the customer.';

/**
 * Whether others would fail for the same reason, so that a run had better stop. A message that the API has accepted,
 * and could not deliver, says nothing of what it accepts next.
 */
export function concernsOthers({ code, messageId }: Failure): boolean {
	const about = aboutOf(code);
	return messageId === undefined && (about === 'template' || about === 'all');
}

/**
 * The cause of a failure alone, without what it says about its message.
 * @param outcome null for a look-up: the API may have rejected the look-up, but not the message
 */
export function causeOf(
	{ code, message, remedy, httpStatus, networkCode, retryable }: Failure,
	outcome: 'notSent' | null,
): Failure {
	return { code, message, remedy, httpStatus, networkCode, outcome, retryable };
}
