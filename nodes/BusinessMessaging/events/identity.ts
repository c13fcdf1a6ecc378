import { createHash } from 'crypto';

import { isRecord } from '../isRecord';

const MAX_KEY_PART_LENGTH = 128;

/** 6.2: what a message reaches once per recipient. */
export const REACHED_ONCE = ['message.sent', 'message.delivered', 'message.read', 'message.failed'];
/** Not documented, but what messaging APIs call the ID of a message. */
const INCOMING_IDS = ['message_id', 'wamid', 'id'];
/** 6.3, and what the same API calls it elsewhere (2.2). */
export const RECIPIENTS = ['recipient', 'to'];

/**
 * A text that all deliveries of one event share, and no other event has. Where both cannot be had,
 * two deliveries count as two events: rather twice than never.
 *
 * | Event | Known by | Why |
 * |---|---|---|
 * | sent, delivered, read, failed | message ID and recipient (6.3) | happens once; `status` repeats the event's name, and each try may have a timestamp of its own |
 * | form submitted | submission ID (6.3) | happens once; what changes later is an update |
 * | message received, with an ID | `data` | its timestamp may be that of the try; not the ID alone, which could be the customer's or that of the message answered |
 * | all others, or without ID | timestamp and `data` (6.1) | a second "Yes" and a form changed back differ in nothing but the timestamp |
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
	const messageId = textOf(data.message_id);
	if (REACHED_ONCE.includes(event) && messageId !== undefined) {
		return [messageId, ...recipientOf(data)];
	}
	const submissionId = textOf(data.submission_id);
	if (event === 'flow.submitted' && submissionId !== undefined) return [submissionId];
	const hasId = INCOMING_IDS.some((name) => textOf(data[name]) !== undefined);
	return [digest(event === 'message.incoming' && hasId ? data : [timestamp, data])];
}

function recipientOf(data: Record<string, unknown>): string[] {
	const recipient = RECIPIENTS.map((name) => data[name]).find((value) => value !== undefined);
	if (recipient === undefined) return [];
	return [textOf(recipient) ?? canonical(recipient)];
}

/** An ID as a text. Numbers beyond 2^53 have been rounded, so that two may look like one. */
function textOf(value: unknown): string | undefined {
	if (typeof value === 'number') return Number.isSafeInteger(value) ? String(value) : undefined;
	return typeof value === 'string' && value.trim() !== '' ? value : undefined;
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
		isRecord(inner) ? Object.fromEntries(Object.entries(inner).sort(byKey)) : inner,
	);
}

function byKey([one]: [string, unknown], [other]: [string, unknown]): number {
	return one < other ? -1 : 1;
}

function sha256(text: string): string {
	return createHash('sha256').update(text).digest('hex');
}
