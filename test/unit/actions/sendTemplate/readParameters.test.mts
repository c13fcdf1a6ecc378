import { DateTime } from 'luxon';
import type { GenericValue, IDataObject, INodeParameters } from 'n8n-workflow';

import { readSendOnceKey } from '../../../../nodes/BusinessMessaging/actions/options/sendOnceKey';
import { TestMessages } from '../../../../nodes/BusinessMessaging/actions/options/testRecipient';
import { readCustomerLastMessageAt } from '../../../../nodes/BusinessMessaging/actions/sendTemplate/readParameters';
import { sendTemplate } from '../../../../nodes/BusinessMessaging/actions/sendTemplate/sendTemplate.operation';
import { withParameters } from '../../../support/parameters.mts';
import { sentencesOf } from '../../../support/sentencesOf.mts';

const NEEDED = {
	to: '+14155552671',
	templateName: 'order_update',
	category: 'utility',
	variablesInput: 'none',
};

/** @param entered by path: how a parameter was entered */
function read(parameters: IDataObject, entered: INodeParameters = {}, test?: TestMessages) {
	const context = withParameters(
		{ ...NEEDED, ...parameters },
		{
			getTimezone: () => 'UTC',
			getNode: () => ({ id: 'node-1', type: 'businessMessaging' }),
			getInputData: () => [{ json: parameters.json }],
		},
		entered,
	);
	return sendTemplate.read(context, 0, Date.UTC(2026, 1, 1), test);
}

const TEXT = { variablesInput: 'templateText', templateText: 'Hi {{1}}' };
const JSON_OF = (variablesJson: string) => ({ variablesInput: 'json', variablesJson });
const TWO = { templateText: 'Hi {{1}}, {{2}}' };
const HAS_TWO =
	', but the template text has {{1}} to {{2}}. Correct one of them, or clear Template Text.';
const AUTO = { category: 'auto', customerLastMessageAt: '2026-01-31T14:00:00Z' };

it.each<[string, INodeParameters, INodeParameters?]>([
	[
		'Template Name is empty. Enter the name of an approved template, exactly as in your',
		{ templateName: ' \u200b\n' },
	],
	[
		'Template Name has "undefined" in it',
		{ templateName: 'order_undefined' },
		{ templateName: '={{ $json.name }}' },
	],
	[
		'Template Name has "{{1}}" in it. Paste the text of the template into Template Text',
		{ templateName: 'Hi {{1}}, bye' },
	],
	[
		'Template Name has "{{ $json.name }}" in its text. Switch its field from Fixed',
		{ templateName: '{{ $json.name }}' },
	],
	[
		'The default country "UK" is not a country code. Use two letters such as IN, US, or GB for the United Kingdom.',
		{ options: { defaultCountry: 'UK' } },
	],
	["Category is Auto, but Customer's Last Message At is empty. Map the", { category: 'auto' }],
	[
		'Category is "spam". Choose one of authentication, auto, marketing, service, utility.',
		{ category: 'spam' },
	],
	[
		'Fallback Category is "x". Choose one of authentication, marketing, utility.',
		{ ...AUTO, fallbackCategory: 'x' },
	],
	['Variables is "list". Choose one of templateText, json, none.', { variablesInput: 'list' }],
	[
		'Template Text is empty. Paste the text of the approved template, or set Variables to None when it has no placeholders.',
		{ ...TEXT, templateText: null as never },
	],
	[`Variables is None${HAS_TWO}`, TWO],
	[`Variables (JSON) has 1 value${HAS_TWO}`, { ...TWO, ...JSON_OF('["Asha"]') }],
	[`Variables (JSON) has 3 values${HAS_TWO}`, { ...TWO, ...JSON_OF('[1, 2, 3]') }],
	['The variable {{1}} ("Hi {{1}}") is empty', { ...TEXT, ...JSON_OF('[""]') }],
])('nothing is sent: %s', (sentences, parameters, entered = parameters) => {
	expect(sentencesOf(() => read(parameters, entered))).toContain(sentences);
});

it.each([
	[' \u200b order_update\n', 'order_update'],
	['undefined', 'undefined'],
	['about_www.v2', 'about_www.v2'],
])('the template name %j is sent as "%s"', (templateName, sent) => {
	const message = { to: '+14155552671', type: 'template', templateName: sent };
	expect(read({ templateName }).message).toEqual(message);
});

const REPLACED =
	'The recipient is empty, because a Business Messaging node before this one replaced the item with its output. ';

