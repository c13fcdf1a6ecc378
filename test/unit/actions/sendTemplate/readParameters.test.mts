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
	const inN8n = {
		getTimezone: () => 'UTC',
		getNode: () => ({ id: 'node-1', type: 'businessMessaging' }),
		getInputData: () => [{ json: parameters.json }],
	};
	const context = withParameters({ ...NEEDED, ...parameters }, inN8n, entered);
	return sendTemplate.read(context, 0, Date.UTC(2026, 1, 1), test);
}

const TEXT = { variablesInput: 'templateText', templateText: 'Hi {{1}}' };
const JSON_OF = (variablesJson: string) => ({ variablesInput: 'json', variablesJson });
const TWO = { templateText: 'Hi {{1}}, {{2}}' };
const HAS_TWO =
	', but the template text has {{1}} to {{2}}. Correct one of them, or clear Template Text.';
const AUTO = { category: 'auto', customerLastMessageAt: '2026-01-31T14:00:00Z' };
const UNNAMED = { templateName: 'order_undefined' };
const FALL_BACK_TO_X = { ...AUTO, fallbackCategory: 'x' };

it.each<[string, string, INodeParameters, INodeParameters?]>([
	['Template Name is empty', 'Enter the name of an approved', { templateName: ' \u200b\n' }],
	['Template Name has "undefined" in it', '', UNNAMED, { templateName: '={{ $json.name }}' }],
	['Template Name has "{{1}}" in it', 'Paste the text of', { templateName: 'Hi {{1}}, bye' }],
	['Template Name has "{{ $x }}" in its text', 'Switch its field', { templateName: '{{ $x }}' }],
	['The default country "UK" is not', 'or GB for the', { options: { defaultCountry: 'UK' } }],
	["Category is Auto, but Customer's Last", 'Map the', { category: 'auto' }],
	['Category is "spam"', 'authentication, auto, marketing, service, ut', { category: 'spam' }],
	['Fallback Category is "x"', 'Choose one of authentication, marketing, utility', FALL_BACK_TO_X],
	['Variables is "list"', 'Choose one of templateText, json, none.', { variablesInput: 'list' }],
	['Template Text is empty', 'or set Variables to None', { ...TEXT, templateText: null as never }],
	[`Variables is None${HAS_TWO}`, '', TWO],
	[`Variables (JSON) has 1 value${HAS_TWO}`, '', { ...TWO, ...JSON_OF('["Asha"]') }],
	[`Variables (JSON) has 3 values${HAS_TWO}`, '', { ...TWO, ...JSON_OF('[1, 2, 3]') }],
	['The variable {{1}} ("Hi {{1}}") is empty', '', { ...TEXT, ...JSON_OF('[""]') }],
])('nothing is sent: %s. %s', (wrong, remedy, parameters, entered = parameters) => {
	const sentences = sentencesOf(() => read(parameters, entered));
	expect(sentences).toContain(wrong);
	expect(sentences.slice(wrong.length)).toContain(remedy);
});

it.each([
	[' \u200b order_update\n', 'order_update'],
	['undefined', 'undefined'],
	['about_www.v2', 'about_www.v2'],
])('the template name %j is sent as "%s"', (templateName, sent) => {
	const message = { to: '+14155552671', type: 'template', templateName: sent };
	expect(read({ templateName }).message).toEqual(message);
});

const REPLACED = /, because a Business .* node before this one replaced .* Map the number from/;
const ENTER = /^The recipient is empty\. Enter or map a phone number with its country code\. /;
const withOnly = (fields: string) => new RegExp(`${ENTER.source}The item has ${fields}\\.$`);

