import { createContext, runInContext } from 'node:vm';

import { examples } from '../../support/examples.mts';

const [, campaignResults] = examples.find(([name]) => name === 'campaign-results')!;
const { jsCode } = campaignResults.nodes.find(({ name }) => name === 'Count')!.parameters;

/** What the Code node makes of both tables. */
function count(messages: object[], events: object[]) {
	const tables = { 'All messages': messages, 'All events': events };
	const $ = (name: keyof typeof tables) => ({
		all: () => tables[name].map((json) => ({ json })),
	});
	return JSON.parse(
		JSON.stringify(runInContext(`(() => {${String(jsCode)}})()`, createContext({ $ }))),
	) as unknown;
}

const SENT_AT = '2026-01-31T11:00:00.000Z';
const message = (id: string, phone: string, campaign = 'Summer') => ({
	campaign,
	message_id: id,
	phone,
	sent_at: SENT_AT,
});
const event = (name: string, id: string, at = SENT_AT) => ({ event: name, message_id: id, at });
const answer = (phone: string, at: string) => ({ event: 'message.incoming', phone, at });

test('events count in whatever order they came, and how often, for each campaign', () => {
	const events = [
		// Before the message was in its table, and again.
		event('message.read', 'm1', '2026-01-31T10:59:59.000Z'),
		event('message.delivered', 'm1'),
		event('message.delivered', 'm1'),
		event('message.failed', 'm2'),
		event('message.delivered', 'of another workflow'),
	];
	const messages = [message('m1', '+1'), message('m2', '+2'), message('m3', '+3', 'Autumn')];
	const none = { delivered: 0, read: 0, failed: 0, answered: 0 };
	expect(count(messages, events)).toEqual([
		{ json: { ...none, campaign: 'Summer', sent: 2, delivered: 1, read: 1, failed: 1 } },
		{ json: { ...none, campaign: 'Autumn', sent: 1 } },
	]);
	// An empty table gives one empty item.
	expect(count([message('m1', '+1')], [{}])).toEqual([
		{ json: { ...none, campaign: 'Summer', sent: 1 } },
	]);
});

test.each([
	['2026-01-31T10:59:59.999Z', 0],
	[SENT_AT, 1],
	['2026-02-03T11:00:00.000Z', 1],
	['2026-02-03T11:00:00.001Z', 0],
])('an answer at %s counts for %i messages', (at, answered) => {
	expect(count([message('m1', '+1')], [answer('+1', at), answer('+2', SENT_AT)])).toMatchObject([
		{ json: { answered } },
	]);
});
