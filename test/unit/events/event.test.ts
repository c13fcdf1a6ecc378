import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { NETWORK_CODES } from '../../../nodes/BusinessMessaging/errors/responseErrors';
import { EVENTS } from '../../../nodes/BusinessMessaging/events/catalogue';
import {
	deliveryItem,
	readDelivery,
	type ReceivedDelivery,
	timeOf,
} from '../../../nodes/BusinessMessaging/events/event';
import { anyMobileNumber } from '../../support/mobileNumbers.ts';

const TIMESTAMP = '2026-01-31T14:05:00Z';

function bytesOf(envelope: unknown): Buffer {
	return Buffer.from(JSON.stringify(envelope));
}

function read(envelope: Record<string, unknown>): ReceivedDelivery {
	const delivery = readDelivery(bytesOf({ timestamp: TIMESTAMP, data: {}, ...envelope }));
	if ('problem' in delivery) throw new Error(delivery.problem);
	return delivery;
}

describe('the envelope', () => {
	const envelope = {
		event: 'message.incoming',
		timestamp: TIMESTAMP,
		data: { from: '+919876543210' },
	};

	it.each<[string, Buffer]>([
		['bytes', bytesOf(envelope)],
		['bytes with a byte order mark', Buffer.concat([Buffer.from('\ufeff'), bytesOf(envelope)])],
		['with fields that are not documented', bytesOf({ ...envelope, version: 3 })],
	])('is read from %s', (_, body) => {
		expect(readDelivery(body)).toMatchObject(envelope);
	});

	it('an event that is not documented is read like the others', () => {
		expect(read({ event: 'template.approved' }).event).toBe('template.approved');
	});

	const NO_JSON = 'The body is not valid JSON';
	const NO_OBJECT = 'The body is not a JSON object';
	const NO_EVENT = '"event" is missing or not a text';
	const NO_DATA = '"data" is missing or not an object';

	it.each<[string, unknown, string]>([
		['no bytes', '', NO_JSON],
		['text that is no JSON', 'event=message.read', NO_JSON],
		['cut JSON', '{"event": "message.read"', NO_JSON],
		['null', 'null', NO_OBJECT],
		['a list', '[]', NO_OBJECT],
		['an empty event', { ...envelope, event: ' ' }, NO_EVENT],
		['an event in a list', { ...envelope, event: ['message.read'] }, NO_EVENT],
		['no data', { ...envelope, data: undefined }, NO_DATA],
		['data in a list', { ...envelope, data: [{}] }, NO_DATA],
	])('%s is refused with what is wrong', (_, body, problem) => {
		const bytes = typeof body === 'string' ? Buffer.from(body) : bytesOf(body);
		expect(readDelivery(bytes)).toEqual({ problem: expect.stringContaining(problem) });
	});

	it('no body makes reading it throw', () => {
		const body = fc.oneof(
			fc.uint8Array().map((bytes) => Buffer.from(bytes)),
			fc.string({ unit: 'binary' }).map((text) => Buffer.from(text)),
			fc.json().map((json) => Buffer.from(json)),
			fc
				.record({ event: fc.string(), timestamp: fc.date().map(String), data: fc.object() })
				.map((envelope) => Buffer.from(JSON.stringify(envelope))),
		);
		fc.assert(
			fc.property(body, (value) => {
				const delivery = readDelivery(value);
				if ('problem' in delivery) expect(delivery.problem).toMatch(/^(The body|"\w+") is /);
				else expect(deliveryItem(delivery, new Date(0))).toHaveProperty('deliveryKey');
			}),
			{ numRuns: 500 },
		);
	});
});

describe('nesting', () => {
	const nested = (levels: number, opening: string) => {
		// The envelope and its data are the first two.
		const inner = `${opening.repeat(levels - 2)}1${(opening === '[' ? ']' : '}').repeat(levels - 2)}`;
		const envelope = { event: 'message.incoming', timestamp: TIMESTAMP, data: { x: '?' } };
		return Buffer.from(JSON.stringify(envelope).replace('"?"', inner));
	};

	// SECURITY, The trigger: nested 100 levels deep
	it('of 100 levels is read', () => {
		expect(readDelivery(nested(100, '['))).toHaveProperty('key');
	});

	it.each([
		[101, '['],
		[150_000, '{"a":'],
	])('of %d levels of %s is refused with what is wrong', (levels, opening) => {
		expect(readDelivery(nested(levels, opening))).toEqual({
			problem: 'The body is nested more than 100 levels deep',
		});
	});
});