it.each<[IDataObject, RegExp]>([
	[{ message_id: 'm1', to: '+1', status: 'sent', template_name: 'a' }, REPLACED],
	[{ skipped: 'tooLate', to: '+1' }, REPLACED],
	[{ phone: null, deliveryKey: 'k' }, /, because the event has no phone number: .* A template/],
	[{}, withOnly('no fields')],
	[{ phone: null }, withOnly('the field "phone"')],
	[{ phone: 1, deliveryKey: 2, 'e\nf': 5 }, withOnly('the fields "phone", "deliveryKey", "e f"')],
	[{ a: 1, b: 2, c: 3, d: 4, e: 5 }, withOnly('the fields "a", "b", "c", "d", "e"')],
	[{ a: 1, b: 2, c: 3, d: 4, e: 5, f: 6 }, / fields "a", "b", "c", "d", "e" and 1 more\./],
	// Columns of a sheet.
	[{ phone: '', message_id: 'm1', to: '' }, ENTER],
	[{ phone: '', skipped: 'tooLate' }, ENTER],
])('without a recipient, an item like %j gets advice that fits', (json, sentences) => {
	expect(sentencesOf(() => read({ to: undefined, json }))).toMatch(sentences);
});

it('a category that an expression gives may have capitals and spaces', () => {
	const choiceOf = (parameters: IDataObject) => read(parameters).categoryChoice;
	expect(choiceOf({ category: ' Marketing\n' })).toEqual({ category: 'marketing' });
	const auto = { category: 'auto', customerLastMessageAt: Date.UTC(2026, 0, 31, 14) };
	expect(choiceOf(AUTO)).toEqual({ ...auto, fallbackCategory: 'utility' });
	const inCapitals = { ...AUTO, category: 'Auto', fallbackCategory: 'MARKETING' };
	expect(choiceOf(inCapitals)).toEqual({ ...auto, fallbackCategory: 'marketing' });
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
		['2026-01-31T19:30:00+0530'],
		['2026-01-31 14:00:00+00'],
		// Without an offset: in the time zone of the workflow.
		['2026-01-31T19:30'],
		['2026-01-31', Date.UTC(2026, 0, 30, 18, 30)],
		[`${AT_TWO / 1000}.000`],
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
		[LATEST + 1, 'At is in the future: "2026-01-31T14:10:00.001Z". By n8n\'s own clock it is'],
		[1e9 - 1],
		[1e11],
		[1e12 - 1],
		[1e14],
		[new Date(1e12 - 1)],
		['01/02/2026'],
		['20260131140000'],
		['2026-01-31T14:00:00Z[Asia/Kolkata]'],
		['2026-02-30'],
		['2026-01-31T25:00:00Z'],
	])('can not be %s', (value, sentences = NOT_A_DATE) => {
		expect(sentencesOf(() => readTime(value))).toContain(sentences);
	});
});

