import { createHash, randomUUID } from 'crypto';
import type { IDataObject } from 'n8n-workflow';
import { idOf, isRecord } from '../values';
import { kindOf, RECIPIENT } from './catalogue';
import type { ReceivedDelivery } from './event';

const MAX_KEY_PART_LENGTH = 128;

/** Not documented. Messaging APIs have these names for the ID of a message; a plain `id` may be the customer's. */
const MESSAGE_IDS = ['message_id', 'wamid'];

/** It may be beyond 2^53, and JSON.parse makes one of two such numbers. */
const LONG_NUMBER = /[[:,]\s*-?\d{16}/;
const STRINGS = /"(?:[^"\\]|\\.)*"/g;

/**
 * A text that all deliveries of one event share, and no other event has. If in doubt, two deliveries count as two
 * events: running twice is better than losing one. So without an ID and a timestamp each delivery has a key of
 * its own, and with a long number, which may be its ID, only the same body is the same event.
 *
 * The order of keys does not matter, nor do other fields of the envelope, such as a counter of attempts.
 * @param body of the request
 */
export function identityOf(delivery: Omit<ReceivedDelivery, 'key'>, body: string): string {
	return [delivery.event, ...partsOf(delivery, body)].map(short).join(':');
}

function partsOf(
	{ event, timestamp, data }: Omit<ReceivedDelivery, 'key'>,
	body: string,
): string[] {
	const kind = kindOf(event);
	const messageId = idOf(data.message_id);
	if (kind?.identity === 'message' && messageId !== undefined) {
		return [messageId, ...recipientIn(data)];
	}
	const submissionId = idOf(data.submission_id);
	if (kind?.identity === 'submission' && submissionId !== undefined) return [submissionId];
	const hasId = kind?.identity === 'dataWithId' && MESSAGE_IDS.some((name) => idOf(data[name]));
	if (!hasId && timestamp === undefined) return [randomUUID()];
	if (LONG_NUMBER.test(body.replace(STRINGS, '""'))) return [sha256(body)];
	return [sha256(canonical(hasId ? data : [timestamp, data]))];
}

function recipientIn(data: IDataObject): string[] {
	const recipient = RECIPIENT.map((name) => data[name]).find((value) => value !== undefined);
	if (recipient === undefined) return [];
	return [idOf(recipient) ?? canonical(recipient)];
}

/** Bounded, and without the colon that separates the parts. */
function short(part: string): string {
	return part.length > MAX_KEY_PART_LENGTH
		? sha256(part)
		: part.replace(/[%:]/g, encodeURIComponent);
}

/** JSON with its keys in order. */
function canonical(value: unknown): string {
	return JSON.stringify(value, (_, inner: unknown) => {
		if (!isRecord(inner)) return inner;
		const keys = Object.keys(inner).sort();
		return Object.fromEntries(keys.map((key) => [key, inner[key]]));
	});
}

function sha256(content: string): string {
	return createHash('sha256').update(content).digest('hex');
}
