import { type InputError, reasonOf } from '../inputError';

/** What went wrong, and what the user can do about it. */
export interface Sentence {
	message: string;
	remedy: string;
}

/**
 * What happened to a message: `notSent`, the API certainly did not process it; `rejected`, the API refused it, or
 * accepted it and could not deliver it; `unknown`, it may have been sent.
 */
export type Outcome = 'notSent' | 'rejected' | 'unknown';

/** The `error` of an error item. */
export interface Failure extends Sentence {
	httpStatus: number | null;
	networkCode: string | null;
	/** null after a look-up: that it failed says nothing about the message. */
	outcome: Outcome | null;
	/** Some messages have an ID although they failed. */
	messageId?: string;
	/** Whether the same request can succeed later. */
	retryable: boolean;
}

/** In place of what was asked for. */
export interface Failed {
	failure: Failure;
	/** The item did not fail by itself: the run ended before its first request. */
	notStarted?: true;
}

/** A failure of which no response tells. */
export function failureOf(
	{ message, remedy }: Sentence,
	outcome: Outcome | null = 'notSent',
	retryable = false,
): Failure {
	return { message, remedy, httpStatus: null, networkCode: null, outcome, retryable };
}

/** An input check found a mistake. */
export function failureFromInput(error: InputError): Failure {
	return failureOf(error);
}

/** An exception that should not happen, as the failure of one item. */
export function failureFromException(error: unknown, outcome: Outcome): Failure {
	const message = `Something unforeseen went wrong: ${reasonOf(error)}`;
	const remedy =
		outcome === 'unknown'
			? MAY_HAVE_GONE
			: 'Check the values of this item. Please report it if they are as they should be.';
	return failureOf({ message, remedy }, outcome);
}

export const CANCELED: Sentence = {
	message: 'The execution was canceled',
	remedy: 'Run the workflow again when you are ready.',
};

/** The execution was canceled, or stopped at another item, before this item's turn. */
export function notStarted(): Failed {
	return { failure: failureOf(CANCELED), notStarted: true };
}

/** There is no slot for a request before its deadline. @param isPaced whether the rate limit is why */
export function tooLate(isLookUp: boolean, isPaced = true): Failure {
	const what = isPaced ? 'The rate limit' : 'The requests before it';
	const raise = [isLookUp && 'Wait Timeout', !isPaced && 'Requests in Parallel'].filter(Boolean);
	return failureOf(
		{
			message: `${what} left no time for this request`,
			remedy:
				raise.length > 0
					? `Raise ${raise.join(' or ')} under Options, or send fewer items at once.`
					: 'Send fewer items at once.',
		},
		'notSent',
		true,
	);
}

/** The rest of the run's budget is less than the price of this message. @param limit as it is shown */
export function overLimit(limit: string): Failure {
	return failureOf({
		message: `This message would exceed the spending limit of ${limit} for the run`,
		remedy:
			'It was not sent. Raise Spending Limit under Options, or send the remaining items in another run.',
	});
}

/** The Send Once Key of a message was used before, and no record says what happened to that message. */
export function unknownKeyOutcome(): Failure {
	return failureOf(
		{
			message: 'A message with this Send Once Key may already have been sent',
			remedy:
				'Another execution is still sending it, was killed while sending, or got no clear response. Check in the dashboard or with the customer. To send it again, run its item with another key.',
		},
		'unknown',
	);
}

export const MAY_HAVE_GONE =
	'The message may have been sent. Before you send it again, check in the dashboard or with the customer.';

/** The failure of a look-up. The API may have rejected the look-up, but not the message. */
export function asLookUpFailure(failure: Failure): Failure {
	return causeOf(failure, null);
}

/** The cause of a failure alone, without what it says about its message. */
export function causeOf(
	{ message, remedy, httpStatus, networkCode, retryable }: Failure,
	outcome: 'notSent' | null,
): Failure {
	return { message, remedy, httpStatus, networkCode, outcome, retryable };
}
