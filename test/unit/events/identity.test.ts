import fc from 'fast-check';

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
const read = (data: object) => ({ event: 'message.read', data: { message_id: 'm1', ...data } });
const form = (event: string, city: string, data: object = {}) => ({
	event,
	data: { submission_id: 's1', form_data: { city, name: 'Asha' }, ...data },
});
const failed = (data: object) => ({ event: 'message.failed', data: { message_id: 'm1', ...data } });
const unknown = (data: object) => ({ event: 'template.approved', data });

const submitted = form('flow.submitted', 'Pune');
const updated = form('flow.updated', 'Pune');
const named = (event: string) => ({ ...read({}), event });
const later = { timestamp: LATER };
const NO_TIMESTAMP = { timestamp: undefined };

/** The same event delivered again; the workflow runs once. */
const once: Array<[string, Envelope, Envelope]> = [
	['delivered again as it was', yes, yes],
	['with its keys in another order', yes, { data: { text: 'Yes', from: '+919876543210' } }],
	['with a counter of tries in the envelope', yes, { attempt: 2 }],
	['with the counter before everything else', { attempt: 1, ...yes }, { attempt: 2, ...yes }],
	['an incoming message with message_id, each try stamped', withId('message_id'), {}],
	['an incoming message with wamid, each try stamped', withId('wamid'), {}],
	['an incoming message with id, each try stamped', withId('id'), {}],
	['an incoming message with a number as its ID, each try stamped', withId('id', 17), {}],
	['a read receipt, each try stamped', read({}), {}],
	['a message delivered, each try stamped', named('message.delivered'), {}],
	['a message sent, each try stamped', named('message.sent'), {}],
	['a read receipt with and without status', read({}), read({ status: 'read' })],
	['a read receipt with a counter in its data', read({ attempt: 1 }), read({ attempt: 2 })],
	['a read receipt that names its recipient', read({ recipient: '+1' }), {}],
	['a read receipt whose ID is a number', read({ message_id: 17 }), {}],
	['a failure with its reason told in another way', failed({ code: 1 }), failed({ error: 'x' })],
	['a form, each try stamped', submitted, {}],
	[
		'a form with inner keys in another order',
		updated,
		{ data: { form_data: { name: 'Asha', city: 'Pune' }, submission_id: 's1' } },
	],
	['a read receipt without a timestamp', { ...read({}), ...NO_TIMESTAMP }, {}],
	['a read receipt with a timestamp for one try only', read({}), NO_TIMESTAMP],
	['a form without a timestamp', { ...submitted, ...NO_TIMESTAMP }, {}],
	['an incoming message with an ID and no timestamp', { ...withId('id'), ...NO_TIMESTAMP }, {}],
	[
		'an event that the document does not know',
		unknown({ a: 1, b: [{ c: 2, d: 3 }] }),
		unknown({ b: [{ d: 3, c: 2 }], a: 1 }),
	],
];
/** What each try of the sender may have of its own. */
const STAMPED = /stamped/;

// README, React to customers: how a repetition is known
it.each(once)('%s: one event', (title, first, change) => {
	const again = { ...first, ...change, ...(STAMPED.test(title) ? { timestamp: LATER } : {}) };
	expect(keyOf(again)).toBe(keyOf(first));
});

/** Two events, or two deliveries that nobody can tell from two events; the workflow runs twice. */
const twice: Array<[string, Envelope, Envelope]> = [
	['a second "Yes"', yes, later],
	['a "Yes" without a timestamp', { ...yes, ...NO_TIMESTAMP }, {}],
	['a "Yes" whose timestamp is no time', { ...yes, timestamp: 'today' }, {}],
	['a "Yes" whose timestamp is a number', { ...yes, timestamp: 1769868300 }, {}],
	['a form updated without a timestamp', { ...updated, ...NO_TIMESTAMP }, {}],
	['another text in the same second', yes, { data: { ...yes.data, text: 'No' } }],
	['the same text of another customer', yes, { data: { ...yes.data, from: '+1' } }],
	['another text under an id', withId('id'), withId('id', 'wamid.1', { text: 'No' })],
	['another ID in the same second', withId('id', 'a'), withId('id', 'b')],
	['an empty ID, later', withId('id', ' '), later],
	['an ID that is no text, later', withId('id', { value: 1 }), later],
	['a message read by two recipients', read({ recipient: '+1' }), read({ recipient: '+2' })],
	['a message read by two recipients, called "to"', read({ to: '+1' }), read({ to: '+2' })],
	['recipients as objects', read({ recipient: { phone: 1 } }), read({ recipient: { phone: 2 } })],
	['read and delivered', read({}), { event: 'message.delivered' }],
	['two messages', read({}), read({ message_id: 'm2' })],
	['a receipt without an ID, later', read({ message_id: '' }), later],
	['IDs that are rounded numbers, later', read({ message_id: 2 ** 60 }), later],
	['a form updated to something else', updated, form('flow.updated', 'Goa')],
	['a form updated back a second later', updated, later],
	[
		'a form updated back, told by its data',
		form('flow.updated', 'Pune', { updated_at: AT }),
		form('flow.updated', 'Pune', { updated_at: LATER }),
	],
	['submitted and updated', submitted, { event: 'flow.updated' }],
	['two submissions', submitted, form('flow.submitted', 'Pune', { submission_id: 's2' })],
	['an unknown event with an ID, later', unknown({ message_id: 'm1' }), later],
	['items in another order', unknown({ a: [1, 2] }), { data: { a: [2, 1] } }],
	['a name that only ends like a known one', named('group.message.read'), later],
	['a name that only begins like a known one', named('message.read.undone'), later],
];

