import type { IDataObject } from 'n8n-workflow';
import { adviceOn } from '../errors/responseErrors';
import { InputError } from '../inputError';
import { readRecipient, validNumber } from '../template/phoneNumber';
import { SERVICE_WINDOW_MS } from '../template/pricing';
import { isRecord, isText, textOf } from '../values';
import { kindOf, RECIPIENT } from './catalogue';
import { identityOf } from './identity';

/** The envelope of a webhook event (6.1). */
export interface ReceivedDelivery {
	event: string;
	/** Undefined when it is missing or can't be read: an event without its time is better than none. */
	timestamp?: string;
	data: IDataObject;
	/** The same for every delivery of one event. */
	key: string;
}

/** Far beyond any form. n8n goes through what it stores by recursion, which has its limits. */
const MAX_LEVELS = 100;

/**
 * Reads the body of a webhook request.
 * @returns the delivery, or what is wrong with it in one sentence
 */
export function readDelivery(bytes: Buffer): ReceivedDelivery | { problem: string } {
	const text = bytes.toString('utf8');
	let envelope: unknown;
	try {
		envelope = JSON.parse(text);
	} catch {
		return { problem: 'The body is not valid JSON' };
	}
	if (!isRecord(envelope)) return { problem: 'The body is not a JSON object' };
	if (isDeeperThan(MAX_LEVELS, envelope)) {
		return { problem: `The body is nested more than ${MAX_LEVELS} levels deep` };
	}
	const { event, timestamp, data } = envelope;
	if (!isText(event)) return { problem: '"event" is missing or not a text' };
	if (!isRecord(data)) return { problem: '"data" is missing or not an object' };
	const isReadable = typeof timestamp === 'string' && !Number.isNaN(timeOf(timestamp));
	const delivery = { event, timestamp: isReadable ? timestamp : undefined, data };
	return { ...delivery, key: identityOf(delivery, text) };
}

/** The item that the trigger emits for a delivery. */
export function deliveryItem(delivery: ReceivedDelivery, receivedAt: Date): IDataObject {
	const { event, data, key } = delivery;
	const timestamp = withOffset(delivery.timestamp ?? receivedAt.toISOString());
	const phone = customersPhone(event, data);
	const adds = kindOf(event)?.adds;
	return {
		event,
		timestamp,
		...(phone === undefined ? {} : { phone }),
		data,
		deliveryKey: key,
		receivedAt: receivedAt.toISOString(),
		...(adds === 'serviceWindow' ? { serviceWindow: serviceWindow(timestamp) } : {}),
		...(adds === 'remedy' ? adviceOn(data, receivedAt.getTime()) : {}),
	};
}

/** Up to nanoseconds. */
const ISO_TIMESTAMP =
	/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2})?$/i;

/** Epoch ms of an ISO timestamp (6.1: UTC); NaN for any other text. */
function timeOf(timestamp: string): number {
	if (!ISO_TIMESTAMP.test(timestamp)) return NaN;
	return Date.parse(withOffset(timestamp));
}

/** Whoever reads it later must not take it for a time in the workflow's time zone. */
function withOffset(timestamp: string): string {
	const endsWithTime = /T[\d:.]+$/i.test(timestamp);
	return endsWithTime ? `${timestamp}Z` : timestamp;
}

/** Whether lists and objects are nested deeper than that in a parsed JSON value. */
function isDeeperThan(limit: number, value: object): boolean {
	// Level by level: recursion would overflow at half a million levels.
	let level = [value];
	for (let depth = 0; level.length > 0; depth++) {
		if (depth === limit) return true;
		const inside = level.flatMap((container) => Object.values(container) as unknown[]);
		level = inside.filter((each) => typeof each === 'object' && each !== null);
	}
	return false;
}

/**
 * The customer's number as E.164: who wrote or submitted, or whom a message reaches (6.3).
 * @returns null when `data` has none, or not with certainty; undefined for an event that the API has added since,
 * because its number may be that of the business
 */
function customersPhone(event: string, data: IDataObject): string | null | undefined {
	const kind = kindOf(event);
	if (!kind) return undefined;
	const fields = kind.identity === 'message' ? RECIPIENT : ['from'];
	return fields.map((name) => readPhone(data[name])).find(isText) ?? null;
}

/** Ten digits of a recipient may lack their country code, but the network's numbers always have it. */
function readPhone(number: unknown): string | undefined {
	try {
		return validNumber(textOf(number)) ?? readRecipient(number);
	} catch (error) {
		return afterInputError(error);
	}
}

/** @throws any other error */
function afterInputError(error: unknown): undefined {
	if (!(error instanceof InputError)) throw error;
}

function serviceWindow(timestamp: string): IDataObject {
	const openedAt = timeOf(timestamp);
	return {
		openedAt: new Date(openedAt).toISOString(),
		expiresAt: new Date(openedAt + SERVICE_WINDOW_MS).toISOString(),
	};
}