describe('the time of a timestamp', () => {
	it.each([
		['2026-01-31T14:05:00Z', '2026-01-31T14:05:00.000Z'],
		['2026-01-31T14:05:00.123456Z', '2026-01-31T14:05:00.123Z'],
		['2026-01-31T14:05Z', '2026-01-31T14:05:00.000Z'],
		['2026-01-31T19:35:00+05:30', '2026-01-31T14:05:00.000Z'],
		['2026-01-31T19:35:00+0530', '2026-01-31T14:05:00.000Z'],
		['2026-01-31T09:05:00-05:00', '2026-01-31T14:05:00.000Z'],
		['2026-01-31T14:05:00', '2026-01-31T14:05:00.000Z'],
	])('%s is %s', (timestamp, expected) => {
		expect(new Date(timeOf(timestamp)).toISOString()).toBe(expected);
	});

	it.each([
		['2026-01-31'],
		['2026-01-31 14:05:00'],
		['2026-01-31T25:00:00Z'],
		['2026-02-30T00:00:00Z'],
		['2026-02-30T00:00:00+05:30'],
		['2026-01-31T14:05:00Z '],
		['+002026-01-31T14:05:00Z'],
		// Date.parse overlooks it.
		['2026-01-31T14:05:00Z\u0000'],
		[''],
	])('%j is not a time', (timestamp) => {
		expect(timeOf(timestamp)).toBeNaN();
	});
});

describe('the item of a delivery', () => {
	const receivedAt = new Date('2026-01-31T14:05:01.500Z');

	it('is the envelope, the key and the time of receipt', () => {
		const data = { message_id: 'm1', status: 'delivered' };
		const delivery = read({ event: 'message.delivered', data });
		expect(deliveryItem(delivery, receivedAt)).toEqual({
			event: 'message.delivered',
			timestamp: TIMESTAMP,
			data,
			deliveryKey: delivery.key,
			receivedAt: '2026-01-31T14:05:01.500Z',
		});
	});

	it('has the number of the customer beside them, and data as it came', () => {
		const data = { from: '12025550110' };
		const item = deliveryItem(read({ event: 'message.incoming', data }), receivedAt);
		expect(item).toMatchObject({ phone: '+12025550110', data });
		expect(Object.keys(item).slice(0, 4)).toEqual(['event', 'timestamp', 'phone', 'data']);
	});

	// README, React to customers: an event without a readable timestamp
	it.each<[string, unknown]>([
		['missing', undefined],
		['a number', 1769868300],
		['in words', 'today'],
		['of a day that does not exist', '2026-02-30T00:00:00Z'],
	])('has the time of receipt where the timestamp is %s', (_, timestamp) => {
		expect(deliveryItem(read({ event: 'message.incoming', timestamp }), receivedAt)).toMatchObject({
			timestamp: '2026-01-31T14:05:01.500Z',
			receivedAt: '2026-01-31T14:05:01.500Z',
			serviceWindow: {
				openedAt: '2026-01-31T14:05:01.500Z',
				expiresAt: '2026-02-01T14:05:01.500Z',
			},
		});
	});

	it('has no number of a customer whom the event does not name', () => {
		const delivery = read({ event: 'message.read', data: { message_id: 'm1' } });
		expect(deliveryItem(delivery, receivedAt)).not.toHaveProperty('phone');
	});

	it('of an incoming message has the service window, 24 hours from the message on', () => {
		const delivery = read({ event: 'message.incoming', timestamp: '2026-01-31T19:35:00+05:30' });
		expect(deliveryItem(delivery, receivedAt).serviceWindow).toEqual({
			openedAt: '2026-01-31T14:05:00.000Z',
			expiresAt: '2026-02-01T14:05:00.000Z',
		});
	});

	// README, Operations: with what to do
	it.each(Object.keys(NETWORK_CODES))('of a failure with code %s has its remedy', (code) => {
		for (const data of [{ code: Number(code) }, { error: { code } }, { errors: [{ code }] }]) {
			expect(deliveryItem(read({ event: 'message.failed', data }), receivedAt).remedy).toBe(
				NETWORK_CODES[code].remedy,
			);
		}
	});

	it.each<[string, Record<string, unknown>]>([
		['message.failed', { code: 999999 }],
		['message.failed', {}],
		['message.read', { code: 131026 }],
		['order.paid', { code: 131026 }],
	])('of %s with %j has no remedy', (event, data) => {
		expect(deliveryItem(read({ event, data }), receivedAt)).not.toHaveProperty('remedy');
	});
});

