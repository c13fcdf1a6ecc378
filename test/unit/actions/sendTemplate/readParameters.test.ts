import fc from 'fast-check';
import { DateTime } from 'luxon';
import type { GenericValue, IExecuteFunctions, INodeParameters } from 'n8n-workflow';

import {
	readCustomerLastMessageAt,
	readSendJob,
	readSendOnceKey,
} from '../../../../nodes/BusinessMessaging/actions/sendTemplate/readParameters';
import { CATEGORIES } from '../../../../nodes/BusinessMessaging/api';
import { InputError } from '../../../../nodes/BusinessMessaging/inputError';

const NOW = Date.UTC(2026, 1, 1);
const NEEDED = { to: '+14155552671', templateName: 'order_update', category: 'utility' };

/**
 * Parameters as n8n gives them: computed, but for those that are asked for as they were typed.
 * @param computed what expressions give, by the parameter's name
 */
function read(
	parameters: INodeParameters,
	computed: Record<string, unknown> = {},
	testRecipient?: string,
) {
	const given: Record<string, unknown> = { ...NEEDED, ...parameters };
	const context = {
		getTimezone: () => 'UTC',
		getNode: () => ({ id: 'node-1' }),
		getNodeParameter: (name: string, _: number, fallback?: unknown, options?: object) => {
			const value = name in given ? given[name] : fallback;
			if ((options as { rawExpressions?: boolean })?.rawExpressions) return value;
			const isComputed = typeof value === 'string' && value.startsWith('=');
			return name in computed ? computed[name] : isComputed ? `computed ${value}` : value;
		},
	};
	return readSendJob(context as unknown as IExecuteFunctions, 0, NOW, testRecipient);
}

function refusal(parameters: INodeParameters, computed?: Record<string, unknown>): object {
	try {
		read(parameters, computed);
	} catch (error) {
		const { message, remedy } = error as { message: string; remedy: string };
		return { message, remedy };
	}
	return {};
}

describe('the template name', () => {
	it.each([
		[' order_update\n', 'order_update'],
		[2024, '2024'],
	])('%j is sent as "%s"', (templateName, sent) => {
		expect(read({ templateName, variablesInput: 'none' }).message).toEqual({
			to: '+14155552671',
			type: 'template',
			templateName: sent,
		});
	});

	it.each<[INodeParameters[string]]>([[''], [' \n'], [null as never], [true], [{ name: 'a' }]])(
		'%j is none',
		(templateName) => {
			expect(refusal({ templateName })).toEqual({
				message: 'Template Name is empty',
				remedy: 'Enter the name of an approved template, exactly as in your dashboard.',
			});
		},
	);
});

it('a template name that holds the ruins of an expression is refused', () => {
	const name = { templateName: '={{ "order_" + $json.language }}' };
	expect(refusal(name, { templateName: 'order_undefined' })).toMatchObject({
		message: 'Template Name has "undefined" in it',
	});
	expect(read({ templateName: 'undefined', variablesInput: 'none' }).message).toMatchObject({
		templateName: 'undefined',
	});
});

it.each(['[object Object]', 'order [object Object]', 'order_\ud83c'])(
	'the template name %j is refused for what it is',
	(templateName) => {
		expect(refusal({ templateName })).toMatchObject({
			message: expect.stringMatching(/^Template Name has (\[object Object\]|half a character) in /),
		});
	},
);

