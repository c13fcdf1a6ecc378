import { getCountries, getCountryCallingCode } from 'libphonenumber-js/max';
import { createContext, runInContext } from 'node:vm';

import { examples } from '../../support/examples.mts';

const [, messageLog] = examples.find(([name]) => name === 'message-log')!;
const { jsCode } = messageLog.nodes.find(({ name }) => name === 'Count')!.parameters;

/** What the Code node makes of both tables. */
function count(messages: object[], events: object[], groupBy?: string[]) {
	const tables = { 'All messages': messages, 'All events': events };
	const $ = (name: keyof typeof tables) => ({
		all: () => tables[name].map((json) => ({ json })),
	});
	const code = String(jsCode).replace(/(?<=GROUP_BY = )\[.+?\]/, (standing) =>
		groupBy ? JSON.stringify(groupBy) : standing,
	);
	return JSON.parse(JSON.stringify(runInContext(`(() => {${code}})()`, createContext({ $ })))) as [
		{ json: Record<string, unknown> },
	];
}

const SENT_AT = '2026-01-31T11:00:00.000Z';
const row = (more: object) => ({
	...{ workflow: 'Summer', phone: '+12025550110', outcome: 'sent', reason: '' },
	...{ template: 'summer_offer', category: 'marketing', cost: '0.8631', currency: 'INR' },
	...{ message_id: '', sent_at: SENT_AT },
	...more,
});
const noMessage = { template: '', category: '', cost: '', currency: '' };
const event = (name: string, id: string, at = SENT_AT) => ({ event: name, message_id: id, at });
const answer = (phone: string, at: string) => ({ event: 'message.incoming', phone, at });
const none = {
	...{ cost: 0, sent: 0, delivered: 0, read: 0, answered: 0, undelivered: 0 },
	...{ skipped: 0, failed: 0, unknown: 0, sentBefore: 0 },
};

test('costs are added up by category, country and currency, once for each message, with its events in whatever order they came', () => {
	const events = [
		// Before the message was in its table, and again.
		event('message.read', 'm1', '2026-01-31T10:59:59.000Z'),
		event('message.delivered', 'm1'),
		event('message.delivered', 'm1'),
		event('message.failed', 'm2'),
		event('message.delivered', 'of another account'),
	];
	const messages = [
		row({ message_id: 'm1' }),
		row({ message_id: 'm2' }),
		// The workflow was retried.
		row({ message_id: 'm2' }),
		row({ message_id: 'm3', phone: '+919876543210', cost: '0.1' }),
		row({ message_id: 'm4', phone: '+919876543210', cost: '0.2' }),
		row({ message_id: 'm5', category: 'service', cost: '0' }),
		row({ message_id: 'm6', currency: 'EUR', cost: '0.05' }),
		...['skipped', 'skipped', 'failed', 'unknown', 'sentBefore'].map((outcome) =>
			row({ ...noMessage, outcome }),
		),
		row({ ...noMessage, phone: '555-01', outcome: 'failed' }),
		...['dryRun', 'onlyTested'].map((reason) => row({ ...noMessage, outcome: 'skipped', reason })),
	];
	const usa = { category: 'marketing', country: '+1', currency: 'INR' };
	const ofNone = { category: '-', country: '+1', currency: '-' };
	expect(count(messages, events).map(({ json }) => json)).toEqual([
		{ ...none, ...usa, cost: 1.7262, sent: 2, delivered: 1, read: 1, undelivered: 1 },
		{ ...none, ...usa, country: '+91', cost: 0.3, sent: 2 },
		{ ...none, ...usa, category: 'service', sent: 1 },
		{ ...none, ...usa, currency: 'EUR', cost: 0.05, sent: 1 },
		{ ...none, ...ofNone, skipped: 2, failed: 1, unknown: 1, sentBefore: 1 },
		{ ...none, ...ofNone, country: '-', failed: 1 },
	]);
	// An empty table gives one empty item.
	expect(count([row({})], [{}])).toMatchObject([{ json: { sent: 1, delivered: 0 } }]);
});

test('what a note says: the results of each workflow', () => {
	const messages = [row({}), row({ workflow: 'Autumn' })];
	expect(count(messages, [], ['workflow'])).toMatchObject([
		{ json: { workflow: 'Summer', sent: 1 } },
		{ json: { workflow: 'Autumn', sent: 1 } },
	]);
});

test.each([
	['2026-01-31T10:59:59.999Z', 0],
	[SENT_AT, 1],
	['2026-02-03T11:00:00.000Z', 1],
	['2026-02-03T11:00:00.001Z', 0],
])('an answer at %s counts for %i messages', (at, answered) => {
	const { phone } = row({});
	const events = [answer(phone, at), answer('+2', SENT_AT)];
	const messages = [row({}), row({ ...noMessage, outcome: 'skipped' })];
	const sums = count(messages, events).map(({ json }) => json.answered);
	expect(sums).toEqual([answered, 0]);
});

test('the country of a number is its calling code', () => {
	const codes = [...new Set(getCountries().map((country) => `+${getCountryCallingCode(country)}`))];
	const messages = codes.map((code) => row({ phone: `${code}5550110` }));
	expect(count(messages, []).map(({ json }) => json.country)).toEqual(codes);
	expect(codes.length).toBeGreaterThan(200);
});
