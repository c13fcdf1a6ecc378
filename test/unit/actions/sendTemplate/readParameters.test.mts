import { DateTime } from 'luxon';
import type { GenericValue, INodeParameters } from 'n8n-workflow';

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
const TEXT = { variablesInput: 'templateText', templateText: 'Hi {{1}}' };

/** @param entered by path: how a parameter was entered */
function read(
	parameters: INodeParameters,
	entered: INodeParameters = {},
	test?: TestMessages,
	type = 'businessMessaging',
) {
	const given = { ...NEEDED, ...parameters };
	const context = withParameters(
		given,
		{
			getTimezone: () => 'UTC',
			getNode: () => ({ id: 'node-1', type }),
			getWorkflow: () => ({ id: 'workflow' }),
		},
		entered,
	);
	return sendTemplate.read(context, 0, Date.UTC(2026, 1, 1), test);
}

describe('the template name', () => {
	it.each([
		[' order_update\n', 'order_update'],
		['undefined', 'undefined'],
		['about_www.v2', 'about_www.v2'],
	])('%j is sent as "%s"', (templateName, sent) => {
		const message = { to: '+14155552671', type: 'template', templateName: sent };
		expect(read({ templateName }).message).toEqual(message);
	});

	it.each<[INodeParameters[string], RegExp]>([
		[
			' \u200b\n',
			/^Template Name is empty\. Enter the name of an approved template, exactly as in your/,
		],
		['order_undefined', /^Template Name has "undefined" in it/],
		[
			'Hi {{1}}, bye',
			/^Template Name has "\{\{1\}\}" in it\. Paste the text .* into Template Text/,
		],
	])('%j is none', (templateName, sentence) => {
		const entered = { templateName: '={{ $json.name }}' };
		expect(sentencesOf(() => read({ templateName }, entered))).toMatch(sentence);
	});
});

it('a template name whose expression is not computed is refused', () => {
	const templateName = '{{ $json.template }}';
	expect(sentencesOf(() => read({ templateName }))).toMatch(
		/^Template Name has "\{\{ \$json\.template \}\}" in its text\. Switch its field from Fixed/,
	);
});

describe('a recipient that is empty', () => {
	const readBehind = (json: object) =>
		sentencesOf(() =>
			sendTemplate.read(
				withParameters({ ...NEEDED, to: undefined }, { getInputData: () => [{ json }] }),
				0,
				0,
			),
		);
	const REPLACED =
		'The recipient is empty, because a Business Messaging node before this one replaced the item with its output. ';

	it.each<[object, string]>([
		[
			{ message_id: 'm1', to: '+1', status: 'sent', template_name: 'a' },
			`${REPLACED}Map the number from the node that has it, such as {{ $("Get rows")`,
		],
		[{ skipped: 'tooLate', to: '+1' }, `${REPLACED}Map the number from the node`],
		[{ sentBefore: true, to: '+1' }, `${REPLACED}Map the number from the node`],
		[
			{ event: 'message.incoming', phone: null, data: { from: 'asha.k' }, deliveryKey: 'k' },
			'The recipient is empty, because the event has no phone number: the customer hides it, or the API did not send it. A template',
		],
		[
			{ phone: null, name: 'Asha' },
			'The recipient is empty. Enter or map a phone number with its country code. The item has the fields "phone", "name".',
		],
		[{}, 'with its country code. The item has no fields.'],
		[{ a: 1, b: 2, c: 3, d: 4, 'e\nf': 5 }, ' The item has the fields "a", "b", "c", "d", "e f".'],
		[{ a: 1, b: 2, c: 3, d: 4, e: 5, f: 6 }, ' fields "a", "b", "c", "d", "e" and 1 more.'],
		[{ phone: '' }, ' The item has the field "phone".'],
		// Columns of a sheet.
		[{ phone: '', message_id: 'm1', to: '' }, 'The recipient is empty. Enter or map a'],
		[{ phone: '', skipped: 'tooLate' }, 'The recipient is empty. Enter or map a phone number'],
	])('in an item like %j gets advice that fits', (json, sentences) => {
		expect(readBehind(json)).toContain(sentences);
	});
});

