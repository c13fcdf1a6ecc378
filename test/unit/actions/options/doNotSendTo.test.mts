import fc from 'fast-check';
import metadata from 'libphonenumber-js/metadata.max.json';

import { readList } from '../../../../nodes/BusinessMessaging/actions/options/doNotSendTo';
import { sendTemplate } from '../../../../nodes/BusinessMessaging/actions/sendTemplate/sendTemplate.operation';
import { parsePhoneNumberFromString as parse } from '../../../../nodes/BusinessMessaging/bundled/libphonenumber';
import { phoneOf, readRecipient } from '../../../../nodes/BusinessMessaging/template/phoneNumber';
import { withParameters } from '../../../support/parameters.mts';
import { sample } from '../../../support/sample.mts';

jest.mock('../../../../nodes/BusinessMessaging/bundled/libphonenumber', () => {
	const actual = jest.requireActual<{ parsePhoneNumberFromString: typeof parse }>(
		'../../../../nodes/BusinessMessaging/bundled/libphonenumber',
	);
	return { ...actual, parsePhoneNumberFromString: jest.fn(actual.parsePhoneNumberFromString) };
});

const INDIAN = '+919876543210';

// docs/sending.md: however it is spelled
it.each<[unknown, string?]>([
	[[INDIAN]],
	[[INDIAN, '+4915112343210']],
	[['+4915112345678', '0091 98765 43210']],
	[[919876543210]],
	[['+91 (98765) 43-210']],
	[['9.19876543210E+11']],
	[['98765 43210'], 'IN'],
	[919876543210],
	['+4915112345678\r\n\n\r  +91-98765-43210\n'],
	['+4915112345678\r+919876543210'],
])('%j has the number', (value, country = '') => {
	const { phones } = readList(value, country);
	expect(phones.has(phoneOf(INDIAN))).toBe(true);
	expect(phones.has(phoneOf('+919876543211'))).toBe(false);
});

it('texts are read once, with each default country', () => {
	const read = (country: string) => readList(['98765 43211', '+91 98765 43211'], country);
	const list = { phones: new Set(['+919876543211']), size: 1 };
	expect(read('IN')).toEqual(list);
	jest.mocked(parse).mockClear();
	expect(read('IN')).toEqual(list);
	expect(parse).not.toHaveBeenCalled();
	expect(read('US').size).toBe(2);
});

it('an empty list has nobody', () => {
	expect(readList([], '')).toEqual({ phones: new Set(), size: 0 });
});

it.each<[unknown, number]>([
	[[INDIAN, '+91 98765 43210', 919876543210], 1],
	// Mexico's retired 1.
	[['+525512345678', '+5215512345678', INDIAN], 2],
	// Read as +9112015550123 and as +12015550123.
	[['12015550123'], 1],
])('%j are as many numbers as there are phones: %d', (entries, size) => {
	expect(readList(entries, 'IN').size).toBe(size);
});

it.each<[unknown, string, (string | null)?]>([
	[undefined, 'Do Not Send To is empty'],
	[null, 'Do Not Send To is empty'],
	[' \n ', 'Do Not Send To is empty'],
	[{ phone: INDIAN }, 'Do Not Send To is an object'],
	[true, 'Do Not Send To is "true"'],
	[[INDIAN, ''], 'Entry 2 of Do Not Send To is empty'],
	[[undefined], 'Entry 1 of Do Not Send To is empty'],
	[new Array(1), 'Entry 1 of Do Not Send To is empty'],
	[[{ phone: INDIAN }], 'Entry 1 of Do Not Send To is not a phone number but an object'],
	[[[INDIAN]], 'Entry 1 of Do Not Send To is not a phone number but a list'],
	[[INDIAN, 'n/a'], 'Entry 2 of Do Not Send To "n/a" is not a phone number'],
	[['+99912345678'], 'Entry 1 of Do Not Send To "+99912345678" has no known country code'],
	[
		[INDIAN, '+910919876543210'],
		'Entry 2 of Do Not Send To "+910919876543210" is not a number with the country code 91',
	],
	[
		['+91919876543210'],
		'Entry 1 of Do Not Send To "+91919876543210" begins with two country codes',
	],
	[['98765 43210'], 'Entry 1 of Do Not Send To "98765 43210" has no country code'],
	[[INDIAN, '98765 43210'], expect.stringContaining('Default Country gives none') as never, null],
	[`${INDIAN}\n\n12`, 'Line 3 of Do Not Send To "12" has 2 digits, but a phone number has 7 to 15'],
	[`${INDIAN}, +4915112345678`, expect.stringContaining('contains more than one number') as never],
])('%j is refused', (value, message, country = '') => {
	expect(() => readList(value, country)).toThrow(expect.objectContaining({ message }));
});

it.each<[string, unknown, string]>([
	['what is no list', '', 'Open Options and enter one number a line, or let an'],
	[
		'a blank entry',
		[INDIAN, ' '],
		'Leave blank entries out of the list, for example with .filter(',
	],
	['a missing entry', [null], 'Leave blank entries out of the list, '],
	['a line with two numbers', `${INDIAN}, +4915112345678`, 'Use one line per number.'],
	['an entry with two numbers', [`${INDIAN}; +4915112345678`], 'Use one entry per number.'],
])('%s is refused with what to enter', (_, value, remedy) => {
	expect(() => readList(value, '')).toThrow(
		expect.objectContaining({ remedy: expect.stringContaining(remedy) }),
	);
});

