import type { IDataObject } from 'n8n-workflow';
import { type ApiResponse, REMAINING_HEADER, RESET_HEADER } from '../api';
import { SKIP_REASONS } from '../outcome';
import { readCost } from '../template/pricing';
import { isRecord } from '../values';

/** `options.rawResponse`: the envelope (2.1) with the HTTP status and the rate-limit headers (8.1). */
export function rawOutput({ body, status, headers }: ApiResponse): IDataObject {
	return withoutErrorKey({
		...(body as IDataObject),
		httpStatus: status,
		rateLimitRemaining: headers[REMAINING_HEADER] as string | undefined,
		rateLimitReset: headers[RESET_HEADER] as string | undefined,
	});
}

/** Renames a top-level `error`, because n8n takes an item that has one for a failed item. */
export function withoutErrorKey(json: IDataObject): IDataObject {
	if (!('error' in json)) return json;
	const { error, ...rest } = json;
	return { ...rest, errorDetails: error };
}

/** The message (2.2) in an output of Send Template. Raw Response has it in the envelope. */
export function messageIn(json: IDataObject): Record<string, unknown> {
	return !('message_id' in json) && isRecord(json.data) ? json.data : json;
}

/** Whether an item is an output of a message without an ID. */
export function hasNoId(json: IDataObject): boolean {
	const { sentBefore, dryRun, skipped } = json;
	const isSkipped = Object.keys(SKIP_REASONS).some((reason) => reason === skipped);
	return sentBefore === true || dryRun === true || isSkipped;
}

/** What identifies a message, and what it has cost by the API's own words. */
export interface Receipt {
	messageId: string;
	cost?: number;
	currency?: string;
}

/** @param json a message, as the node outputs it */
export function receiptOf(json: IDataObject): Receipt {
	const { message_id: id, cost } = messageIn(json);
	return { messageId: String(id), ...readCost(cost) };
}