describe('the default country', () => {
	const readTo = (defaultCountry: unknown, entered: string) =>
		read(
			{ to: '51987654321', options: { defaultCountry } as INodeParameters },
			{
				'options.defaultCountry': entered,
			},
		).message.to;

	it.each([undefined, ' '])('that an expression gives as %j is not taken for none', (given) => {
		const sentences = sentencesOf(() => readTo(given, '={{ $json.country }}'));
		expect(sentences).toMatch(/^The expression in Default Country gives nothing\. Correct it, or/);
	});

	it('has to be the code of a country', () => {
		expect(sentencesOf(() => readTo('UK', 'UK'))).toBe(
			'The default country "UK" is not a country code. Use two letters such as IN, US, or GB for the United Kingdom.',
		);
	});

	it('may be none', () => {
		expect(readTo('', '')).toBe('+51987654321');
	});
});

describe('the category', () => {
	const AUTO = { category: 'auto', customerLastMessageAt: '2026-01-31T14:00:00Z' };

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
	])('that an expression gives may have capitals and spaces: %j', (parameters, choice) => {
		expect(read(parameters).categoryChoice).toMatchObject(choice);
	});

	it.each<[INodeParameters, string]>([
		[{ category: 'auto' }, "Category is Auto, but Customer's Last Message At is empty. Map the"],
		[
			{ category: 'spam' },
			'Category is "spam". Choose one of authentication, auto, marketing, service, utility.',
		],
		[
			{ ...AUTO, fallbackCategory: 'x' },
			'Fallback Category is "x". Choose one of authentication, marketing, utility.',
		],
	])('can not be %j', (parameters, sentences) => {
		expect(sentencesOf(() => read(parameters))).toContain(sentences);
	});
});

describe('the variables', () => {
	it.each<[INodeParameters, string | undefined]>([
		[{ ...TEXT, templateText: '=Hi {{ 1}}! }}', variable1: 'Asha' }, 'Hi Asha!'],
		[{ ...TEXT, templateText: 'Hi={{1}}', variable1: 'Asha' }, 'Hi=Asha'],
		[{ ...TEXT, variablesInput: 'JSON', variablesJson: '["Asha"]' }, 'Hi Asha'],
		[{ variablesInput: 'json', variablesJson: '["Asha"]' }, undefined],
	])('of %j are sent, and make a preview when there is a text', (parameters, preview) => {
		// n8n would compute the text.
		const computed = 'templateText' in parameters ? { templateText: 'Hi !' } : {};
		const job = read({ ...parameters, ...computed }, parameters);
		expect(job.message.templateVariables).toEqual({ 1: 'Asha' });
		expect(job.preview).toBe(preview);
		expect(job).not.toHaveProperty('whitespaceNormalized');
	});

	it('are read without n8n asking for each of them whether it is shown, which takes long', () => {
		const context = withParameters({ ...NEEDED, ...TEXT, variable1: 'Asha' });
		const asked = jest.spyOn(context, 'getNodeParameter');
		sendTemplate.read(context, 0, 0);
		expect(asked).toHaveBeenCalledWith('variable1', 0, '', { skipValidation: true });
	});

	const MORE = { templateText: 'Hi {{1}}, {{2}}' };
	const OTHER =
		', but the template text has {{1}} to {{2}}. Correct one of them, or clear Template Text.';

	it.each<[string, INodeParameters]>([
		[
			'Template Text is empty. Paste the text of the approved template, or set Variables to None when it has no placeholders.',
			{ ...TEXT, templateText: null as never },
		],
		['Variables is "list". Choose one of templateText, json, none.', { variablesInput: 'list' }],
		[
			`Variables (JSON) has 1 value${OTHER}`,
			{ ...MORE, variablesInput: 'json', variablesJson: '["Asha"]' },
		],
		[
			`Variables (JSON) has 3 values${OTHER}`,
			{ ...MORE, variablesInput: 'json', variablesJson: '[1, 2, 3]' },
		],
		[`Variables is None${OTHER}`, MORE],
		[
			'The variable {{1}} ("Hi {{1}}") is empty',
			{ ...TEXT, variablesInput: 'json', variablesJson: '[""]' },
		],
	])('are refused: %s', (sentence, parameters) => {
		expect(sentencesOf(() => read(parameters))).toContain(sentence);
	});

	it('from JSON are refused when n8n rounded a number inside a text of it', () => {
		const readWith = (gives: unknown) => () => {
			const variablesJson = `["Order ${String(gives)}"]`;
			const context = withParameters(
				{ ...NEEDED, variablesInput: 'json', variablesJson },
				{ evaluateExpression: () => gives },
				{ variablesJson: '=["Order {{ $json.n }}"]' },
			);
			return sendTemplate.read(context, 0, 0).message.templateVariables;
		};
		expect(sentencesOf(readWith(2 ** 53))).toBe(
			'Variables (JSON) has the expression "{{ $json.n }}", which is a number with more digits than n8n keeps. Give it as text, in JSON with quotes around it: "12345678901234567890".',
		);
		expect(readWith('12345678901234567890')()).toEqual({ 1: 'Order 12345678901234567890' });
	});

	it.each<[string, INodeParameters]>([
		['variable1', { ...TEXT, variable1: 'undefined' }],
		['variablesJson', { ...TEXT, variablesInput: 'json', variablesJson: '["undefined"]' }],
	])('that an expression ruined are refused, and typed ones sent: %s', (path, parameters) => {
		const ruined = sentencesOf(() => read(parameters, { [path]: '={{ $json.name }}' }));
		expect(ruined).toContain('The variable {{1}} ("Hi {{1}}") has "undefined" in it');
		expect(read(parameters).message.templateVariables).toEqual({ 1: 'undefined' });
	});
});

