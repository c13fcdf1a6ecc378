import fc from 'fast-check';

import {
	deliveryItem,
	readDelivery,
	timeOf,
} from '../../../nodes/BusinessMessaging/events/delivery';
import type { ReceivedDelivery } from '../../../nodes/BusinessMessaging/events/delivery';
import { NETWORK_ERRORS } from '../../../nodes/BusinessMessaging/networkErrors';

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

	it.each<[string, unknown]>([
		['bytes', bytesOf(envelope)],
		['bytes with a byte order mark', Buffer.concat([Buffer.from('\ufeff'), bytesOf(envelope)])],
		['text', JSON.stringify(envelope)],
		['what n8n has parsed', envelope],
		['with fields that are not documented', bytesOf({ ...envelope, version: 3 })],
	])('is read from %s', (_, body) => {
		expect(readDelivery(body)).toMatchObject(envelope);
	});

	it('an event that is not documented is read like the others', () => {
		expect(read({ event: 'template.approved' }).event).toBe('template.approved');
	});

	it.each<[string, unknown, string]>([
		['nothing', undefined, 'The body is not valid JSON'],
		['no bytes', Buffer.alloc(0), 'The body is not valid JSON'],
		['text that is no JSON', 'event=message.read', 'The body is not valid JSON'],
		['cut JSON', '{"event": "message.read"', 'The body is not valid JSON'],
		['null', 'null', 'The body is not a JSON object'],
		['null that n8n has parsed', null, 'The body is not a JSON object'],
		['a list', '[]', 'The body is not a JSON object'],
		['a list that n8n has parsed', [envelope], 'The body is not a JSON object'],
		['a text', '"message.read"', 'The body is not a JSON object'],
		['a number', '17', 'The body is not a JSON object'],
		['an empty object', {}, '"event" is missing or not a text'],
		['an empty event', { ...envelope, event: ' ' }, '"event" is missing or not a text'],
		[
			'an event in a list',
			{ ...envelope, event: ['message.read'] },
			'"event" is missing or not a text',
		],
		['no timestamp', { ...envelope, timestamp: undefined }, '"timestamp" is missing or not an ISO'],
		[
			'epoch seconds',
			{ ...envelope, timestamp: 1769868300 },
			'"timestamp" is missing or not an ISO',
		],
		[
			'a timestamp in a list',
			{ ...envelope, timestamp: [TIMESTAMP] },
			'"timestamp" is missing or not an ISO',
		],
		[
			'a timestamp in words',
			{ ...envelope, timestamp: 'today' },
			'"timestamp" is missing or not an ISO',
		],
		['no data', { ...envelope, data: undefined }, '"data" is missing or not an object'],
		['data null', { ...envelope, data: null }, '"data" is missing or not an object'],
		['data in a list', { ...envelope, data: [{}] }, '"data" is missing or not an object'],
		['data as text', { ...envelope, data: '{}' }, '"data" is missing or not an object'],
	])('%s is refused with what is wrong', (_, body, problem) => {
		expect(readDelivery(body)).toEqual({ problem: expect.stringContaining(problem) });
	});

	it('no body makes reading it throw', () => {
		const body = fc.oneof(
			fc.uint8Array().map((bytes) => Buffer.from(bytes)),
			fc.string({ unit: 'binary' }),
			fc.json().map((json) => Buffer.from(json)),
			fc.record({ event: fc.string(), timestamp: fc.date().map(String), data: fc.object() }),
			fc.jsonValue(),
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

describe('the time of a timestamp', () => {
	it.each([
		['2026-01-31T14:05:00Z', '2026-01-31T14:05:00.000Z'],
		['2026-01-31T14:05:00.123Z', '2026-01-31T14:05:00.123Z'],
		['2026-01-31T14:05:00.123456Z', '2026-01-31T14:05:00.123Z'],
		['2026-01-31T14:05Z', '2026-01-31T14:05:00.000Z'],
		['2026-01-31t14:05:00z', '2026-01-31T14:05:00.000Z'],
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
		['31/01/2026'],
		['1769868300'],
		['2026-13-01T00:00:00Z'],
		['2026-01-31T25:00:00Z'],
		['2026-01-31T14:05:00Z '],
		['+002026-01-31T14:05:00Z'],
		// Date.parse overlooks it.
		['2026-01-31T14:05:00Z\u0000'],
		['Sat, 31 Jan 2026 14:05:00 GMT'],
		[''],
	])('%j is not a time', (timestamp) => {
		expect(timeOf(timestamp)).toBeNaN();
	});
});

describe('the key of a delivery', () => {
	it.each([
		['message.sent', { message_id: 'm1' }],
		['message.delivered', { message_id: 'm1', status: 'delivered' }],
		['message.read', { message_id: 'm1' }],
		['message.failed', { message_id: 'm1', status: 'failed' }],
		['flow.submitted', { submission_id: 's1', form_data: { city: 'Pune' } }],
	])('of %s stays the same whatever else a redelivery changes', (event, data) => {
		const first = read({ event, data });
		const again = read({ data: { attempt: 2, ...data }, event, timestamp: '2026-02-01T00:00:00Z' });
		expect(again.key).toBe(first.key);
	});

	it.each([
		[
			'message.incoming',
			{ from: '+919876543210', text: 'Hi' },
			{ from: '+919876543210', text: 'Ho' },
		],
		['flow.updated', { submission_id: 's1', city: 'Pune' }, { submission_id: 's1', city: 'Goa' }],
		['flow.submitted', { form_data: { city: 'Pune' } }, { form_data: { city: 'Goa' } }],
		['message.read', { message_id: '', at: 1 }, { message_id: '', at: 2 }],
		['message.read', { message_id: ' ', at: 1 }, { message_id: ' ', at: 2 }],
		['message.read', { message_id: 17, at: 1 }, { message_id: 17, at: 2 }],
		['template.approved', { message_id: 'm1', at: 1 }, { message_id: 'm1', at: 2 }],
		['group.message.read', { message_id: 'm1', at: 1 }, { message_id: 'm1', at: 2 }],
		['message.read.undone', { message_id: 'm1', at: 1 }, { message_id: 'm1', at: 2 }],
	])('of %s, which has no ID of its own, follows the bytes', (event, data, otherData) => {
		expect(read({ event, data }).key).toBe(read({ event, data }).key);
		expect(read({ event, data }).key).not.toBe(read({ event, data: otherData }).key);
	});

	it('is the same for bytes, text and the parsed body', () => {
		const envelope = { event: 'message.incoming', timestamp: TIMESTAMP, data: { from: '+1' } };
		const keys = [bytesOf(envelope), JSON.stringify(envelope), envelope].map((body) =>
			readDelivery(body),
		);
		expect(
			new Set(keys.map((delivery) => ('key' in delivery ? delivery.key : undefined))).size,
		).toBe(1);
	});

	it('of two messages, events or statuses is different', () => {
		const identity = fc.record({
			event: fc.constantFrom('message.sent', 'message.delivered', 'message.read', 'message.failed'),
			id: fc
				.oneof(
					fc.string({ minLength: 1, unit: 'binary' }),
					fc.constantFrom('a', 'a:b', 'b', 'a%3Ab', '%', ':', 'x'.repeat(200)),
				)
				.filter((id) => id.trim() !== ''),
			status: fc.option(fc.constantFrom('a', 'b', 'b:c', ':', '%3A', 'y'.repeat(200)), {
				nil: undefined,
			}),
		});
		const keyOf = ({ event, id, status }: { event: string; id: string; status?: string }) =>
			read({ event, data: { message_id: id, status } }).key;
		fc.assert(
			fc.property(identity, identity, (one, other) => {
				const isSame = JSON.stringify(one) === JSON.stringify(other);
				expect(keyOf(one) === keyOf(other)).toBe(isSame);
			}),
			{ numRuns: 1000 },
		);
	});

	it.each([
		[{ message_id: 'a' }, { message_id: 'a', status: 'b' }],
		[
			{ message_id: 'a', status: 'b' },
			{ message_id: 'a', status: 'c' },
		],
		[{ message_id: 'a:b' }, { message_id: 'a', status: 'b' }],
		[
			{ message_id: 'a:b', status: 'c' },
			{ message_id: 'a', status: 'b:c' },
		],
		[{ message_id: 'a:b' }, { message_id: 'a%3Ab' }],
		[{ message_id: 'a%3Ab' }, { message_id: 'a%253Ab' }],
	])('of %j is not that of %j', (data, otherData) => {
		const event = 'message.read';
		expect(read({ event, data }).key).not.toBe(read({ event, data: otherData }).key);
	});

	it.each([
		['message.read', { message_id: 'm1' }, 'message.read:m1'],
		['message.read', { message_id: 'm1', status: 'read' }, 'message.read:m1:read'],
		['message.read', { message_id: 'm1', status: 7 }, 'message.read:m1'],
		['flow.submitted', { submission_id: 's1' }, 'flow.submitted:s1'],
		['message.sent', { message_id: 'm'.repeat(128) }, `message.sent:${'m'.repeat(128)}`],
		['message.sent', { message_id: 'm'.repeat(129) }, /^message\.sent:[0-9a-f]{64}$/],
	])('of %s with %j is its readable parts', (event, data, expected) => {
		const key = read({ event, data }).key;
		if (typeof expected === 'string') expect(key).toBe(expected);
		else expect(key).toMatch(expected);
	});

	it('is short, however long the parts are', () => {
		const data = { message_id: 'm'.repeat(10_000), status: 's'.repeat(10_000) };
		expect(read({ event: 'message.read', data }).key.length).toBeLessThan(500);
		expect(read({ event: 'e'.repeat(10_000) }).key.length).toBeLessThan(500);
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

	it('of an incoming message has the service window, 24 hours from the message on', () => {
		const delivery = read({ event: 'message.incoming', timestamp: '2026-01-31T19:35:00+05:30' });
		expect(deliveryItem(delivery, receivedAt).serviceWindow).toEqual({
			openedAt: '2026-01-31T14:05:00.000Z',
			expiresAt: '2026-02-01T14:05:00.000Z',
		});
	});

	it.each(Object.keys(NETWORK_ERRORS))('of a failure with code %s has its remedy', (code) => {
		for (const data of [{ code: Number(code) }, { error: { code } }, { errors: [{ code }] }]) {
			expect(deliveryItem(read({ event: 'message.failed', data }), receivedAt).remedy).toBe(
				NETWORK_ERRORS[code].remedy,
			);
		}
	});

	it.each<[string, Record<string, unknown>]>([
		['message.failed', { code: 999999 }],
		['message.failed', {}],
		['message.read', { code: 131026 }],
	])('of %s with %j has no remedy', (event, data) => {
		expect(deliveryItem(read({ event, data }), receivedAt)).not.toHaveProperty('remedy');
	});
});
