import type { IDataObject } from 'n8n-workflow';

import { FAILURES, type FailureCode } from '../../../nodes/BusinessMessaging/errors/catalogue';
import {
	deliveryItem,
	readDelivery,
	type ReceivedDelivery,
} from '../../../nodes/BusinessMessaging/events/event';

const TIMESTAMP = '2026-01-31T14:05:00Z';
const ENVELOPE = {
	event: 'message.incoming',
	timestamp: TIMESTAMP,
	data: { from: '+12025550110' },
};

function bytesOf(envelope: unknown): Buffer {
	return Buffer.from(JSON.stringify(envelope));
}

describe('the envelope', () => {
	it.each<[string, Buffer]>([
		['bytes with a byte order mark', Buffer.concat([Buffer.from('\ufeff'), bytesOf(ENVELOPE)])],
		['with null in its data', bytesOf({ ...ENVELOPE, data: { ...ENVELOPE.data, text: null } })],
	])('is read from %s', (_, body) => {
		expect(readDelivery(body)).toMatchObject(ENVELOPE);
	});

	const NO_EVENT = '"event" is missing or not a text';
	const NO_DATA = '"data" is missing or not an object';

	it.each<[string, unknown, string]>([
		['text that is no JSON', 'event=message.read', 'The body is not valid JSON'],
		['an empty event', { ...ENVELOPE, event: ' ' }, NO_EVENT],
		['data in a list', { ...ENVELOPE, data: [{}] }, NO_DATA],
	])('%s is refused with what is wrong', (_, body, problem) => {
		const bytes = typeof body === 'string' ? Buffer.from(body) : bytesOf(body);
		expect(readDelivery(bytes)).toEqual({ problem });
	});

	// SECURITY, The trigger: nested 100 levels deep
	it.each([
		[100, '[', undefined],
		[101, '[', 'The body is nested more than 100 levels deep'],
		[150_000, '{"a":', 'The body is nested more than 100 levels deep'],
	])('may be nested 100 levels deep: %d levels of %s', (levels, opening, problem) => {
		// The envelope and its data are the first two.
		const inner =
			opening.repeat(levels - 2) + '1' + (opening === '[' ? ']' : '}').repeat(levels - 2);
		const body = JSON.stringify({ ...ENVELOPE, data: { x: '?' } }).replace('"?"', inner);
		const delivery = readDelivery(Buffer.from(body));
		expect('problem' in delivery ? delivery.problem : undefined).toBe(problem);
	});
});

it('hides no error but wrong JSON and a wrong number', () => {
	// Whatever looks at it fails.
	const { proxy, revoke } = Proxy.revocable(Buffer.alloc(0), {});
	revoke();
	expect(() => readDelivery(proxy)).toThrow(TypeError);
	const delivery = { ...ENVELOPE, data: { from: proxy as never }, key: '' };
	expect(() => deliveryItem(delivery, new Date(0))).toThrow(TypeError);
});

const RECEIVED_AT = '2026-01-31T14:05:01.500Z';
const CUSTOMER = '+12025550110';
const BUSINESS = '+14155552671';

function itemOf(event: string, data: unknown, more: object = {}): IDataObject {
	const delivery = readDelivery(bytesOf({ timestamp: TIMESTAMP, event, data, ...more }));
	return deliveryItem(delivery as ReceivedDelivery, new Date(RECEIVED_AT));
}

describe('the item of a delivery', () => {
	it('is the envelope, the number of the customer, the key and the time of receipt', () => {
		const data = { message_id: 'm1', status: 'read', recipient: '12025550110' };
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
		expect(itemOf('message.read', {}).phone).toBeNull();
	});

	// docs/trigger.md: an event without a readable timestamp
	it.each<[unknown, string]>([
		['2026-01-31T14:05:00.123456789Z', '2026-01-31T14:05:00.123Z'],
		['2026-01-31T19:35+05:30', '2026-01-31T14:05:00.000Z'],
		// 6.1: it is in UTC.
		['2026-01-31T14:05:00', '2026-01-31T14:05:00.000Z'],
		['2026-01-31', RECEIVED_AT],
		['2026-02-30T00:00:00Z', RECEIVED_AT],
		['2026-01-31 (2026-01-31T14:05:00Z', RECEIVED_AT],
		// Of a hundred thousand digits, n8n would be busy for seconds.
		['2026-01-31T14:05:00.1234567891Z', RECEIVED_AT],
		[['2026-01-31T14:05:00.000Z'], RECEIVED_AT],
	])(
		'has a service window from its timestamp on, or from its receipt: %j',
		(timestamp, openedAt) => {
			const item = itemOf('message.incoming', {}, { timestamp });
			const expiresAt = new Date(Date.parse(openedAt) + 24 * 3_600_000).toISOString();
			expect(item.serviceWindow).toEqual({ openedAt, expiresAt });
			const passedOn = timestamp === '2026-01-31T14:05:00' ? `${timestamp}Z` : timestamp;
			expect(item.timestamp).toBe(openedAt === RECEIVED_AT ? RECEIVED_AT : passedOn);
		},
	);

	// README, What it does: with what to do
	it.each<[string, object, FailureCode?, string?]>([
		['message.failed', { code: 131026 }, 'notOnNetwork'],
		['message.failed', { code: 131049 }, 'networkHeldBack', '2026-02-01T14:05:01.500Z'],
		['message.failed', { code: 999999 }],
		['message.read', { code: 131026 }],
	])('of %s with %j says by code and remedy what helps: %s', (...row) => {
		const [event, data, failureCode, sendAfter] = row;
		const item = itemOf(event, data);
		const added = ['failureCode', 'remedy', 'sendAfter'].filter((name) => name in item);
		expect(added).toEqual([
			...(failureCode ? ['failureCode', 'remedy'] : []),
			...(sendAfter ? ['sendAfter'] : []),
		]);
		expect(item).toMatchObject(
			failureCode ? { failureCode, remedy: FAILURES[failureCode].remedy } : {},
		);
		expect(item.sendAfter).toBe(sendAfter);
	});
});

// docs/trigger.md: `phone`
describe('the customer', () => {
	const EVERY = { recipient: CUSTOMER, to: BUSINESS, from: BUSINESS };

	it.each<[string, object, string | null]>([
		...['message.incoming', 'flow.submitted', 'flow.updated'].flatMap(
			(event): Array<[string, object, string | null]> => [
				[event, { ...EVERY, from: CUSTOMER }, CUSTOMER],
				[event, { ...EVERY, from: undefined }, null],
			],
		),
		...['message.sent', 'message.delivered', 'message.read', 'message.failed'].flatMap(
			(event): Array<[string, object, string | null]> => [
				[event, EVERY, CUSTOMER],
				[event, { ...EVERY, recipient: 'id_17', to: CUSTOMER }, CUSTOMER],
				[event, { from: CUSTOMER }, null],
			],
		),
		// Denmark, without a plus sign
		['message.incoming', { from: 4520123456 }, '+4520123456'],
		['message.incoming', { from: '55512' }, null],
		['message.incoming', { from: 'asha.k' }, null],
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