it.each<[IDataObject, string]>([
	[
		{ message_id: 'm1', to: '+1', status: 'sent', template_name: 'a' },
		`${REPLACED}Map the number from the node that has it, such as {{ $("Get rows")`,
	],
	[{ skipped: 'tooLate', to: '+1' }, `${REPLACED}Map the number from the node`],
	[
		{ event: 'message.incoming', phone: null, data: { from: 'asha.k' }, deliveryKey: 'k' },
		'The recipient is empty, because the event has no phone number: the customer hides it, or the API did not send it. A template',
	],
	[
		{ phone: null, name: 'Asha' },
		'The recipient is empty. Enter or map a phone number with its country code. The item has the fields "phone", "name".',
	],
	[{}, ' The item has no fields.'],
	[{ phone: '' }, ' The item has the field "phone".'],
	[
		{ phone: 1, deliveryKey: 2, 'e\nf': 5 },
		' The item has the fields "phone", "deliveryKey", "e f".',
	],
	[{ a: 1, b: 2, c: 3, d: 4, e: 5, f: 6 }, ' fields "a", "b", "c", "d", "e" and 1 more.'],
	// Columns of a sheet.
	[{ phone: '', message_id: 'm1', to: '' }, 'The recipient is empty. Enter or map a'],
	[{ phone: '', skipped: 'tooLate' }, 'The recipient is empty. Enter or map a phone number'],
])('without a recipient, an item like %j gets advice that fits', (json, sentences) => {
	expect(sentencesOf(() => read({ to: undefined, json }))).toContain(sentences);
});

it.each([
	[{ category: ' Marketing\n' }, { category: 'marketing' }],
	[
		{ ...AUTO, category: 'Auto' },
		{
			category: 'auto',
			customerLastMessageAt: Date.UTC(2026, 0, 31, 14),
			fallbackCategory: 'utility',
		},
	],
	[{ ...AUTO, fallbackCategory: 'MARKETING' }, { fallbackCategory: 'marketing' }],
])('a category that an expression gives may have capitals and spaces: %j', (parameters, choice) => {
	expect(read(parameters).categoryChoice).toMatchObject(choice);
});

describe('the variables', () => {
	it.each<[INodeParameters, string?, true?]>([
		[{ ...TEXT, templateText: '=Hi {{ 1}}! }}', variable1: 'Asha' }, 'Hi Asha!'],
		[{ ...TEXT, templateText: 'Hi={{1}}', variable1: 'Asha\n' }, 'Hi=Asha', true],
		[{ ...TEXT, variablesInput: 'JSON', variablesJson: '["Asha"]' }, 'Hi Asha'],
		[JSON_OF('["Asha"]')],
	])('of %j are sent, and make a preview when there is a text', (...row) => {
		const [parameters, preview, isChanged] = row;
		// n8n would compute the text.
		const computed = 'templateText' in parameters ? { templateText: 'Hi !' } : {};
		const job = read({ ...parameters, ...computed }, parameters);
		expect(job.message.templateVariables).toEqual({ 1: 'Asha' });
		expect([job.preview, job.incomplete]).toEqual([preview, []]);
		expect(job.whitespaceNormalized).toBe(isChanged);
	});

	it('are read without n8n asking for each of them whether it is shown, which takes long', () => {
		const context = withParameters({ ...NEEDED, ...TEXT, variable1: 'Asha' });
		const asked = jest.spyOn(context, 'getNodeParameter');
		sendTemplate.read(context, 0, 0);
		expect(asked).toHaveBeenCalledWith('variable1', 0, '', { skipValidation: true });
	});
});

