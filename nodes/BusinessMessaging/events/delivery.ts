import { createHash } from 'crypto';
import type { IDataObject } from 'n8n-workflow';

import { isRecord } from '../isRecord';
import { NETWORK_ERRORS } from '../networkErrors';
import { SERVICE_WINDOW_MS } from '../serviceWindow';
import { readErrorBody } from '../transport/errorBody';

/** The envelope of a webhook event (6.1). */
export interface Delivery {
	event: string;
	timestamp: string;
	data: IDataObject;
}

export interface ReceivedDelivery extends Delivery {
	/** The same for every delivery of one event. */
	key: string;
}

const ISO_TIMESTAMP = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?$/i;
const MAX_KEY_PART_LENGTH = 128;

/**
 * Reads the body of a webhook request.
 * @param body the bytes, or what n8n parsed when it kept no bytes
 * @returns the delivery, or what is wrong with it in one sentence
 */
export function readDelivery(body: unknown): ReceivedDelivery | { problem: string } {
	const bytes = Buffer.isBuffer(body) ? body : Buffer.from(asJson(body));
	const envelope = parse(bytes);
	if (envelope === undefined) return { problem: 'The body is not valid JSON' };
	if (!isRecord(envelope)) return { problem: 'The body is not a JSON object' };
	const { event, timestamp, data } = envelope;
	if (typeof event !== 'string' || event.trim() === '') {
		return { problem: '"event" is missing or not a text' };
	}
	if (typeof timestamp !== 'string' || Number.isNaN(timeOf(timestamp))) {
		return { problem: '"timestamp" is missing or not an ISO 8601 date and time' };
	}
	if (!isRecord(data)) return { problem: '"data" is missing or not an object' };
	return { event, timestamp, data: data as IDataObject, key: keyOf(event, data, bytes) };
}

/** Epoch ms of an ISO timestamp (6.1: UTC); NaN when it is none. */
export function timeOf(timestamp: string): number {
	const match = ISO_TIMESTAMP.exec(timestamp);
	if (!match) return NaN;
	return Date.parse(match[3] ? timestamp : `${timestamp}Z`);
}

/** The item that the trigger emits for a delivery. */
export function deliveryItem(delivery: ReceivedDelivery, receivedAt: Date): IDataObject {
	const { event, timestamp, data, key } = delivery;
	return {
		event,
		timestamp,
		data,
		deliveryKey: key,
		receivedAt: receivedAt.toISOString(),
		...(event === 'message.incoming' ? { serviceWindow: serviceWindow(timestamp) } : {}),
		...(event === 'message.failed' ? remedyFor(data) : {}),
	};
}

function serviceWindow(timestamp: string): IDataObject {
	const openedAt = timeOf(timestamp);
	return {
		openedAt: new Date(openedAt).toISOString(),
		expiresAt: new Date(openedAt + SERVICE_WINDOW_MS).toISOString(),
	};
}

function remedyFor(data: IDataObject): IDataObject {
	const { networkCode } = readErrorBody(data);
	const known = networkCode ? NETWORK_ERRORS[networkCode] : undefined;
	return known ? { remedy: known.remedy } : {};
}

/**
 * Events that happen once per message or submission are known by its ID (6.3). An incoming message
 * has no documented ID, a form can be updated often: there the bytes decide, which a repeated
 * delivery shares.
 */
function keyOf(event: string, data: Record<string, unknown>, bytes: Buffer): string {
	const id = event === 'flow.submitted' ? data.submission_id : messageIdOf(event, data);
	if (typeof id !== 'string' || id.trim() === '') return `${short(event)}:${sha256(bytes)}`;
	const status = typeof data.status === 'string' ? `:${short(data.status)}` : '';
	return `${short(event)}:${short(id)}${status}`;
}

function messageIdOf(event: string, data: Record<string, unknown>): unknown {
	return /^message\.(sent|delivered|read|failed)$/.test(event) ? data.message_id : undefined;
}

/** Bounded, and without the colon that separates the parts. */
function short(part: string): string {
	if (part.length > MAX_KEY_PART_LENGTH) return sha256(Buffer.from(part));
	return part.replace(/[%:]/g, encodeURIComponent);
}

function sha256(bytes: Buffer): string {
	return createHash('sha256').update(bytes).digest('hex');
}

function parse(bytes: Buffer): unknown {
	try {
		return JSON.parse(bytes.toString('utf8').replace(/^\ufeff/, '')) as unknown;
	} catch {
		return undefined;
	}
}

function asJson(body: unknown): string {
	return typeof body === 'string' ? body : (JSON.stringify(body) ?? '');
}