describe("the time of the customer's last message", () => {
	const NOW = Date.UTC(2026, 0, 31, 14, 5);
	const AT_TWO = Date.UTC(2026, 0, 31, 14);
	const LATEST = NOW + 5 * 60_000;

	function readTime(value: unknown, timezone = 'Asia/Kolkata'): number {
		return readCustomerLastMessageAt(value, timezone, NOW);
	}

	it.each<[string, unknown, number?]>([
		['an ISO date in UTC, with spaces around it', ' 2026-01-31T14:00:00.000Z\n'],
		['an ISO date with an offset', '2026-01-31T19:30:00+05:30'],
		['an ISO date without an offset, in the zone of the workflow', '2026-01-31T19:30:00.000'],
		['a date and time without seconds', '2026-01-31T19:30'],
		['a date and time as databases write it', '2026-01-31 19:30:00'],
		['a database date with an offset', '2026-01-31 14:00:00+00'],
		['a date alone: midnight in the zone', '2026-01-31', Date.UTC(2026, 0, 30, 18, 30)],
		['epoch seconds with a fraction', `${AT_TWO / 1000}.000`],
		['epoch milliseconds as text', ` ${AT_TWO} `],
		['a Date object', new Date(AT_TWO)],
		['a DateTime object', DateTime.fromMillis(AT_TWO)],
		['the earliest seconds', 1e9, 1e12],
		['the earliest milliseconds', 1e12, 1e12],
		['the earliest Date object', new Date(1e12), 1e12],
		['ahead by the 5 minutes that clocks differ', LATEST, LATEST],
	])('can be %s', (_, value, expected = AT_TWO) => {
		expect(readTime(value)).toBe(expected);
	});

	const NOT_A_DATE = "Customer's Last Message At is not a date: ";

	it.each<[string, unknown, string?]>([
		['a list', ['yesterday'], `${NOT_A_DATE}a list`],
		[
			'an object',
			{ at: 'noon' },
			`${NOT_A_DATE}an object. Use a date and time such as 2026-01-31T14:05:00Z`,
		],
		['an invalid Date object', new Date('x'), `${NOT_A_DATE}"Invalid Date"`],
		['empty', ' \n', "Category is Auto, but Customer's Last Message At is empty"],
		[
			'ahead',
			LATEST + 1,
			'At is in the future: "2026-01-31T14:10:00.001Z". By n8n\'s own clock it is "2026-01-31T14:05:00.000Z" now. If that is wrong, set the clock',
		],
		['before the earliest seconds', 1e9 - 1],
		['after the latest seconds', 1e11],
		['before the earliest milliseconds', 1e12 - 1],
		['after the latest milliseconds', 1e14],
		['before the earliest Date object', new Date(1e12 - 1)],
		['a day that could be a month', '01/02/2026'],
		['a date behind a word', 'on 2026-01-31'],
		['the date of an HTTP header', 'Sat, 31 Jan 2026 14:00:00 GMT'],
		['a count with a sign', `+${AT_TWO}`],
		['the digits of a date as a large integer', 20260131n],
		['a date with a zone that may contradict its offset', '2026-01-31T14:00:00Z[Asia/Kolkata]'],
		['a day that does not exist', '2026-02-30'],
		['an hour that does not exist', '2026-01-31T25:00:00Z'],
	])('can not be %s', (_, value, message = NOT_A_DATE) => {
		expect(sentencesOf(() => readTime(value))).toContain(message);
	});
});

