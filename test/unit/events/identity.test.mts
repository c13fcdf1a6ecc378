import { readDelivery } from '../../../nodes/BusinessMessaging/events/event';

const AT = '2026-01-31T14:05:00Z';
const LATER = '2026-01-31T14:05:01Z';

type Envelope = Record<string, unknown>;

function keyOfText(json: string): string {
	const delivery = readDelivery(Buffer.from(json));
	if ('problem' in delivery) throw new Error(delivery.problem);
	return delivery.key;
}

function keyOf(envelope: Envelope): string {
	return keyOfText(JSON.stringify({ timestamp: AT, data: {}, ...envelope }));
}

const yes = { event: 'message.incoming', data: { from: '+919876543210', text: 'Yes' } };
const withId = (name: string, id: unknown = 'wamid.1', data: object = {}) => ({
	...yes,
	data: { ...yes.data, [name]: id, ...data },
});
const message = (event: string, data = {}) => ({
	event,
	data: { message_id: 'm1', ...data },
});
const read = (data: object = {}) => message('message.read', data);
const form = (event: string, city: string, data: object = {}) => ({
	event,
	data: { submission_id: 's1', form_data: { city, name: 'Asha' }, ...data },
});
const unknown = (data: object) => ({ event: 'template.approved', data });

const submitted = form('flow.submitted', 'Pune');
const updated = form('flow.updated', 'Pune');
const later = { timestamp: LATER };
const NO_TIMESTAMP = { timestamp: undefined };

// docs/trigger.md: how a repetition is known
it.each<[string, Envelope, Envelope]>([
	['with its keys in another order', yes, { data: { text: 'Yes', from: '+919876543210' } }],
	['with a counter of tries in the envelope', { attempt: 1, ...yes }, { attempt: 2 }],
	['an incoming message with message_id, each try stamped', withId('message_id'), later],
	['an incoming message with a number as its ID, each try stamped', withId('wamid', 17), later],
	['an incoming message with an ID and no timestamp', { ...withId('wamid'), ...NO_TIMESTAMP }, {}],
	['a message sent, each try stamped', message('message.sent'), later],
	['a form submitted, each try stamped', submitted, later],
	[
		'an event that the document does not know',
		unknown({ a: 1, b: [{ c: 2, d: 3 }] }),
		unknown({ b: [{ d: 3, c: 2 }], a: 1 }),
	],
])('%s: one event', (_, first, change) => {
	expect(keyOf({ ...first, ...change })).toBe(keyOf(first));
});

// docs/trigger.md: a second "Yes" counts
it.each<[string, Envelope, Envelope]>([
	['a second "Yes"', yes, later],
	['a "Yes" without a timestamp', { ...yes, ...NO_TIMESTAMP }, {}],
	['another text in the same second', yes, { data: { ...yes.data, text: 'No' } }],
	[
		'another text under an ID',
		withId('message_id'),
		withId('message_id', 'wamid.1', { text: 'No' }),
	],
	['a second "Yes" with an ID that may be the customer\'s', withId('id'), later],
	['an empty ID, later', withId('wamid', ' '), later],
	['a message read by two recipients, called "to"', read({ to: '+1' }), read({ to: '+2' })],
	['two messages', read(), read({ message_id: 'm2' })],
	['a message that was sent and read', message('message.sent'), read()],
	['a receipt without an ID, later', read({ message_id: '' }), later],
	['IDs that are rounded numbers, later', read({ message_id: 2 ** 60 }), later],
	['a form updated to something else', updated, form('flow.updated', 'Goa')],
	['two submissions', submitted, form('flow.submitted', 'Pune', { submission_id: 's2' })],
	['an unknown event with an ID, later', unknown({ message_id: 'm1' }), later],
])('%s: two events, or what nobody can tell from two', (_, first, change) => {
	expect(keyOf({ ...first, ...change })).not.toBe(keyOf(first));
});

const long = { message_id: 'm'.repeat(500), recipient: 's'.repeat(500) };

it.each<[Envelope, RegExp]>([
	[read({ message_id: 'a:b', to: 'c' }), /^message\.read:a%3Ab:c$/],
	[read({ message_id: 'a%3Ab', recipient: 'c' }), /^message\.read:a%253Ab:c$/],
	[read({ message_id: 'm'.repeat(128) }), /^message\.read:m{128}$/],
	[yes, /^message\.incoming:[0-9a-f]{64}$/],
	[read(long), /^message\.read:[0-9a-f]{64}:[0-9a-f]{64}$/],
])('the key of %j is its readable parts, and short', (envelope, expected) => {
	expect(keyOf(envelope)).toMatch(expected);
});

it.each([
	['an answer with the ID of the message answered', 'message.incoming', '"wamid":"w1","id":'],
	['a list of an unknown event', 'order.paid', '"ids":["o1", -'],
])('%s with a number beyond 2^53 is the same event only if the body is', (_, event, beforeId) => {
	const end = beforeId.includes('[') ? ']' : '';
	const body = (id: string, more = '') =>
		`{"event":"${event}","timestamp":"${AT}","data":{${beforeId}${id}${end}}${more}}`;
	const first = keyOfText(body('9007199254740993'));
	expect(keyOfText(body('9007199254740993'))).toBe(first);
	expect(keyOfText(body('9007199254740992'))).not.toBe(first);
	expect(keyOfText(body('9007199254740993', ',"attempt":2'))).not.toBe(first);
});

it('a long number in a text or behind a point says nothing', () => {
	const order = { ...yes, data: { text: 'a\\": 1234567890123456', part: 0.1234567890123456 } };
	expect(keyOf({ ...order, attempt: 2 })).toBe(keyOf(order));
});