describe('the category', () => {
	const AUTO = { category: 'auto', customerLastMessageAt: '2026-01-31T14:00:00Z' };

	it.each([
		[{ category: 'UTILITY' }, { category: 'utility' }],
		[{ category: ' Marketing\n' }, { category: 'marketing' }],
		[
			{ ...AUTO, category: 'Auto' },
			{ category: 'auto', fallbackCategory: 'utility' },
		],
		[{ ...AUTO, fallbackCategory: 'MARKETING' }, { fallbackCategory: 'marketing' }],
	])('that an expression gives may have capitals and spaces: %j', (parameters, choice) => {
		expect(read({ ...parameters, variablesInput: 'none' }).categoryChoice).toMatchObject(choice);
	});

	it('can be Auto, with Utility after the window when nothing else is chosen', () => {
		expect(read({ ...AUTO, variablesInput: 'none' }).categoryChoice).toEqual({
			category: 'auto',
			customerLastMessageAt: Date.UTC(2026, 0, 31, 14),
			fallbackCategory: 'utility',
		});
	});

	it('can not be Auto without a time', () => {
		expect(refusal({ category: 'auto' })).toMatchObject({
			message: "Category is Auto, but Customer's Last Message At is empty",
		});
	});

	const ALL = CATEGORIES.join(', ');

	it.each<[string, INodeParameters, string]>([
		['Category', { category: 'promotion' }, `${ALL}, auto`],
		['Fallback Category', { ...AUTO, fallbackCategory: 'promotion' }, ALL],
	])('(%s) can be nothing else', (field, parameters, choices) => {
		expect(refusal(parameters)).toEqual({
			message: `${field} is "promotion"`,
			remedy: `Choose one of ${choices}.`,
		});
	});
});

describe('the switches', () => {
	const none = { variablesInput: 'none' };

	it('can be given by an expression', () => {
		const options = { dryRun: 'true', rawResponse: 'true' };
		expect(read({ ...none, options })).toMatchObject({ dryRun: true, rawResponse: true });
	});

	it.each([
		['dryRun', 'Dry Run'],
		['rawResponse', 'Raw Response'],
		['keepWhitespace', 'Keep Line Breaks and Tabs'],
	])('(%s) are refused when they are neither on nor off', (name, field) => {
		expect(refusal({ ...none, options: { [name]: '' } })).toMatchObject({
			message: `${field} is ""`,
		});
	});
});

