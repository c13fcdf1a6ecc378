import { NodeApiError, NodeOperationError } from 'n8n-workflow';
import type { IDataObject, INode } from 'n8n-workflow';

import { isTool } from '../isTool';
import { MAY_HAVE_GONE, outcomeFor } from './failure';
import type { Failure, Outcome } from './failure';
import type { Purpose } from './httpErrors';
import type { InputError } from './inputError';
import { joinSentences, reasonOf } from './sentences';

/** The failure of an input check, in the form of the other failures. */
export function failureFromInput(error: InputError, purpose: Purpose): Failure {
	return {
		message: error.message,
		remedy: error.remedy,
		httpStatus: null,
		networkCode: null,
		outcome: outcomeFor(purpose, 'notSent'),
		retryable: false,
	};
}

/** What should not happen, as one item's failure. */
export function failureFromException(error: unknown, outcome: Outcome | null): Failure {
	return {
		message: `Something unforeseen went wrong: ${reasonOf(error)}`,
		remedy:
			outcome === 'unknown'
				? MAY_HAVE_GONE
				: 'Check the values of this item. Please report it if they are as they should be.',
		httpStatus: null,
		networkCode: null,
		outcome,
		retryable: false,
	};
}

/** Where a run stops. */
export interface Stop {
	/** None when the whole run could not start. */
	itemIndex?: number;
	/** Whether the message says by itself which item it is. */
	namesItem?: boolean;
	/** Is added to the remedy, for example what was sent before. */
	note?: string;
	/** Is shown by the editor under "Error details". */
	data?: IDataObject;
}

/**
 * The error that stops the execution. It is built from the failure alone: what the HTTP client
 * threw holds the key's header.
 */
export function toNodeError(
	node: INode,
	failure: Failure,
	{ itemIndex, namesItem, note, data = {} }: Stop = {},
): NodeApiError | NodeOperationError {
	const description = joinSentences(failure.remedy, note);
	// The message is all that reaches an agent's model; "may have been sent" has to be in it.
	const message = isTool(node)
		? `${failure.message}. ${description}`
		: withItem(failure.message, namesItem ? undefined : itemIndex);
	if (isBeforeRequests(failure)) {
		const error = new NodeOperationError(node, message, { description, itemIndex });
		if (Object.keys(data).length > 0) error.context.data = data;
		return error;
	}
	const httpCode = failure.httpStatus?.toString();
	const error = new NodeApiError(node, { message }, { message, description, itemIndex, httpCode });
	error.context.data = { ...failure, ...data } as IDataObject;
	return error;
}

/** In the way of n8n, whose own errors say it at their end. */
function withItem(message: string, itemIndex?: number): string {
	const item = ` [item ${itemIndex}]`;
	return itemIndex === undefined || message.endsWith(item) ? message : message + item;
}

/** Nothing came of it and nothing can change by itself: what the user entered is wrong. */
function isBeforeRequests({ outcome, httpStatus, retryable }: Failure): boolean {
	return !retryable && (outcome === 'notSent' || (outcome === null && httpStatus === null));
}