// README, React to customers: a second "Yes" counts
it.each(twice)('%s: two events', (_, first, change) => {
	expect(keyOf({ ...first, ...change })).not.toBe(keyOf(first));
});

it('a form updated A, B, A within a second is three events when the timestamps differ', () => {
	const times = ['00.100Z', '00.200Z', '00.300Z'].map((end) => `2026-01-31T14:05:${end}`);
	const keys = ['Pune', 'Goa', 'Pune'].map((city, index) =>
		keyOf({ ...form('flow.updated', city), timestamp: times[index] }),
	);
	expect(new Set(keys).size).toBe(3);
});

it('names of the prototype are keys like others', () => {
	const event = (data: string) =>
		keyOfText(`{"event":"message.incoming","timestamp":"${AT}","data":${data}}`);
	expect(event('{"__proto__":{"a":1}}')).not.toBe(event('{"__proto__":{"a":2}}'));
	expect(event('{"__proto__":1,"b":2}')).toBe(event('{"b":2,"__proto__":1}'));
});

it('white space, escapes and other ways to write the same JSON do not matter', () => {
	const one = `{"event":"message.incoming","timestamp":"${AT}","data":{"text":"caf\u00e9","n":1}}`;
	const other = `{ "data": {"n":1.0, "text":"caf\\u00e9"}, "timestamp":"${AT}", "event":"message.incoming" }`;
	expect(keyOfText(other)).toBe(keyOfText(one));
});

it('the order of keys never matters, and nothing else is overlooked', () => {
	const reversed = (value: unknown): unknown => {
		if (Array.isArray(value)) return value.map(reversed);
		if (typeof value !== 'object' || value === null) return value;
		const entries = Object.entries(value).map(([name, inner]) => [name, reversed(inner)]);
		return Object.fromEntries(entries.reverse()) as unknown;
	};
	const data = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 4 }));
	fc.assert(
		fc.property(data, data, (one, other) => {
			const key = keyOf({ event: 'template.approved', data: one });
			expect(keyOf({ event: 'template.approved', data: reversed(one) })).toBe(key);
			const isSame = isEqual(one, other);
			expect(keyOf({ event: 'template.approved', data: other }) === key).toBe(isSame);
		}),
	);
});

/** As JSON is: -0 is 0 in it. */
function isEqual(one: unknown, other: unknown): boolean {
	const plain = (value: unknown) => JSON.parse(JSON.stringify(value)) as unknown;
	try {
		expect(plain(one)).toEqual(plain(other));
		return true;
	} catch {
		return false;
	}
}

describe('the key', () => {
	it('of two messages or recipients is different, whatever they are called', () => {
		const odd = fc.constantFrom('a', 'a:b', 'b', 'a%3Ab', '%', ':', 'x'.repeat(200), '+1');
		const name = fc
			.oneof(fc.string({ minLength: 1, unit: 'binary' }), odd)
			.filter((text) => text.trim() !== '');
		const identity = fc.record({
			event: fc.constantFrom('message.sent', 'message.delivered', 'message.read', 'message.failed'),
			message_id: name,
			recipient: fc.option(name, { nil: undefined }),
		});
		const key = ({ event, ...data }: { event: string }) => keyOf({ event, data });
		fc.assert(
			fc.property(identity, identity, (one, other) => {
				const isSame = JSON.stringify(one) === JSON.stringify(other);
				expect(key(one) === key(other)).toBe(isSame);
			}),
			{ numRuns: 1000 },
		);
	});

	it.each([
		[read({}), 'message.read:m1'],
		[read({ recipient: '+919876543210' }), 'message.read:m1:+919876543210'],
		[read({ message_id: 'a:b', to: 'c' }), 'message.read:a%3Ab:c'],
		[submitted, 'flow.submitted:s1'],
		[read({ message_id: 'm'.repeat(128) }), `message.read:${'m'.repeat(128)}`],
		[read({ message_id: 'm'.repeat(129) }), /^message\.read:[0-9a-f]{64}$/],
		[yes, /^message\.incoming:[0-9a-f]{64}$/],
	])('of %j is its readable parts', (envelope, expected) => {
		if (typeof expected === 'string') expect(keyOf(envelope)).toBe(expected);
		else expect(keyOf(envelope)).toMatch(expected);
	});

	it('is short, however long the parts are', () => {
		const long = { message_id: 'm'.repeat(10_000), recipient: 's'.repeat(10_000) };
		expect(keyOf(read(long)).length).toBeLessThan(500);
		expect(keyOf({ event: 'e'.repeat(10_000) }).length).toBeLessThan(500);
	});
});