describe('the variables', () => {
	it('come from a pasted text when nothing else is chosen', () => {
		expect(refusal({ templateText: null as never })).toEqual({
			message: 'Template Text is empty',
			remedy:
				'Paste the text of the approved template, or set Variables to None when it has no placeholders.',
		});
	});

	it.each([
		['Hi {{1}}', 'Hi Asha'],
		['=Hi {{1}}', 'Hi Asha'],
		['Hi {{ 1}}! }}', 'Hi Asha!'],
	])('of the text %j make the preview %j', (templateText, preview) => {
		const job = read({ templateText, variable1: 'Asha' });
		expect(job).toMatchObject({ message: { templateVariables: { 1: 'Asha' } }, preview });
	});

	it('come from nothing else than what can be chosen', () => {
		expect(refusal({ variablesInput: 'sheet', templateText: 'Hi' })).toEqual({
			message: 'Variables is "sheet"',
			remedy: 'Choose one of templateText, none, list, json.',
		});
	});

	it.each<[INodeParameters, string]>([
		[{ variablesInput: ' List', 'variableList.variables': ['Asha', 'A-17'] }, 'Hi Asha, A-17'],
		[{ variablesInput: 'JSON', variablesJson: '["Asha", "A-17"]' }, 'Hi Asha, A-17'],
		[{ variablesInput: 'none', templateText: 'Your parcel is here.' }, 'Your parcel is here.'],
	])('of %j make a preview as well when there is a text', (parameters, preview) => {
		expect(read({ templateText: 'Hi {{1}}, {{2}}', ...parameters })).toMatchObject({ preview });
	});

	it.each<[INodeParameters, string]>([
		[{ variablesInput: 'list', 'variableList.variables': ['Asha'] }, 'The list has 1 value'],
		[{ variablesInput: 'json', variablesJson: '[1, 2, 3]' }, 'Variables (JSON) has 3 values'],
		[{ variablesInput: 'none' }, 'Variables is None'],
	])('of %j are refused when the text has others', (parameters, given) => {
		expect(refusal({ templateText: 'Hi {{1}}, {{2}}', ...parameters })).toEqual({
			message: `${given}, but the template text has {{1}} to {{2}}`,
			remedy: 'Correct one of them, or clear Template Text.',
		});
	});

	it.each<[string, INodeParameters]>([
		['a list', { variablesInput: 'list', 'variableList.variables': [''] }],
		['JSON', { variablesInput: 'json', variablesJson: '[""]' }],
	])('of %s are named by the words of the text', (_, parameters) => {
		expect(refusal({ templateText: 'Hi {{1}}', ...parameters })).toMatchObject({
			message: 'The variable {{1}} ("Hi {{1}}") is empty',
		});
	});

	it('have no line breaks, unless they are to be kept', () => {
		const text = { templateText: 'To {{1}}', variable1: 'Main Street 1\nBoston' };
		expect(read(text)).toMatchObject({
			message: { templateVariables: { 1: 'Main Street 1 Boston' } },
			preview: 'To Main Street 1 Boston',
			whitespaceNormalized: true,
		});
		const kept = read({ ...text, options: { keepWhitespace: true } });
		expect(kept).toMatchObject({ preview: 'To Main Street 1\nBoston' });
		expect(kept.whitespaceNormalized).toBeUndefined();
		expect(read({ ...text, variable1: 'Boston' }).whitespaceNormalized).toBeUndefined();
	});

	const LIST = { variablesInput: 'list' };
	const RUIN = { message: 'The variable {{1}} ("Hi {{1}}") has "undefined" in it' };

	const ROWS = { 'variableList.variables': [{ value: 'undefined' }] };
	const JSON_TEXT = { variablesJson: '["undefined"]' };

	it.each<[string, Record<string, unknown>, INodeParameters, INodeParameters]>([
		['a field', { variable1: 'undefined' }, { variable1: '={{ $json.name }}' }, {}],
		['a row', ROWS, { 'variableList.variables[0].value': '={{ $json.name }}' }, LIST],
		['JSON', JSON_TEXT, { variablesJson: '={{ $json.values }}' }, { variablesInput: 'json' }],
	])(
		'that an expression ruined are refused, and typed ones sent: %s',
		(_, values, entered, more) => {
			const text = { templateText: 'Hi {{1}}', ...more };
			expect(refusal({ ...text, ...entered }, values)).toMatchObject(RUIN);
			expect(read({ ...text, ...(values as INodeParameters) })).toMatchObject({
				message: { templateVariables: { 1: 'undefined' } },
			});
		},
	);

	it('can be rows, of which there must be one', () => {
		const rows = [{ value: 'Asha' }];
		const job = read({ variablesInput: 'list', 'variableList.variables': rows });
		expect(job.message.templateVariables).toEqual({ 1: 'Asha' });
		expect(job).not.toHaveProperty('preview', expect.anything());
		expect(refusal({ variablesInput: 'list' })).toMatchObject({
			message: 'The list of variables is empty',
		});
	});
});

