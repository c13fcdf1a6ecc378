import type { IDataObject } from 'n8n-workflow';

import { readErrorBody } from '../errors/errorBody';
import { NETWORK_ERRORS } from '../errors/networkErrors';
import { isText } from '../isBlank';
import { isCalendarDay } from '../isCalendarDay';
import { isRecord } from '../isRecord';
import { SERVICE_WINDOW_MS } from '../serviceWindow';
import { kindOf } from './catalogue';
import { isDeeperThan } from './depth';
import { identityOf } from './identity';
import type { Delivery } from './identity';
import { phoneOf } from './phone';

export interface ReceivedDelivery extends Delivery {
	/** The same for every delivery of one event. */
	key: string;
}

const ISO_TIMESTAMP = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?$/i;
/** Far beyond any form. n8n goes through what it stores by recursion, which has its limits. */
const MAX_DEPTH = 100;

/**
 * Reads the body of a webhook request.
 * @returns the delivery, or what is wrong with it in one sentence
 */
export function readDelivery(bytes: Buffer): ReceivedDelivery | { problem: string } {
	const envelope = parse(bytes);
	if (envelope === undefined) return { problem: 'The body is not valid JSON' };
	if (!isRecord(envelope)) return { problem: 'The body is not a JSON object' };
	if (isDeeperThan(MAX_DEPTH, envelope)) {
		return { problem: `The body is nested more than ${MAX_DEPTH} levels deep` };
	}
	const { event, timestamp, data } = envelope;
	if (!isText(event)) {
		return { problem: '"event" is missing or not a text' };
	}
	if (!isRecord(data)) return { problem: '"data" is missing or not an object' };
	const read = { event, timestamp: readTimestamp(timestamp), data: data as IDataObject };
	return { ...read, key: identityOf(read) };
}

function readTimestamp(timestamp: unknown): string | undefined {
	const isReadable = typeof timestamp === 'string' && !Number.isNaN(timeOf(timestamp));
	return isReadable ? timestamp : undefined;
}

/** Epoch ms of an ISO timestamp (6.1: UTC); NaN when it is none. */
export function timeOf(timestamp: string): number {
	const match = ISO_TIMESTAMP.exec(timestamp);
	if (!match || !isCalendarDay(timestamp.slice(0, 10))) return NaN;
	return Date.parse(match[3] ? timestamp : `${timestamp}Z`);
}

/** The item that the trigger emits for a delivery. */
export function deliveryItem(delivery: ReceivedDelivery, receivedAt: Date): IDataObject {
	const { event, timestamp = receivedAt.toISOString(), data, key } = delivery;
	const phone = phoneOf(event, data);
	const adds = kindOf(event)?.adds;
	return {
		event,
		timestamp,
		...(phone === undefined ? {} : { phone }),
		data,
		deliveryKey: key,
		receivedAt: receivedAt.toISOString(),
		...(adds === 'serviceWindow' ? { serviceWindow: serviceWindow(timestamp) } : {}),
		...(adds === 'remedy' ? remedyFor(data) : {}),
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

function parse(bytes: Buffer): unknown {
	try {
		return JSON.parse(bytes.toString('utf8').replace(/^\ufeff/, '')) as unknown;
	} catch {
		return undefined;
	}
}
