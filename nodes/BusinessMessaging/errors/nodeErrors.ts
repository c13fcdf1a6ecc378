import { type IDataObject, type INode, NodeApiError, NodeOperationError } from 'n8n-workflow';
import { joinSentences } from '../inputError';
import { isTool } from '../n8n';
import type { Failure } from './failure';
import { wordsForModel } from './modelWords';

/** Where a run stops, and what else the user should know. */
export interface Stop {
	/** Undefined when the whole run could not start. */
	itemIndex?: number;
	/** How the message names the item; undefined if it does already. */
	place?: string;
	/** Follows the remedy, for example what was sent before. */
	note?: string;
	/** The editor shows it under "Error details". */
	data?: IDataObject;
}

/**
 * The error that stops the execution. It is built from the failure alone, because errors of the HTTP client hold the
 * header with the API key.
 */
export function toNodeError(
	node: INode,
	failure: Failure,
	{ itemIndex, place, note, data }: Stop = {},
): NodeApiError | NodeOperationError {
	const { outcome, httpStatus, retryable } = failure;
	const description = joinSentences(failure.remedy, note);
	// A Human review can't go on. An agent's model gets only the message.
	const message = isTool(node)
		? wordsForModel(failure, node)
		: atPlace(failure.message, itemIndex, place);
	// No request was made, and trying again would not help: the user's input is wrong.
	if (!retryable && (outcome === 'notSent' || (outcome === null && httpStatus === null))) {
		const error = new NodeOperationError(node, message, { description, itemIndex });
		if (data) error.context.data = data;
		return error;
	}
	const httpCode = httpStatus?.toString();
	const error = new NodeApiError(node, { message }, { message, description, itemIndex, httpCode });
	error.context.data = { ...failure, ...data };
	return error;
}

/** n8n's own errors name the item at their end, too. */
function atPlace(message: string, itemIndex?: number, place?: string): string {
	return place === undefined || message.endsWith(` [item ${itemIndex}]`)
		? message
		: `${message} [${place}]`;
}