describe("the time of the customer's last message", () => {
	const NOW = Date.UTC(2026, 0, 31, 14, 5);
	const AT_TWO = Date.UTC(2026, 0, 31, 14);
	const LATEST = NOW + 5 * 60_000;
	const readTime = (value: unknown) => readCustomerLastMessageAt(value, 'Asia/Kolkata', NOW);

	it.each<[unknown, number?]>([
		[' 2026-01-31T14:00:00.000Z\n'],
		['2026-01-31T19:30:00+05:30'],
		['2026-01-31T19:30:00+0530'],
		['2026-01-31 14:00:00+00'],
		// Without an offset: in the time zone of the workflow.
		['2026-01-31T19:30'],
		['2026-01-31 19:30:00'],
		['2026-01-31', Date.UTC(2026, 0, 30, 18, 30)],
		[`${AT_TWO / 1000}.000`],
		[` ${AT_TWO} `],
		[new Date(AT_TWO)],
		[DateTime.fromMillis(AT_TWO)],
		[1e9, 1e12],
		[1e12, 1e12],
		[new Date(1e12), 1e12],
		[LATEST, LATEST],
	])('can be %s', (value, expected = AT_TWO) => {
		expect(readTime(value)).toBe(expected);
	});

	const NOT_A_DATE = "Customer's Last Message At is not a date: ";

	it.each<[unknown, string?]>([
		[['yesterday'], `${NOT_A_DATE}a list`],
		[{}, `${NOT_A_DATE}an object. Use a date and time such as 2026-01-31T14:05:00Z`],
		[new Date('x'), `${NOT_A_DATE}"Invalid Date"`],
		[' \n', "Category is Auto, but Customer's Last Message At is empty"],
		[
			LATEST + 1,
			'At is in the future: "2026-01-31T14:10:00.001Z". By n8n\'s own clock it is "2026-01-31T14:05:00.000Z" now. If that is wrong, set the clock',
		],
		[1e9 - 1],
		[1e11],
		[1e12 - 1],
		[1e14],
		[new Date(1e12 - 1)],
		['01/02/2026'],
		['on 2026-01-31'],
		['20260131140000'],
		[`+${AT_TWO}`],
		[20260131n],
		['2026-01-31T14:00:00Z[Asia/Kolkata]'],
		['2026-02-30'],
		['2026-01-31T25:00:00Z'],
	])('can not be %s', (value, sentences = NOT_A_DATE) => {
		expect(sentencesOf(() => readTime(value))).toContain(sentences);
	});
});

