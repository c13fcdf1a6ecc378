import type { IDataObject } from 'n8n-workflow';
import { SKIP_REASONS } from '../outcome';
import { readCost } from '../template/pricing';
import { isRecord } from '../values';

/** The message (2.2) in an output of Send Template. Raw Response has it in the envelope. */
export function messageIn(json: IDataObject): IDataObject {
	return !('message_id' in json) && isRecord(json.data) ? json.data : json;
}

/** Whether it is no message in the fallback category. The API may call that a service message too. */
export function isFirstAsService(message: IDataObject): boolean {
	return messageIn(message).category === 'service' && !message.fallbackUsed;
}

/** Whether an item is an output of a message without an ID. */
export function hasNoId(json: IDataObject): boolean {
	const { sentBefore, skipped } = json;
	const isSkipped = ['dryRun', ...Object.keys(SKIP_REASONS)].some((reason) => reason === skipped);
	return sentBefore === true || isSkipped;
}

/** What identifies a message, and what it has cost by the API's own words. @param json as the node outputs it */
export function receiptOf(json: IDataObject) {
	const { message_id: id, cost } = messageIn(json);
	return { messageId: String(id), ...readCost(cost) };
}