describe("the time of the customer's last message", () => {
	const NOW = Date.UTC(2026, 0, 31, 14, 5);
	const AT_TWO = Date.UTC(2026, 0, 31, 14);
	const MINUTE_MS = 60_000;

	function read(value: unknown, timezone = 'Asia/Kolkata'): number {
		return readCustomerLastMessageAt(value, timezone, NOW);
	}

	it.each<[string, unknown]>([
		['an ISO date in UTC', '2026-01-31T14:00:00Z'],
		['an ISO date with an offset', '2026-01-31T19:30:00+05:30'],
		['an ISO date without an offset, in the zone of the workflow', '2026-01-31T19:30:00'],
		['a date and time without seconds', '2026-01-31T19:30'],
		['a date and time as databases write it', '2026-01-31 19:30:00'],
		['a database date with an offset', '2026-01-31 14:00:00+00'],
		['the date of an HTTP header', 'Sat, 31 Jan 2026 14:00:00 GMT'],
		['the date of an email', 'Sat, 31 Jan 2026 19:30:00 +0530'],
		['what a Date object is as text', 'Sat Jan 31 2026 19:30:00 GMT+0530 (India Standard Time)'],
		['a date with another day in its remark', 'Sat, 31 Jan 2026 14:00:00 GMT (2026-02-30)'],
		['a date with spaces around it', ' 2026-01-31T14:00:00Z\n'],
		['epoch seconds', AT_TWO / 1000],
		['epoch seconds with a fraction', `${AT_TWO / 1000}.000`],
		['epoch milliseconds', AT_TWO],
		['epoch milliseconds as text', ` ${AT_TWO} `],
		['a Date object', new Date(AT_TWO)],
		['a DateTime object', DateTime.fromMillis(AT_TWO)],
	])('can be %s', (_, value) => {
		expect(read(value)).toBe(AT_TWO);
	});

	it.each([
		['Asia/Kolkata', '2026-01-30T18:30:00Z'],
		['America/New_York', '2026-01-31T05:00:00Z'],
		['UTC', '2026-01-31T00:00:00Z'],
	])('a date alone is midnight in %s', (timezone, expected) => {
		expect(read('2026-01-31', timezone)).toBe(Date.parse(expected));
	});

	it.each<[unknown, number]>([
		[1e9, 1e12],
		[1e12, 1e12],
		['1000000000', 1e12],
		[new Date(1e12), 1e12],
	])('%j is the earliest count', (value, expected) => {
		expect(read(value)).toBe(expected);
	});

	it.each<[unknown]>([[1e9 - 1], [1e11], [1e12 - 1], [1e14], [new Date(1e12 - 1)]])(
		'%j is outside of what a count can be',
		(value) => {
			expect(() => read(value)).toThrow("Customer's Last Message At is not a date: ");
		},
	);

	it.each<[unknown, string]>([
		[['yesterday'], 'a list'],
		[{ at: 'noon' }, 'an object'],
		[true, '"true"'],
		['yesterday', '"yesterday"'],
		[new Date('x'), '"Invalid Date"'],
	])('%j is named as %s when it is no date', (value, shown) => {
		expect(() => read(value)).toThrow(
			new RegExp(`^Customer's Last Message At is not a date: ${shown}$`),
		);
	});

	it.each<[unknown]>([[undefined], [null], [''], [' \n']])('%j is empty', (value) => {
		expect(() => read(value)).toThrow("Category is Auto, but Customer's Last Message At is empty");
	});

	it.each<[string, unknown]>([
		['a time without a date', '14:05'],
		['a day that could be a month', '01/02/2026'],
		['a date in words, whose zone is unknown', 'Jan 31, 2026 2:00 PM'],
		['a date and time of a 12-hour clock', '2026-01-31 2:00 PM'],
		['a date and time behind a word', '- 2026-01-31T14:00:00Z'],
		['a date with a remark that does not end', 'Sat, 31 Jan 2026 14:00:00 GMT (unclosed'],
		['a text that goes on behind the offset', '2026-01-31T14:00:00Z2'],
		['a count with a sign', `+${AT_TWO}`],
		['a count with an exponent', `${AT_TWO / 1000}e0`],
		['the digits of a date as a large integer', 20260131n],
		['a date with a zone that may contradict its offset', '2026-01-31T14:00:00Z[Asia/Kolkata]'],
		['a day that does not exist', '2026-02-30'],
		['a moment on a day that does not exist', '2026-02-30T10:00:00Z'],
		['a moment on a day of an HTTP header that does not exist', 'Sat, 30 Feb 2025 14:00:00 GMT'],
		['what no Date object is as text', 'Sat Feb 30 2025 19:30:00 GMT+0530 (India Standard Time)'],
		['a moment on a day of an old header', 'Sunday, 30-Feb-25 14:00:00 GMT'],
		['an hour that does not exist', '2026-01-31T25:00:00Z'],
		['the day count of a spreadsheet', 46053.58],
		['microseconds as text', `${AT_TWO * 1000}`],
		['NaN', NaN],
		['a day before there were such messages', '1971-06-01T00:00:00Z'],
		['an invalid Date object', new Date('x')],
		['an invalid DateTime object', DateTime.invalid('x')],
		['a boolean', true],
	])('can not be %s', (_, value) => {
		expect(() => read(value)).toThrow("Customer's Last Message At is not a date: ");
	});

	it('can be a text of 100 characters, and no more', () => {
		const remark = (length: number) => `Sat, 31 Jan 2026 14:00:00 GMT (${'x'.repeat(length - 32)})`;
		expect(read(remark(100))).toBe(AT_TWO);
		expect(() => read(remark(101))).toThrow('is not a date');
	});

	it('may be ahead by the 5 minutes that clocks differ, and no more', () => {
		const limit = NOW + 5 * MINUTE_MS;
		expect(read(limit)).toBe(limit);
		expect(() => read(limit + 1)).toThrow(
			'Customer\'s Last Message At is in the future: "2026-01-31T14:10:00.001Z"',
		);
	});

	it('is the same from every notation of one moment', () => {
		const moments = fc.date({
			min: new Date('2001-10-01'),
			max: new Date(NOW),
			noInvalidDate: true,
		});
		const zones = fc.constantFrom('UTC', 'Asia/Kolkata', 'America/New_York', 'Pacific/Chatham');
		fc.assert(
			fc.property(moments, zones, (date, zone) => {
				const dateTime = DateTime.fromJSDate(date, { zone });
				expect(read(date)).toBe(date.getTime());
				expect(read(dateTime)).toBe(date.getTime());
				expect(read(date.toISOString(), zone)).toBe(date.getTime());
				expect(read(dateTime.toISO(), 'UTC')).toBe(date.getTime());
				expect(read(date.getTime() / 1000)).toBeCloseTo(date.getTime(), 2);
			}),
		);
	});

	it('is a moment up to now, or an error that says what to do, whatever comes', () => {
		const cyclic: Record<string, unknown> = {};
		cyclic.self = cyclic;
		const anything = fc.oneof(
			fc.anything({ withBigInt: true, withDate: true, withNullPrototype: true }),
			fc.stringMatching(/^[\d:/.TZ+ -]{0,30}$/),
			fc.constant(cyclic),
		);
		fc.assert(
			fc.property(anything, (value) => {
				try {
					expect(read(value)).toBeLessThanOrEqual(NOW + 5 * MINUTE_MS);
				} catch (error) {
					expect(error).toMatchObject({ name: 'InputError', remedy: expect.stringMatching(/\.$/) });
				}
			}),
			{ numRuns: 500 },
		);
	});
});