const CUSTOMER = '+12025550110';
const BUSINESS = '+14155552671';

function phoneOf(event: string, data: object): unknown {
	const delivery = { event, data: data as IDataObject, timestamp: TIMESTAMP, key: 'key' };
	return deliveryItem(delivery, new Date(0)).phone;
}

// README, React to customers: `phone`
describe('the customer', () => {
	it.each([['message.incoming'], ['flow.submitted'], ['flow.updated']])(
		'of %s is who it is from',
		(event) => {
			expect(phoneOf(event, { from: CUSTOMER, to: BUSINESS, recipient: BUSINESS })).toBe(CUSTOMER);
			expect(phoneOf(event, { to: CUSTOMER, recipient: CUSTOMER })).toBeUndefined();
		},
	);

	it.each([['message.sent'], ['message.delivered'], ['message.read'], ['message.failed']])(
		'of %s is whom it reaches',
		(event) => {
			expect(phoneOf(event, { recipient: CUSTOMER, to: BUSINESS, from: BUSINESS })).toBe(CUSTOMER);
			expect(phoneOf(event, { to: CUSTOMER, from: BUSINESS })).toBe(CUSTOMER);
			expect(phoneOf(event, { from: CUSTOMER })).toBeUndefined();
		},
	);

	it('is known for every event of the API, but not for one that nobody knows', () => {
		for (const { value } of EVENTS) {
			expect(phoneOf(value, { from: CUSTOMER, recipient: CUSTOMER })).toBe(CUSTOMER);
		}
		const data = { from: CUSTOMER, recipient: CUSTOMER, to: CUSTOMER };
		expect(phoneOf('order.paid', data)).toBeUndefined();
	});

	it('is not taken from the values of a form', () => {
		const data = { form_data: { phone: CUSTOMER, from: CUSTOMER } };
		expect(phoneOf('flow.submitted', data)).toBeUndefined();
	});
});

describe('the number', () => {
	it('has one spelling, with and without plus sign, as a text or as a number', () => {
		fc.assert(
			fc.property(anyMobileNumber, ({ number }) => {
				const digits = number.number.slice(1);
				expect(phoneOf('message.incoming', { from: number.number })).toBe(number.number);
				// Shorter ones could be the national number of another country.
				if (digits.length < 11) return;
				for (const from of [digits, Number(digits), `00${digits}`, ` ${digits} `]) {
					expect(phoneOf('message.incoming', { from })).toBe(number.number);
				}
			}),
		);
	});

	it.each<[string, unknown]>([
		['missing', undefined],
		['a short code', '55512'],
		['of digits that two countries could have', '6591234567'],
		['an ID', 'US.13491208655302741918'],
		['masked', '+1202555****'],
		['an object', { number: CUSTOMER }],
		['two numbers', `${CUSTOMER}, ${BUSINESS}`],
	])('that is %s is left out', (_, from) => {
		expect(phoneOf('message.incoming', { from })).toBeUndefined();
	});

	it('is the next one when the first cannot be read', () => {
		expect(phoneOf('message.sent', { recipient: 'id_17', to: CUSTOMER })).toBe(CUSTOMER);
	});

	it('is E.164 or left out, and nothing makes reading it throw', () => {
		const event = fc.constantFrom(...EVENTS.map(({ value }) => value));
		const data = fc.record({
			from: fc.anything(),
			recipient: fc.oneof(fc.anything(), fc.stringMatching(/^[+ ()\d-]{0,20}$/)),
			to: fc.string({ unit: 'binary' }),
		});
		fc.assert(
			fc.property(event, data, (name, value) => {
				expect(phoneOf(name, value) ?? '+1234567').toMatch(/^\+[1-9]\d{6,14}$/);
			}),
			{ numRuns: 1000 },
		);
	});
});