describe('Budget', () => {
	const BUDGET = { amount: 10, period: 'day' };
	const CONVERSATION = { ...BUDGET, period: 'conversation' };
	const readBudget = (budget: object, entered: INodeParameters = {}) =>
		read({ options: { budget: budget as INodeParameters } }, entered).budget;

	it.each<[object, object]>([
		[BUDGET, {}],
		[
			{ amount: '0.5', period: 'Month' },
			{ limit: 0.5, period: 'month' },
		],
		[
			{ ...BUDGET, people: 3, name: 'agents' },
			{ people: 3, counter: 'name:agents' },
		],
		[{ ...CONVERSATION, conversation: ' session-1 ' }, { period: { conversation: 'session-1' } }],
	])('%j', (budget, expected) => {
		expect(readBudget({ budget })).toEqual({
			counter: 'node:node-1',
			limit: 10,
			period: 'day',
			people: Infinity,
			timeZone: 'UTC',
			...expected,
		});
	});

	it.each<[object, string, RegExp]>([
		[{}, '', /^Budget is empty\. Fill it in, or remove the option\. An expression can give each/],
		[
			{ budget: { ...BUDGET, amount: '' } },
			'',
			/^Amount in Budget is ""\. Enter a number from 0 up\.$/,
		],
		[{ budget: { ...BUDGET, amount: -1 } }, '', /^Amount in Budget is "-1"\./],
		[
			{ budget: { ...BUDGET, people: 51 } },
			'',
			/^People in Budget is "51"\. Enter a number from 0 to 50/,
		],
		[
			{ budget: { ...BUDGET, period: 'week' } },
			'',
			/^Period in Budget is "week"\. Choose one of conversation,/,
		],
		[{ budget: CONVERSATION }, '', /^Conversation ID in Budget is empty\. Enter what tells/],
		[
			{ budget: { ...CONVERSATION, conversation: ' ' } },
			"={{ $('Chat').first().json.sessionId }}",
			/is empty, because its expression gives nothing\. Enter what tells/,
		],
		[
			{ budget: { ...CONVERSATION, conversation: 'a' } },
			'={{ $json.sessionId }}',
			/reads the item, or what/,
		],
		[
			{ budget: { ...CONVERSATION, conversation: 'a' } },
			"={{ $fromAI('session') }}",
			/reads the item/,
		],
		[
			{ budget: { ...CONVERSATION, conversation: '{{ $json.a }}' } },
			'',
			/^Conversation ID in Budget has/,
		],
	])('%j (%s) is refused', (budget, conversation, sentences) => {
		const entered = { 'options.budget.budget.conversation': conversation };
		expect(sentencesOf(() => readBudget(budget, entered))).toMatch(sentences);
	});
});

