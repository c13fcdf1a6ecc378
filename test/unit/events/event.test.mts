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

it('hides no error but a wrong number', () => {
	// Whatever looks at it fails.
	const { proxy, revoke } = Proxy.revocable(Buffer.alloc(0), {});
	revoke();
	const delivery = { event: 'message.incoming', data: { from: proxy as never }, key: '' };
	expect(() => deliveryItem(delivery, new Date(0))).toThrow(TypeError);
});

it('the item of a delivery is the envelope with the number of the customer, the key and the time of receipt', () => {
	const data = { message_id: 'm1', recipient: '12025550110', error: null };
	const item = itemOf('message.read', data);
	expect(item).toEqual({
		event: 'message.read',
		timestamp: TIMESTAMP,
		phone: CUSTOMER,
		data,
		deliveryKey: 'message.read:m1:12025550110',
		receivedAt: RECEIVED_AT,
	});
	expect(Object.keys(item).slice(0, 4)).toEqual(['event', 'timestamp', 'phone', 'data']);
});

// docs/trigger.md: an event without a readable timestamp
it.each<[unknown, string]>([
	['2026-01-31T19:35:00.123456789+05:30', '2026-01-31T14:05:00.123Z'],
	['2026-01-31T19:35+0530', '2026-01-31T14:05:00.000Z'],
	// 6.1: it is in UTC.
	['2026-01-31T14:05:00', '2026-01-31T14:05:00.000Z'],
	['2026-01-31', RECEIVED_AT],
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

// docs/trigger.md: `phone`
describe('the customer', () => {
	const OTHERS = { recipient: BUSINESS, to: BUSINESS, from: BUSINESS };

	it.each(['message.incoming', 'flow.submitted', 'flow.updated'])('of %s has sent it', (event) => {
		expect(itemOf(event, { ...OTHERS, from: CUSTOMER }).phone).toBe(CUSTOMER);
		expect(itemOf(event, { ...OTHERS, from: undefined }).phone).toBeNull();
	});

	it.each(['sent', 'delivered', 'read', 'failed'])('of message.%s is its recipient', (state) => {
		const phoneOf = (data: object) => itemOf(`message.${state}`, { ...OTHERS, ...data }).phone;
		expect(phoneOf({ recipient: CUSTOMER })).toBe(CUSTOMER);
		expect(phoneOf({ recipient: 'id_17', to: CUSTOMER })).toBe(CUSTOMER);
		expect(phoneOf({ recipient: undefined, to: undefined })).toBeNull();
	});

	it.each<[string, object, string | null]>([
		// Denmark, without a plus sign
		['message.incoming', { from: 4520123456 }, '+4520123456'],
		['message.incoming', { from: '55512' }, null],
		// No number of the country that it begins with.
		['message.read', { to: '4155552671' }, null],
	])('of %s with %j is %s', (event, data, phone) => {
		expect(itemOf(event, data).phone).toBe(phone);
	});

	it('is not known of an event that nobody knows', () => {
		const item = itemOf('order.paid', { from: CUSTOMER, to: CUSTOMER });
		expect(item).not.toHaveProperty('phone');
	});
});
