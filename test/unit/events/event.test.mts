import type { IDataObject } from 'n8n-workflow';

import { FAILURES, type FailureCode } from '../../../nodes/BusinessMessaging/errors/catalogue';
import {
	deliveryItem,
	readDelivery,
	type ReceivedDelivery,
} from '../../../nodes/BusinessMessaging/events/event';

const TIMESTAMP = '2026-01-31T14:05:00Z';
const RECEIVED_AT = '2026-01-31T14:05:01.500Z';
const CUSTOMER = '+12025550110';
const BUSINESS = '+14155552671';

function itemOf(event: string, data: unknown, more: object = {}): IDataObject {
	const body = JSON.stringify({ timestamp: TIMESTAMP, event, data, ...more });
	const delivery = readDelivery(Buffer.from(body)) as ReceivedDelivery;
	return deliveryItem(delivery, new Date(RECEIVED_AT));
}

// docs/trigger.md: an event without a readable timestamp
it.each<[unknown, string]>([
	['2026-01-31T19:35:00.123456789+05:30', '2026-01-31T14:05:00.123Z'],
	['2026-01-31T19:35+0530', '2026-01-31T14:05:00.000Z'],
	// 6.1: it is in UTC.
	['2026-01-31T14:05:00', '2026-01-31T14:05:00.000Z'],
	['2026-01-31 (2026-01-31T14:05:00Z', RECEIVED_AT],
	// Of a hundred thousand digits, n8n would be busy for seconds.
	['2026-01-31T14:05:00.1234567891Z', RECEIVED_AT],
	[['2026-01-31T14:05:00.000Z'], RECEIVED_AT],
])('a service window begins at the timestamp, or at its receipt: %j', (timestamp, openedAt) => {
	const item = itemOf('message.incoming', {}, { timestamp });
	const expiresAt = new Date(Date.parse(openedAt) + 24 * 3_600_000).toISOString();
	expect(item.serviceWindow).toEqual({ openedAt, expiresAt });
	const passedOn = timestamp === '2026-01-31T14:05:00' ? `${timestamp}Z` : timestamp;
	expect(item.timestamp).toBe(openedAt === RECEIVED_AT ? RECEIVED_AT : passedOn);
});

// README, What it does: with what to do
it.each<[string, number, FailureCode?, string?]>([
	['message.failed', 131026, 'notOnNetwork'],
	['message.failed', 131049, 'networkHeldBack', '2026-02-01T14:05:01.500Z'],
	['message.failed', 999999],
	['message.read', 131026],
])('%s with the code %d says by code and remedy what helps: %s', (...row) => {
	const [event, code, failureCode, sendAfter] = row;
	const { remedy } = failureCode ? FAILURES[failureCode] : {};
	const added = { failureCode: undefined, remedy: undefined, sendAfter: undefined };
	expect({ ...added, ...itemOf(event, { code }) }).toMatchObject({
		failureCode,
		remedy,
		sendAfter,
	});
});

const OF_ALL = { recipient: BUSINESS, to: BUSINESS, from: BUSINESS };

// docs/trigger.md: `phone`
it.each<[string, object, string | null | undefined]>([
	['message.incoming', { from: CUSTOMER }, CUSTOMER],
	['flow.submitted', { from: CUSTOMER }, CUSTOMER],
	['flow.updated', { from: CUSTOMER }, CUSTOMER],
	['flow.updated', { from: null }, null],
	['message.sent', { recipient: CUSTOMER }, CUSTOMER],
	['message.delivered', { recipient: 12025550110 }, CUSTOMER],
	['message.failed', { recipient: 'id_17', to: CUSTOMER }, CUSTOMER],
	['message.read', { recipient: undefined, to: undefined }, null],
	// Denmark, without a plus sign
	['message.incoming', { from: '4520123456' }, '+4520123456'],
	['message.incoming', { from: '55512' }, null],
	// No number of the country that it begins with.
	['message.read', { recipient: undefined, to: '4155552671' }, null],
	// It may be that of the business.
	['order.paid', { from: CUSTOMER, to: CUSTOMER }, undefined],
])('the phone of the customer of %s with %j is %s', (event, data, phone) => {
	expect(itemOf(event, { ...OF_ALL, ...data }).phone).toBe(phone);
});