describe('At Most Once per Number', () => {
	const readCap = (atMostOnce: object, to = NEEDED.to) =>
		read({ to, variablesInput: 'none', options: { atMostOnce: atMostOnce as INodeParameters } });

	it.each([
		[{ hours: 24 }, { counter: 'node:node-1', hours: 24 }],
		[
			{ hours: '1.5', name: ' marketing ' },
			{ counter: 'name:marketing', hours: 1.5 },
		],
		[
			{ hours: 720, name: 7 },
			{ counter: 'name:7', hours: 720 },
		],
	])('%j', (cap, expected) => {
		expect(readCap({ cap }).cap).toEqual({ number: NEEDED.to, ...expected });
	});

	it.each<[object, string]>([
		[{}, 'At Most Once per Number has no hours'],
		[{ cap: {} }, 'Hours in At Most Once per Number is "undefined"'],
		[{ cap: { hours: 0.5 } }, 'Hours in At Most Once per Number is "0.5"'],
		[{ cap: { hours: 721 } }, 'Hours in At Most Once per Number is "721"'],
		[{ cap: { hours: 1, name: ['a'] } }, 'Shared Name in At Most Once per Number is "["a"]"'],
	])('%j is refused', (atMostOnce, message) => {
		expect(() => readCap(atMostOnce)).toThrow(expect.objectContaining({ message }));
	});

	it('and Send Between are checked, but do not hold, when the messages go to a test recipient', () => {
		const options = { atMostOnce: { cap: { hours: 1 } }, sendBetween: { hours: { from: '9' } } };
		expect(refusal({ options, variablesInput: 'none' })).toMatchObject({
			message: 'From in Send Between is "9"',
		});
		const sendBetween = { hours: { from: '09:00', until: '20:00', timeZone: 'workflow' } };
		const given = { variablesInput: 'none', options: { ...options, sendBetween } };
		expect(read(given)).toMatchObject({ sendBetween: { from: 540 }, cap: { hours: 1 } });
		const test = read(given, {}, '+14155552679');
		expect(test.sendBetween ?? test.cap).toBeUndefined();
	});
});

