import type { IDataObject } from 'n8n-workflow';

import { isRecord } from '../isRecord';
import { readCost } from '../template/price';
import type { Result } from './result';

/** The message (2.2) in what Send Template put out; with Raw Response it lies in the envelope. */
export function messageIn(json: IDataObject): Record<string, unknown> {
	return !('message_id' in json) && isRecord(json.data) ? json.data : json;
}

/** What the run's account and summary need to know of a message that was sent. */
export function sentOf(json: IDataObject): NonNullable<Result['sent']> {
	const { message_id: id, cost } = messageIn(json);
	return { messageId: String(id), ...readCost(cost) };
}