describe('Frequency Cap', () => {
	const CAP = { messages: 1, period: 24, unit: 'hours' };
	const readCap = (frequencyCap: object, to = NEEDED.to, options: INodeParameters = {}) =>
		read({
			to,
			variablesInput: 'none',
			options: { frequencyCap: frequencyCap as INodeParameters, ...options },
		});

	it.each([
		[CAP, { counter: 'node:node-1', messages: 1, periodMs: 86_400_000 }],
		[
			{ messages: '10', period: '720', unit: 'Hours', name: ' marketing ' },
			{ counter: 'name:marketing', messages: 10, periodMs: 2_592_000_000 },
		],
		[
			{ messages: 3.9, period: 30, unit: 'days' },
			{ counter: 'node:node-1', messages: 3, periodMs: 2_592_000_000 },
		],
		[
			{ messages: 2, period: 1, unit: 'minutes' },
			{ counter: 'node:node-1', messages: 2, periodMs: 60_000 },
		],
	])('%j', (cap, expected) => {
		expect(readCap({ cap }).cap).toEqual({ number: NEEDED.to, ...expected });
	});

	it('refuses a shared name that n8n did not compute, or whose expression gives nothing', () => {
		const nameOf = (name: string, entered: string) => () =>
			read(
				{ options: { frequencyCap: { cap: { ...CAP, name } } } },
				{ 'options.frequencyCap.cap.name': entered },
			).cap?.counter;
		const SHARED = 'Shared Name in Frequency Cap';
		expect(sentencesOf(nameOf('{{ $json.team }}', '{{ $json.team }}'))).toMatch(
			`${SHARED} has "{{ $json.team }}" in its text. Switch`,
		);
		expect(sentencesOf(nameOf(' ', '={{ $json.team }}'))).toMatch(
			`${SHARED} is empty, because its expression gives nothing. Enter a text, or`,
		);
		expect(nameOf('sales', '={{ $json.team }}')()).toBe('name:sales');
		expect(nameOf('', '')()).toBe('node:node-1');
	});

	it('takes both ways of writing a Mexican mobile number for one', () => {
		const numbers = ['+52 1 55 1234 5678', '+52 55 1234 5678'];
		const caps = numbers.map((to) => readCap({ cap: CAP }, to).cap?.number);
		expect(caps).toEqual(['+525512345678', '+525512345678']);
	});

	const MESSAGES = 'Enter a number from 1 to 10.';
	const AT_MOST = 'Open Options and enter 30 days at most.';

	it.each<[object, string, string]>([
		[{}, 'Frequency Cap is empty', expect.stringMatching(/^Fill it in/)],
		[
			{ cap: { ...CAP, messages: undefined } },
			'Messages in Frequency Cap is "undefined"',
			MESSAGES,
		],
		[{ cap: { ...CAP, messages: 0.5 } }, 'Messages in Frequency Cap is "0.5"', MESSAGES],
		[{ cap: { ...CAP, messages: 11 } }, 'Messages in Frequency Cap is "11"', MESSAGES],
		[{ cap: { ...CAP, period: '' } }, 'Period in Frequency Cap is ""', 'Enter a number from 1 up.'],
		[{ cap: { ...CAP, period: 721 } }, 'Period in Frequency Cap is "721" hours', AT_MOST],
		[
			{ cap: { ...CAP, unit: 'weeks' } },
			'Unit in Frequency Cap is "weeks"',
			'Choose one of days, hours, minutes.',
		],
		[
			{ cap: { ...CAP, name: ['a'] } },
			'Shared Name in Frequency Cap is "["a"]"',
			'Enter a text, or nothing to count the messages of this node only.',
		],
		[
			{ cap: { ...CAP, name: 'a\ud83c' } },
			'Shared Name in Frequency Cap has half a character in it, as when an emoji is cut in two',
			expect.any(String),
		],
	])('%j is refused', (frequencyCap, message, remedy) => {
		expect(() => readCap(frequencyCap)).toThrow(expect.objectContaining({ message, remedy }));
	});

	it('and Send Between are checked, but do not hold, when the messages go to a test recipient', () => {
		const options = { frequencyCap: { cap: CAP }, sendBetween: { hours: { from: '9' } } };
		expect(sentencesOf(() => read({ options }))).toContain('From in Send Between is "9"');
		const sendBetween = { hours: { from: '09:00', until: '20:00', timeZone: 'workflow' } };
		const given = { variablesInput: 'none', options: { ...options, sendBetween } };
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
		return expression === '{{ $json.none }}' ? null : 'something';
	}

	const readKey = (sendOnceKey: GenericValue, raw: unknown) =>
		readSendOnceKey(sendOnceKey, { entered: raw, compute });

	it.each<[GenericValue, unknown, string]>([
		[' order-7 ', '={{ $json.key }}', 'order-7'],
		[7, 7, '7'],
		['A\u00ad-17\u200b', '={{ $json.key }}', 'A-17'],
		['A-17 \u200b', '={{ $json.key }}', 'A-17'],
		['order-null', 'order-null', 'order-null'],
		['nullable-7', '={{ $json.key }}', 'nullable-7'],
		['{{ 1 }}-7', '={{ $json.key }}', '{{ 1 }}-7'],
		['a-b', '={{ {a: {b: "broken"}}.a.b }}-{{ $json.b }}', 'a-b'],
	])('the key %j, entered as %j, is "%s"', (value, raw, key) => {
		expect(readKey(value, raw)).toBe(key);
	});

	const nothing = (expression: string) =>
		`The expression ${expression} in Send Once Key gives nothing: it is`;

	it.each<[GenericValue, unknown, string]>([
		['', '={{ $json.key }}', 'Send Once Key is empty'],
		['\u200b', '\u200b', 'Send Once Key is empty'],
		[['a'], '={{ $json.keys }}', 'Send Once Key is "["a"]"'],
		['--', '={{ $json.a }}-{{ $json.b }}-', `${nothing('{{ $json.a }}')} "--"`],
		['order', '=order {{\n$json.a\n}}', `${nothing('{{\n$json.a\n}}')} "order"`],
		['1-', '={{ $json.a }}-{{ $json.none }}', `${nothing('{{ $json.none }}')} "1-"`],
		['order-null', '=order-{{ $json.a }}', 'Send Once Key is "order-null"'],
		['null-7', '={{ $json.a }}-7', 'Send Once Key is "null-7"'],
		['order-#N/A', '=order-{{ $json.a }}', 'Send Once Key is "order-#N/A"'],
		['order-########', '=order-{{ $json.a }}', 'Send Once Key is "order-########"'],
		['order-#SPILL!', '=order-{{ $json.a }}', 'Send Once Key is "order-#SPILL!"'],
	])('the key %j, entered as %j, is refused', (value, raw, message) => {
		expect(sentencesOf(() => readKey(value, raw))).toBe(`${message}. ${HOW}`);
	});

	const ONLY_COUNTS = (expression: string) =>
		`Send Once Key only counts items (${expression}), so the next list has the same keys`;
	const DIFFERS = (expression: string) =>
		`Send Once Key differs each time because of ${expression}, so it protects nothing`;

	it.each<[string, string | undefined]>([
		['{{ $itemIndex }}', ONLY_COUNTS('{{ $itemIndex }}')],
		['order-{{ $itemIndex + 1 }}-shipped', ONLY_COUNTS('{{ $itemIndex + 1 }}')],
		['{{ "row" }}-{{ $runIndex }}', ONLY_COUNTS('{{ $runIndex }}')],
		['{{ $runIndex }}/{{ $itemIndex }}', ONLY_COUNTS('{{ $runIndex }}')],
		['{{ $position }}', ONLY_COUNTS('{{ $position }}')],
		['{{ $json.list }}-{{ $itemIndex }}', undefined],
		['{{ $json.list + $itemIndex }}', undefined],
		['{{ $execution.id }}-{{ $itemIndex }}', undefined],
		['{{ $now.toISODate() }}-{{ $itemIndex }}', undefined],
		['{{ DateTime.now().toISODate() }} {{ $runIndex }}', undefined],
		['{{ $execution.id }}', undefined],
		['welcome-2', undefined],
		['{{ $json.a }}-{{ Math.random() }}', DIFFERS('{{ Math.random() }}')],
		['{{ [1, 2].randomItem() }}', DIFFERS('{{ [1, 2].randomItem() }}')],
		['{{ $json.random }}', undefined],
		['order-{{ $json.a + $now }}', DIFFERS('{{ $json.a + $now }}')],
		['{{ $now.toISO() }}', DIFFERS('{{ $now.toISO() }}')],
		['{{ Date.now() }}-{{ $json.b }}', DIFFERS('{{ Date.now() }}')],
		['{{ new Date().toISOString() }}', DIFFERS('{{ new Date().toISOString() }}')],
		['{{ Math.floor(Date.now() / 86400000) }}', undefined],
		['{{ $now.toFormat("yyyy-MM-dd HH:mm") }}', undefined],
		["{{ $now.setZone('Asia/Kolkata').minus({ hours: 6 }).toFormat('yyyy') }}", undefined],
		["{{ $now.toFormat('cccc') }}{{ $now.weekNumber }}{{ new Date().getMonth() }}", undefined],
		["{{ $now.startOf('day').toISO() }}", undefined],
		[`{{ $now.toFormat("'sent' yyyy") }}`, undefined],
		["{{ new Date().toISOString().split('T')[0] }}", undefined],
		['{{ $today.toISO() }}', undefined],
		...[
			"$now.toFormat('yyyyMMddHHmmss')",
			"$now.toISO() + '-' + $json.id",
			'$now.toSeconds()',
			"Date.now() + '-' + $json.id",
			'$now.plus({ days: 1 }).toISO()',
			'$now.toISODate() + $now',
		].map((each): [string, string] => [`{{ ${each} }}`, DIFFERS(`{{ ${each} }}`)]),
	])('that says nothing of its message is refused: %s', (raw, problem) => {
		const read = () => readKey('the key', `=${raw}`);
		expect(sentencesOf(read)).toBe(problem ? `${problem}. ${HOW}` : 'Nothing was refused');
	});

	it('is refused when n8n did not compute it, or rounded it', () => {
		const typed = 'order-{{ $json.orderNumber }}-shipped';
		const remedy = 'Switch its field from Fixed to Expression, so that n8n computes it.';
		expect(sentencesOf(() => readKey(typed, typed))).toBe(
			`Send Once Key has "{{ $json.orderNumber }}" in its text. ${remedy}`,
		);
		const rounded = 2 ** 53;
		expect(sentencesOf(() => readKey(rounded, '={{ $json.id }}'))).toMatch(
			/^Send Once Key is a number with more digits than n8n keeps\. Give it as text/,
		);
		expect(readKey(rounded - 1, '={{ $json.id }}')).toBe('9007199254740991');
	});

	// Two orders would have the same key, and the second customer would get nothing.
	it.each<[string, unknown, string]>([
		[`order-${2 ** 53}-shipped`, 2 ** 53, 'is a number with more digits than n8n keeps. Give it'],
		['order-1e+21-shipped', 1e21, 'is a number with more digits than n8n keeps. Give it as text'],
	])('is refused when n8n rounded a number inside it: %s', (...row) => {
		const [key, orderNumber, why] = row;
		const entered = '=order-{{ $json.orderNumber }}-shipped';
		const readWith = (gives: unknown) => () =>
			readSendOnceKey(key, { entered, compute: () => gives });
		expect(sentencesOf(readWith(orderNumber))).toContain(
			`Send Once Key has the expression "{{ $json.orderNumber }}", which ${why}`,
		);
		expect(readWith(String(orderNumber))()).toBe(key);
	});

	// docs/send-once.md: one message to one recipient
	it('is of one recipient, however the number is written', () => {
		const keyTo = (to: string) =>
			read({ to, options: { sendOnceKey: 'a' }, 'options.sendOnceKey': 'a' }).sendOnceKey;
		const key = keyTo('+5215512345678');
		expect(keyTo('+52 55 1234 5678')).toBe(key);
		expect(keyTo('+525512345679')).not.toBe(key);
	});

	it('is none without the option, and refused for what it is when no text can have it', () => {
		expect(read({ options: {} }).sendOnceKey).toBeUndefined();
		const half = sentencesOf(() => readKey('a\ud83c', '={{ $json.a }}'));
		expect(half).toMatch(/^Send Once Key has half a character in it/);
	});
});
