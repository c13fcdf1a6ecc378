import { createContext, runInContext } from 'node:vm';

import { examples } from '../../support/examples.mts';

function parametersOf(example: string, node: string) {
	const [, { nodes }] = examples.find(([name]) => name === example)!;
	return nodes.find(({ name }) => name === node)!.parameters;
}

/** What the items have that a Code node puts out. */
function run(code: unknown, globals: object) {
	const items = runInContext(`(() => {${String(code)}})()`, createContext(globals)) as unknown;
	const copied = JSON.parse(JSON.stringify(items)) as Array<{ json: Record<string, unknown> }>;
	return copied.map(({ json }) => json);
}

describe('stop', () => {
	const { jsCode } = parametersOf('stop', 'STOP or START');
	const { assignments } = parametersOf('stop', 'Words').assignments as {
		assignments: Array<{ name: 'stop' | 'start'; value: string }>;
	};
	const words = Object.fromEntries(assignments.map(({ name, value }) => [name, value]));

	/** What it makes of an event. */
	function read(data: object, phone: string | null = '+12025550110') {
		const event = { phone, data, serviceWindow: { openedAt: '2026-01-31T12:00:00.000Z' } };
		const first = (json: object) => ({ first: () => ({ json }) });
		return run(jsCode, { $input: first(words), $: () => first(event) });
	}

	const statusOf = (text: string) => read({ from: '+12025550110', text })[0]?.status;

	it.each([
		['stopped', words.stop],
		['started', words.start],
	])('a word means %s in capitals or not, with spaces and marks', (status, list) => {
		expect(list.split(', ').length).toBeGreaterThan(3);
		for (const word of list.split(', ')) {
			for (const text of [
				...[word, word.toLowerCase(), word.toUpperCase(), `  ${word}\n`, `*${word}*!`],
				...[[...word].join(' '), word.normalize('NFD'), `\u200f${word}`, `${word} 🙏`],
			]) {
				expect([text, statusOf(text)]).toEqual([text, status]);
			}
		}
	});

	it.each([
		['DESINSCRIRE', 'stopped'],
		['ＳＴＯＰ', 'stopped'],
		['تَوَقَّف', 'stopped'],
		['opt-in', 'started'],
		['wznow', 'started'],
		['Please stop by tomorrow', undefined],
		['👍', undefined],
		['', undefined],
	])('"%s" means %s', (text, status) => {
		expect(statusOf(text)).toBe(status);
	});

	it('the word is found in whatever field it stands, and kept as it was written', () => {
		const phone = '+12025550110';
		expect(read({ message: { parts: [null, 7, { body: ' Stop. ' }] } })).toEqual([
			{
				phone,
				customer: phone,
				status: 'stopped',
				word: 'Stop.',
				since: '2026-01-31T12:00:00.000Z',
			},
		]);
	});

	it.each([
		[{ from: 'asha.k', text: 'STOP' }, 'asha.k'],
		[{ from: '', text: 'STOP' }, '{"from":"","text":"STOP"}'],
		[{ text: 'STOP' }, '{"text":"STOP"}'],
	])('the customer of %j, who has no number, is %s', (data, customer) => {
		expect(read(data, null)).toMatchObject([{ phone: null, customer }]);
		expect(read({ ...data, text: 'Hello' }, null)).toEqual([]);
	});
});

describe('message-log', () => {
	const { jsCode } = parametersOf('message-log', 'Count');

	/** What it makes of both tables. */
	function count(messages: object[], events: object[] = []) {
		const tables = { 'All messages': messages, 'All events': events };
		const itemsOf = (name: keyof typeof tables) => tables[name].map((json) => ({ json }));
		return run(jsCode, { $: (name: keyof typeof tables) => ({ all: () => itemsOf(name) }) });
	}

	const SENT_AT = '2026-01-31T11:00:00.000Z';
	const row = (more: object = {}) => ({
		...{ workflow: 'Summer', phone: '+12025550110', outcome: 'sent', reason: '' },
		...{ template: 'summer_offer', category: 'marketing', cost: '0.8631', currency: 'INR' },
		...{ message_id: '', sent_at: SENT_AT },
		...more,
	});
	const unsent = (outcome: string, more: object = {}) =>
		row({ template: '', category: '', cost: '', currency: '', outcome, ...more });
	const event = (name: string, id: string, at = SENT_AT) => ({ event: name, message_id: id, at });
	const none = {
		...{ cost: 0, sent: 0, delivered: 0, read: 0, answered: 0, undelivered: 0 },
		...{ skipped: 0, failed: 0, unknown: 0, sentBefore: 0 },
	};

	it('costs are added up by category, country and currency, once for each message, with its events in whatever order they came', () => {
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
			row({ message_id: 'm7', phone: '+35312345678', workflow: 'Autumn' }),
			row({ message_id: 'm5', category: 'service', cost: '0' }),
			row({ message_id: 'm6', currency: 'EUR', cost: '0.05' }),
			...['skipped', 'skipped', 'failed', 'unknown', 'sentBefore'].map((each) => unsent(each)),
			unsent('failed', { phone: '555-01' }),
			...['dryRun', 'onlyTested'].map((reason) => unsent('skipped', { reason })),
		];
		const usa = { category: 'marketing', country: '+1', currency: 'INR' };
		const ofNone = { category: '-', country: '+1', currency: '-' };
		expect(count(messages, events)).toEqual([
			{ ...none, ...usa, cost: 1.7262, sent: 2, delivered: 1, read: 1, undelivered: 1 },
			{ ...none, ...usa, country: '+91', cost: 0.3, sent: 2 },
			{ ...none, ...usa, country: '+353', cost: 0.8631, sent: 1 },
			{ ...none, ...usa, category: 'service', sent: 1 },
			{ ...none, ...usa, currency: 'EUR', cost: 0.05, sent: 1 },
			{ ...none, ...ofNone, skipped: 2, failed: 1, unknown: 1, sentBefore: 1 },
			{ ...none, ...ofNone, country: '-', failed: 1 },
		]);
		// An empty table gives one empty item.
		expect(count([row()], [{}])).toMatchObject([{ sent: 1, delivered: 0 }]);
	});

	it.each([
		['2026-01-31T10:59:59.999Z', 0],
		[SENT_AT, 1],
		['2026-02-03T11:00:00.000Z', 1],
		['2026-02-03T11:00:00.001Z', 0],
	])('an answer at %s counts for %i messages', (at, answered) => {
		const answer = (phone: string, of: string) => ({ event: 'message.incoming', phone, at: of });
		const events = [answer(row().phone, at), answer('+2', SENT_AT)];
		expect(count([row(), unsent('skipped')], events)).toMatchObject([
			{ answered },
			{ answered: 0 },
		]);
	});
});
