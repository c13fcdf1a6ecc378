import { createHash, randomUUID } from 'crypto';
import type { IDataObject } from 'n8n-workflow';
import { idOf, isRecord } from '../values';
import { kindOf } from './catalogue';

/** What tells one event from another. */
interface IdentifiedEvent {
	event: string;
	data: IDataObject;
	/** The same for all spellings of its timestamp; undefined without a readable one. */
	moment?: string;
	/** Of the request. */
	bytes: Buffer;
}

const MAX_KEY_PART_LENGTH = 128;

/** Not documented. Messaging APIs have these names for the ID of a message; a plain `id` may be the customer's. */
const MESSAGE_IDS = ['message_id', 'wamid'];
const IDS = [...MESSAGE_IDS, 'submission_id'];

/**
 * A text that all deliveries of one event share, and no other event has. If in doubt, two deliveries count as two
 * events: running twice is better than losing one. So without an ID and a timestamp each delivery has a key of
 * its own.
 *
 * The order of keys does not matter, nor do other fields of the envelope, such as a counter of attempts. But if an
 * event known by its data has a number beyond 2^53, which may be its ID, only the same bytes are the same event.
 */
export function identityOf(delivery: IdentifiedEvent): string {
	return [delivery.event, ...partsOf(delivery)].map(short).join(':');
}

function partsOf({ event, moment, data, bytes }: IdentifiedEvent): string[] {
	const kind = kindOf(event);
	const messageId = idOf(data.message_id);
	if (kind?.identity === 'message' && messageId !== undefined) {
		return [messageId, ...recipientOf(data, kind.customerIn)];
	}
	const submissionId = idOf(data.submission_id);
	if (kind?.identity === 'submission' && submissionId !== undefined) return [submissionId];
	const hasId = kind?.identity === 'dataWithId' && MESSAGE_IDS.some((name) => idOf(data[name]));
	if (!hasId && moment === undefined && !IDS.some((name) => isRounded(data[name]))) {
		return [randomUUID()];
	}
	if (hasRounded(data)) return [sha256(bytes)];
	return [sha256(canonical(hasId ? data : [moment, data]))];
}

/** Whether reading the JSON may have made another number of it, so that two numbers have become one. */
function isRounded(value: unknown): boolean {
	return Number.isInteger(value) && !Number.isSafeInteger(value);
}

function hasRounded(value: unknown): boolean {
	if (typeof value !== 'object' || value === null) return isRounded(value);
	return Object.values(value).some(hasRounded);
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

/** JSON with its keys in order. */
function canonical(value: unknown): string {
	return JSON.stringify(value, (_, inner: unknown) => (isRecord(inner) ? inOrder(inner) : inner));
}

function inOrder(record: Record<string, unknown>): Record<string, unknown> {
	const keys = Object.keys(record).sort();
	// Halves the time for a body full of {}.
	if (keys.length < 2) return record;
	return Object.fromEntries(keys.map((key) => [key, record[key]]));
}

function sha256(content: string | Buffer): string {
	return createHash('sha256').update(content).digest('hex');
}