/** What a country's numbers may begin with in the country itself, by the library: such as a trunk prefix. */
const PREFIXES = Object.entries(metadata.country_calling_codes).map(([code, [country]]) => {
	const { 5: prefix, 7: pattern } = Object(metadata.countries[country]) as string[];
	return { code, prefixes: new RegExp(`^(?:${pattern || prefix || '0'})$`) };
});
const anyFull = fc
	.constantFrom(...PREFIXES)
	.chain(({ code, prefixes }) =>
		fc.tuple(
			fc.constant(`+${code}`),
			fc.oneof(fc.stringMatching(prefixes), fc.stringMatching(/^[0189]?\d?$/), fc.constant(code)),
			fc.stringMatching(/^[1-9]\d{5,10}$/),
		),
	)
	.map((parts) => parts.join(''))
	.filter((number) => /^\+\d{10,15}$/.test(number));

it('a list has exactly the numbers that reading all of its entries gives, or is refused', () => {
	const phones = (entries: string[]) => {
		try {
			return new Set(entries.map((entry) => phoneOf(readRecipient(entry))));
		} catch {
			return undefined;
		}
	};
	fc.assert(
		fc.property(fc.array(anyFull, { minLength: 1, maxLength: 3 }), (entries) => {
			const expected = phones(entries);
			if (!expected) return expect(() => readList(entries, '')).toThrow(/^Entry \d of Do Not Send/);
			expect(readList(entries, '').phones).toEqual(expected);
		}),
		sample(500, 1),
	);
});

describe('of a run', () => {
	const SEND = { to: INDIAN, templateName: 'news', category: 'marketing', variablesInput: 'none' };
	const path = 'options.doNotSendTo';
	const fromEach = (doNotSendTo: string, value: () => unknown) => {
		const values = { ...SEND, options: { doNotSendTo } };
		const compute = jest.fn(value);
		const rows = () => [compute()].flat().map((phone) => ({ json: { phone } }));
		const getWorkflowDataProxy = () => ({ $: () => ({ all: rows }) });
		const context = withParameters(values, { getWorkflowDataProxy }, { [path]: doNotSendTo });
		const { getNodeParameter } = context;
		context.getNodeParameter = ((...all: Parameters<typeof getNodeParameter>) =>
			all[0] === path && !all[3] ? compute() : getNodeParameter(...all)) as never;
		return { compute, read: (item: number) => sendTemplate.read(context, item, 0) };
	};

	// docs/sending.md: expressions that read one item are refused
	it.each([
		"={{ $('Opt-Outs').item.json.phone.split(',') }}",
		"={{ $('Opt-Outs')['item'].json.text.split(';') }}",
		"={{ $('Opt-Outs').itemMatching(0).json.text.split(';') }}",
		"={{ [$('Opt-Outs').first().json.phone, '+12025550100'] }}",
		"={{ [$('Opt-Outs').item.json.phone.replace(' ', '')] }}",
		"={{ [$json.phone ?? ''] }}",
	])('%s is refused, although it gives a list', (entered) => {
		expect(() => fromEach(entered, () => [INDIAN]).read(0)).toThrow(/reads one item/);
	});

	// docs/sending.md: computed once
	it.each<[string, number]>([
		['+4915112345678', 1],
		["={{ $('Opt-Outs').item.json.phone }}", 1],
		["={{ $('Opt-Outs').all().map((item) => item.json.phone) }}", 1],
		["={{ $('Opt-Outs').first().json.text.split(';') }}", 1],
		['={{ $input.all().map((row) => row.json.phone) }}', 1],
		["={{ $input.item.json.text.split(';') }}", 3],
		["={{ $json.text.split(';') }}", 3],
		['={{ $node["Opt-Outs"].json.text.split(";") }}', 3],
		["={{ $('Opt-Outs').all()[$itemIndex].json.text.split(';') }}", 3],
	])('%s is computed %d times for three items', (entered, times) => {
		const { compute, read } = fromEach(entered, () => [INDIAN]);
		for (const item of [0, 1, 2]) expect(read(item)).toMatchObject({ isOptedOut: true });
		expect(compute).toHaveBeenCalledTimes(times);
	});

	it('each item has the list that it gives', () => {
		const lists = [[INDIAN], ['+4915112345678'], [], [INDIAN]];
		const { read } = fromEach("={{ $json.text.split(';') }}", () => lists.shift());
		for (const [item, expected] of [
			{ isOptedOut: true, listSize: 1 },
			{ isOptedOut: false, listSize: 1 },
			{ isOptedOut: false, listSize: 0 },
			{ isOptedOut: true, listSize: 1 },
		].entries()) {
			expect(read(item)).toMatchObject(expected);
		}
	});

	it.each([
		["={{ $('Opt-Outs').item.json.phone }}", 1],
		['={{ $input.all().map((row) => row.json.phone) }}', 1],
		["={{ $json.text.split(';') }}", 1],
	])('a list of %s is read once, also if it is wrong', (entered, times) => {
		const touched = jest.fn(() => 'n/a');
		const wrong = Object.defineProperty([INDIAN], 1, { get: touched, enumerable: true });
		const { read } = fromEach(entered, () => wrong);
		for (const item of [0, 1, 2]) {
			expect(() => read(item)).toThrow(expect.objectContaining({ code: 'wrongOption' }));
		}
		expect(touched).toHaveBeenCalledTimes(times);
	});
});
