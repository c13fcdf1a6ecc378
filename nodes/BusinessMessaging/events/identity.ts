import { createHash } from 'crypto';

import { isRecord } from '../isRecord';
import { idOf } from '../textOf';
import { kindOf } from './catalogue';

const MAX_KEY_PART_LENGTH = 128;

/** Not documented, but what messaging APIs call the ID of a message. */
const MESSAGE_IDS = ['message_id', 'wamid', 'id'];

/**
 * A text that all deliveries of one event share, and no other event has. Where both cannot be had,
 * two deliveries count as two events: rather twice than never.
 *
 * Fields beside those of the envelope, such as a counter of tries, and the order of keys never count.
 */
export function identityOf(
	event: string,
	timestamp: string,
	data: Record<string, unknown>,
): string {
	return [event, ...partsOf(event, timestamp, data)].map(short).join(':');
}

function partsOf(event: string, timestamp: string, data: Record<string, unknown>): string[] {
	const kind = kindOf(event);
	const identity = kind?.identity;
	const messageId = idOf(data.message_id);
	if (kind && identity === 'message' && messageId !== undefined) {
		return [messageId, ...recipientOf(data, kind.customerIn)];
	}
	const submissionId = idOf(data.submission_id);
	if (identity === 'submission' && submissionId !== undefined) return [submissionId];
	const hasId = MESSAGE_IDS.some((name) => idOf(data[name]) !== undefined);
	return [digest(identity === 'dataWithId' && hasId ? data : [timestamp, data])];
}

function recipientOf(data: Record<string, unknown>, fields: string[]): string[] {
	const recipient = fields.map((name) => data[name]).find((value) => value !== undefined);
	if (recipient === undefined) return [];
	return [idOf(recipient) ?? canonical(recipient)];
}

/** Bounded, and without the colon that separates the parts. */
function short(part: string): string {
	return part.length > MAX_KEY_PART_LENGTH
		? sha256(part)
		: part.replace(/[%:]/g, encodeURIComponent);
}

function digest(value: unknown): string {
	return sha256(canonical(value));
}

/** JSON with its keys in order. */
function canonical(value: unknown): string {
	return JSON.stringify(value, (_, inner: unknown) =>
		isRecord(inner) ? Object.fromEntries(inOrder(inner)) : inner,
	);
}

function inOrder(record: Record<string, unknown>): Array<[string, unknown]> {
	return Object.keys(record)
		.sort()
		.map((key) => [key, record[key]]);
}

function sha256(text: string): string {
	return createHash('sha256').update(text).digest('hex');
}