describe('Budget', () => {
	const BUDGET = { amount: 10, period: 'day', people: 0 };
	const CONVERSATION = { period: 'conversation', conversation: ' session-1 ' };
	const readBudget = (budget: object, conversation = '') =>
		read(
			{ options: { budget: { budget } as IDataObject } },
			{ 'options.budget.budget.conversation': conversation },
		).budget;

	it.each<[string, object, object]>([
		['alone', {}, {}],
		['with texts', { amount: '0.5', period: 'Month' }, { limit: 0.5, period: 'month' }],
		['with people', { people: 3, name: 'agents' }, { people: 3, counter: 'name:agents' }],
		['of a conversation', CONVERSATION, { period: { conversation: 'session-1' } }],
	])('%s', (_, changes, expected) => {
		const read = { counter: 'node:node-1', limit: 10, period: 'day', people: Infinity };
		const budget = readBudget({ ...BUDGET, ...changes });
		expect(budget).toEqual({ ...read, timeZone: 'UTC', ...expected });
	});

	const NO_ID = { ...CONVERSATION, conversation: ' ' };
	const ELSEWHERE = "={{ $('Chat').first().json.sessionId }}";

	it.each<[RegExp, object, string?]>([
		[/^Amount in Budget is "-1"\. Enter a number from 0 up\.$/, { amount: -1 }],
		[/^People in Budget is "51"\. Enter a number from 0 to 50/, { people: 51 }],
		[/^Period in Budget is "week"\. Choose one of conversation,/, { period: 'week' }],
		[/^Conversation ID in Budget is empty\. Enter what tells/, { period: 'conversation' }],
		[/is empty, because its expression gives nothing\. Enter what tells/, NO_ID, ELSEWHERE],
		[/reads the item, or what .* such as \{\{ .*'\)\.first/, CONVERSATION, '={{ $json.id }}'],
	])('is refused: %p', (sentences, changes, entered = '') => {
		expect(sentencesOf(() => readBudget({ ...BUDGET, ...changes }, entered))).toMatch(sentences);
	});
});

describe('Frequency Cap', () => {
	const CAP = { messages: 1, period: 24, unit: 'hours' };
	const readCap = (cap: object, name = '') =>
		read(
			{ options: { frequencyCap: { cap } as IDataObject } },
			{ 'options.frequencyCap.cap.name': name },
		).cap;

	const DAYS_30 = 2_592_000_000;
	const IN_TEXTS = { messages: '10', period: '720', unit: 'Hours', name: ' marketing ' };

	it.each<[string, object, object]>([
		['alone', {}, { messages: 1, periodMs: 86_400_000 }],
		['in texts', IN_TEXTS, { counter: 'name:marketing', messages: 10, periodMs: DAYS_30 }],
		['of days', { messages: 3.9, period: 30, unit: 'days' }, { messages: 3, periodMs: DAYS_30 }],
		['of a minute', { period: 1, unit: 'minutes' }, { messages: 1, periodMs: 60_000 }],
	])('%s', (_, changes, expected) => {
		const cap = readCap({ ...CAP, ...changes });
		expect(cap).toEqual({ counter: 'node:node-1', number: NEEDED.to, ...expected });
	});

	it.each<[string, string, object, string?]>([
		['Messages', 'is "undefined". Enter a number from 1 to 10.', { messages: undefined }],
		['Messages', 'is "11". Enter a number from 1 to 10.', { messages: 11 }],
		['Period', 'is "". Enter a number from 1 up.', { period: '' }],
		['Period', 'is "721" hours. Open Options and enter 30 days at most.', { period: 721 }],
		['Unit', 'is "weeks". Choose one of days, hours, minutes.', { unit: 'weeks' }],
		['Shared Name', 'is "["a"]". Enter a text, or nothing to count the', { name: ['a'] }],
		['Shared Name', 'is empty, because its expression gives', { name: ' ' }, '={{ $json.team }}'],
		['Shared Name', 'has "{{ 1 }}" in its text. Switch', { name: '{{ 1 }}' }, '{{ 1 }}'],
		['Shared Name', 'has half a character in it', { name: 'a\ud83c' }],
	])('%s %s', (field, wrong, changes, entered = '') => {
		const sentences = sentencesOf(() => readCap({ ...CAP, ...changes }, entered));
		expect(sentences).toContain(`${field} in Frequency Cap ${wrong}`);
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
		"Date.now() + '-' + $json.id",
		'Math.floor(Date.now() / 1000)',
		'new Date().toISOString()',
		"$now.toFormat('yyyyMMddHHmmss')",
		'$now.plus({ days: 1 }).toISO()',
		'$now.toISODate() + $now',
	])('that differs each time is refused: %s', (expression) => {
		expect(sentencesOf(() => readKey('the key', `={{ $json.b }}-{{ ${expression} }}`))).toBe(
			`Send Once Key differs each time because of {{ ${expression} }}, so it protects nothing. ${HOW}`,
		);
	});

	it.each([
		'{{ $json.list }}-{{ $itemIndex }}',
		'{{ DateTime.now().toISODate() }} {{ $runIndex }}',
		'{{ new Date().toDateString() }} {{ $itemIndex }}',
		'{{ Math.floor(Date.now()/86400000) }}{{ $now.toISO().slice(0,7) }}',
		'{{ new Date().toISOString().substring(0, 13) }}',
		'{{ $json.random }}',
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