describe('a Send Once Key', () => {
	const HOW =
		'Open Options and enter a key that only this message has, such as order-{{ $json.orderNumber }}-shipped, or remove the option.';

	/** What single expressions give; all others give something. */
	const GIVE_NOTHING = ['{{ $json.none }}', '{{ $json.null }}'];
	function compute(expression: string): unknown {
		if (expression.includes('broken')) throw new Error('invalid syntax');
		return GIVE_NOTHING.includes(expression) ? null : 'something';
	}

	const readKey = (sendOnceKey: GenericValue, raw: unknown) =>
		readSendOnceKey({ sendOnceKey }, raw, compute);

	it('without the option there is no key', () => {
		expect(readSendOnceKey({}, '', compute)).toBeUndefined();
	});

	it.each<[GenericValue, unknown, string]>([
		['order-7-shipped', '=order-{{ $json.number }}-shipped', 'order-7-shipped'],
		[' order-7 ', '={{ $json.key }}', 'order-7'],
		['newsletter-may', 'newsletter-may', 'newsletter-may'],
		['newsletter-may', '=newsletter-may', 'newsletter-may'],
		[7, 7, '7'],
		['order{{ 1 }}', 'order{{ 1 }}', 'order{{ 1 }}'],
		['order-null', 'order-null', 'order-null'],
		['undefined', 'undefined', 'undefined'],
		['{{ 1 }}{{ $json.none }}', '{{ 1 }}{{ $json.none }}', '{{ 1 }}{{ $json.none }}'],
		['a-b', '={{ {a: {b: "broken"}}.a.b }}-{{ $json.b }}', 'a-b'],
		['7-7', '={{ $json.a }}-{{ $json.b }}', '7-7'],
	])('the key %j, entered as %j, is "%s"', (value, raw, key) => {
		expect(readKey(value, raw)).toBe(key);
	});

	it.each<[GenericValue, unknown, string]>([
		['', '={{ $json.key }}', 'Send Once Key is empty'],
		[
			'--',
			'={{ $json.a }}-{{ $json.b }}-',
			'The expressions in Send Once Key give nothing: it is "--"',
		],
		[
			'order',
			'=order {{\n$json.a\n}}',
			'The expressions in Send Once Key give nothing: it is "order"',
		],
		[
			'1-',
			'={{ $json.a }}-{{ $json.none }}',
			'The expression {{ $json.none }} in Send Once Key gives nothing: the key is "1-"',
		],
		['order-null', '=order-{{ $json.a }}', 'Send Once Key is "order-null"'],
		['order_undefined', '={{ "order_" + $json.a }}', 'Send Once Key is "order_undefined"'],
		['Invalid DateTime', '={{ $json.date }}', 'Send Once Key is "Invalid DateTime"'],
	])('the key %j, entered as %j, is refused', (value, raw, message) => {
		expect(() => readKey(value, raw)).toThrow(expect.objectContaining({ message, remedy: HOW }));
	});

	it('a key that no text can have is refused for what it is', () => {
		const wrong = () => readKey('a\ud83c', '={{ $json.a }}');
		expect(wrong).toThrow(InputError);
		expect(wrong).toThrow(/^Send Once Key has half a character in it/);
	});
});