describe('Budget', () => {
	const BUDGET = { amount: 10, period: 'day', people: 0 };
	const CONVERSATION = { ...BUDGET, period: 'conversation', conversation: ' session-1 ' };
	const readBudget = (budget: object, conversation = '') =>
		read(
			{ options: { budget: { budget } as IDataObject } },
			{ 'options.budget.budget.conversation': conversation },
		).budget;

	it.each<[object, object]>([
		[BUDGET, {}],
		[
			{ ...BUDGET, amount: '0.5', period: 'Month' },
			{ limit: 0.5, period: 'month' },
		],
		[
			{ ...BUDGET, people: 3, name: 'agents' },
			{ people: 3, counter: 'name:agents' },
		],
		[CONVERSATION, { period: { conversation: 'session-1' } }],
	])('%j', (budget, expected) => {
		expect(readBudget(budget)).toEqual({
			counter: 'node:node-1',
			limit: 10,
			period: 'day',
			people: Infinity,
			timeZone: 'UTC',
			...expected,
		});
	});

	it.each<[object, RegExp, string?]>([
		[{ ...BUDGET, amount: -1 }, /^Amount in Budget is "-1"\. Enter a number from 0 up\.$/],
		[{ ...BUDGET, people: 51 }, /^People in Budget is "51"\. Enter a number from 0 to 50/],
		[{ ...BUDGET, period: 'week' }, /^Period in Budget is "week"\. Choose one of conversation,/],
		[
			{ ...CONVERSATION, conversation: undefined },
			/^Conversation ID in Budget is empty\. Enter what tells/,
		],
		[
			{ ...CONVERSATION, conversation: ' ' },
			/is empty, because its expression gives nothing\. Enter what tells/,
			"={{ $('Chat').first().json.sessionId }}",
		],
		[
			CONVERSATION,
			/reads the item, or what .* such as \{\{ \$\('When chat message received'\)\.first\(\)/,
			'={{ $json.sessionId }}',
		],
	])('%j is refused: %p', (budget, sentences, entered = '') => {
		expect(sentencesOf(() => readBudget(budget, entered))).toMatch(sentences);
	});
});

describe('Frequency Cap', () => {
	const CAP = { messages: 1, period: 24, unit: 'hours' };
	const readCap = (cap?: object, name = '') =>
		read(
			{ options: { frequencyCap: { cap } as IDataObject } },
			{ 'options.frequencyCap.cap.name': name },
		).cap;

	it.each([
		[CAP, { messages: 1, periodMs: 86_400_000 }],
		[
			{ messages: '10', period: '720', unit: 'Hours', name: ' marketing ' },
			{ counter: 'name:marketing', messages: 10, periodMs: 2_592_000_000 },
		],
		[
			{ messages: 3.9, period: 30, unit: 'days' },
			{ messages: 3, periodMs: 2_592_000_000 },
		],
		[
			{ ...CAP, period: 1, unit: 'minutes' },
			{ messages: 1, periodMs: 60_000 },
		],
	])('%j', (cap, expected) => {
		expect(readCap(cap)).toEqual({ counter: 'node:node-1', number: NEEDED.to, ...expected });
	});

	const MESSAGES = 'Enter a number from 1 to 10.';

	it.each<[object | undefined, string, string?]>([
		[undefined, 'Frequency Cap is empty. Fill it in, or remove the option. An expression can'],
		[{ ...CAP, messages: undefined }, `Messages in Frequency Cap is "undefined". ${MESSAGES}`],
		[{ ...CAP, messages: 11 }, `Messages in Frequency Cap is "11". ${MESSAGES}`],
		[{ ...CAP, period: '' }, 'Period in Frequency Cap is "". Enter a number from 1 up.'],
		[
			{ ...CAP, period: 721 },
			'Period in Frequency Cap is "721" hours. Open Options and enter 30 days at most.',
		],
		[
			{ ...CAP, unit: 'weeks' },
			'Unit in Frequency Cap is "weeks". Choose one of days, hours, minutes.',
		],
		[
			{ ...CAP, name: ['a'] },
			'Shared Name in Frequency Cap is "["a"]". Enter a text, or nothing to count the messages of this node only.',
		],
		[
			{ ...CAP, name: ' ' },
			'Shared Name in Frequency Cap is empty, because its expression gives nothing. Enter a text, or',
			'={{ $json.team }}',
		],
		[
			{ ...CAP, name: '{{ $json.team }}' },
			'Shared Name in Frequency Cap has "{{ $json.team }}" in its text. Switch',
			'{{ $json.team }}',
		],
		[{ ...CAP, name: 'a\ud83c' }, 'Shared Name in Frequency Cap has half a character in it'],
	])('%j is refused: %s', (cap, sentences, entered = '') => {
		expect(sentencesOf(() => readCap(cap, entered))).toContain(sentences);
	});

	it('and Send Between are checked, but do not hold, when the messages go to a test recipient', () => {
		const options = { frequencyCap: { cap: CAP }, sendBetween: { hours: { from: '9' } } };
		expect(sentencesOf(() => read({ options }))).toContain('From in Send Between is "9"');
		const sendBetween = { hours: { from: '09:00', until: '20:00', timeZone: 'workflow' } };
		const given = { options: { ...options, sendBetween } };
		expect(read(given)).toMatchObject({ sendBetween: { from: 540 }, cap: { messages: 1 } });
		const test = read(given, {}, new TestMessages('+14155552679', 3, {}, 0));
		expect(test.sendBetween ?? test.cap).toBeUndefined();
	});
});

describe('a Send Once Key', () => {
	const HOW =
		'Open Options and enter a key that only this message has, such as order-{{ $json.orderNumber }}-shipped, or remove the option.';

	/** What single expressions give; all others give something. */
	function compute(expression: string): unknown {
		if (expression.includes('broken')) throw new Error('invalid syntax');
		if (expression === '{{ $json.big }}') return 2 ** 53;
		return expression === '{{ $json.none }}' ? null : 'something';
	}

	const readKey = (sendOnceKey: GenericValue, raw: unknown) =>
		readSendOnceKey(sendOnceKey, { entered: raw, compute });

	it.each<[GenericValue, unknown, string]>([
		[' order-7 ', '={{ $json.key }}', 'order-7'],
		[2 ** 53 - 1, '={{ $json.id }}', '9007199254740991'],
		['A\u00ad-17 \u200b', '={{ $json.key }}', 'A-17'],
		['order-null', 'order-null', 'order-null'],
		['{{ 1 }}-7', '={{ $json.key }}', '{{ 1 }}-7'],
		['a-b', '={{ {a: {b: "broken"}}.a.b }}-{{ $json.b }}', 'a-b'],
	])('the key %j, entered as %j, is "%s"', (value, raw, key) => {
		expect(readKey(value, raw)).toBe(key);
	});

	const nothing = (expression: string) =>
		`The expression ${expression} in Send Once Key gives nothing: it is`;
	const ROUNDED = 'a number with more digits than n8n keeps. Give it as text';

	it.each<[GenericValue, unknown, string]>([
		['', '={{ $json.key }}', `Send Once Key is empty. ${HOW}`],
		['\u200b', '\u200b', `Send Once Key is empty. ${HOW}`],
		[['a'], '={{ $json.keys }}', `Send Once Key is "["a"]". ${HOW}`],
		['--', '={{ $json.a }}-{{ $json.b }}-', `${nothing('{{ $json.a }}')} "--". ${HOW}`],
		['1-', '={{ $json.a }}-{{ $json.none }}', `${nothing('{{ $json.none }}')} "1-". ${HOW}`],
		['order-null', '=order-{{ $json.a }}', `Send Once Key is "order-null". ${HOW}`],
		['a\ud83c', '={{ $json.a }}', 'Send Once Key has half a character in it'],
		['{{ $json.a }}', '{{ $json.a }}', 'Send Once Key has "{{ $json.a }}" in its text. Switch its'],
		[2 ** 53, '={{ $json.id }}', `Send Once Key is ${ROUNDED}`],
		// Two orders would have the same key, and the second customer would get nothing.
		[
			`order-${2 ** 53}`,
			'=order-{{ $json.big }}',
			`Send Once Key has the expression "{{ $json.big }}", which is ${ROUNDED}`,
		],
	])('the key %j, entered as %j, is refused', (value, raw, sentences) => {
		expect(sentencesOf(() => readKey(value, raw))).toContain(sentences);
	});

	it.each([
		'{{ $itemIndex }}',
		'order-{{ $itemIndex + 1 }}-shipped',
		'{{ "row" }}-{{ $runIndex }}',
		'{{ $position }}/{{ $itemIndex }}',
	])('that only counts is refused: %s', (raw) => {
		const [counting] = /\{\{ \$.*?\}\}/.exec(raw.replace('{{ "row" }}', '')) ?? [];
		expect(sentencesOf(() => readKey('the key', `=${raw}`))).toBe(
			`Send Once Key only counts items (${counting}), so the next list has the same keys. ${HOW}`,
		);
	});

	it.each([
		'Math.random()',
		'[1, 2].randomItem()',
		'$json.a + $now',
		'$now.toISO()',
		"Date.now() + '-' + $json.id",
		'Math.floor(Date.now() / 1000)',
		'Math.floor(Date.now() / 6e4)',
		'new Date().toISOString()',
		"$now.toFormat('yyyyMMddHHmmss')",
		'$now.toSeconds()',
		'$now.plus({ days: 1 }).toISO()',
		'$now.toISODate() + $now',
	])('that differs each time is refused: %s', (expression) => {
		expect(sentencesOf(() => readKey('the key', `={{ $json.b }}-{{ ${expression} }}`))).toBe(
			`Send Once Key differs each time because of {{ ${expression} }}, so it protects nothing. ${HOW}`,
		);
	});

	it.each([
		'{{ $json.list }}-{{ $itemIndex }}',
		'{{ $json.list + $itemIndex }}',
		'{{ DateTime.now().toISODate() }} {{ $runIndex }}',
		'{{ new Date().toDateString() }} {{ $itemIndex }}',
		'{{ Math.floor(Date.now()/86400000) }}{{ $now.toISO().slice(0,7) }}',
		'{{ new Date().toISOString().substring(0, 13) }}',
		'{{ $execution.id }}',
		'welcome-2',
		'{{ $json.random }}',
		'{{ Math.floor(Date.now() / 86400000) }}',
		'{{ $now.toFormat("yyyy-MM-dd HH:mm") }}',
		"{{ $now.setZone('Asia/Kolkata').minus({ hours: 6 }).toFormat('yyyy') }}",
		"{{ $now.toFormat('cccc') }}{{ $now.weekNumber }}{{ new Date().getMonth() }}",
		"{{ $now.startOf('day').toISO() }}",
		`{{ $now.toFormat("'sent' yyyy") }}`,
		"{{ new Date().toISOString().split('T')[0] }}",
		'{{ $today.toISO() }}',
	])('that may be meant is read: %s', (raw) => {
		expect(readKey('the key', `=${raw}`)).toBe('the key');
	});

	// docs/send-once.md: one message to one recipient
	it('is of one recipient, however the number is written, and so is a cap', () => {
		const readTo = (to: string) => {
			const options = {
				sendOnceKey: 'a',
				frequencyCap: { cap: { messages: 1, period: 1, unit: 'days' } },
			};
			const { sendOnceKey, cap } = read({ to, options, 'options.sendOnceKey': 'a' });
			return [sendOnceKey, cap?.number];
		};
		expect(readTo('+5215512345678')).toEqual(readTo('+52 55 1234 5678'));
		expect(readTo('+525512345679')[0]).not.toBe(readTo('+52 55 1234 5678')[0]);
	});
});
