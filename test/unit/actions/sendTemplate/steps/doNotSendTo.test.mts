import fc from 'fast-check';
import metadata from 'libphonenumber-js/metadata.max.json';

import { sendTemplate } from '../../../../../nodes/BusinessMessaging/actions/sendTemplate/sendTemplate.operation';
import { readList } from '../../../../../nodes/BusinessMessaging/actions/sendTemplate/steps/doNotSendTo';
import {
	phoneOf,
	readRecipient,
} from '../../../../../nodes/BusinessMessaging/template/phoneNumber';
import { withParameters } from '../../../../support/parameters.mts';

jest.mock('../../../../../nodes/BusinessMessaging/template/phoneNumber', () => {
	const actual = jest.requireActual<{ readRecipient: typeof readRecipient }>(
		'../../../../../nodes/BusinessMessaging/template/phoneNumber',
	);
	return { ...actual, readRecipient: jest.fn(actual.readRecipient) };
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
	const phones = readList(value, country);
	expect(phones.has(phoneOf(INDIAN))).toBe(true);
	expect(phones.has(phoneOf('+919876543211'))).toBe(false);
});

it('numbers as most lists have them take no reading, which takes many times as long', () => {
	const read = jest.mocked(readRecipient).mockClear();
	readList([INDIAN, '+14155552671', '+4915112345678', '+353851234567'], '');
	expect(read).not.toHaveBeenCalled();
	readList([INDIAN, '+91 98765 43210'], '');
	expect(read).toHaveBeenCalledTimes(1);
});

it('an empty list has nobody', () => {
	expect(readList([], '')).toEqual(new Set());
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
			expect(readList(entries, '')).toEqual(expected);
		}),
		{ numRuns: 3000, seed: 1 },
	);
});

describe('of a run', () => {
	const SEND = { to: INDIAN, templateName: 'news', category: 'marketing', variablesInput: 'none' };
	const path = 'options.doNotSendTo';
	const fromEach = (doNotSendTo: string, value: () => unknown) => {
		const values = { ...SEND, options: { doNotSendTo } };
		const context = withParameters(values, {}, { [path]: doNotSendTo });
		const { getNodeParameter } = context;
		const compute = jest.fn(value);
		context.getNodeParameter = ((...all: Parameters<typeof getNodeParameter>) =>
			all[0] === path && !all[3] ? compute() : getNodeParameter(...all)) as never;
		return { compute, read: (item: number) => sendTemplate.read(context, item, 0) };
	};

	it.each<[string, number]>([
		['+4915112345678', 1],
		["={{ $('Opt-Outs').all().map((item) => item.json.phone) }}", 1],
		["={{ $('Opt-Outs').first().json.phones }}", 1],
		['={{ $input.all().map((row) => row.json.phone) }}', 1],
		["={{ $('Opt-Outs').item.json.phones }}", 3],
		["={{ $('Opt-Outs')['item'].json.phones }}", 3],
		["={{ $('Opt-Outs').itemMatching(0).json.phones }}", 3],
		['={{ $input.item.json.phones }}', 3],
		['={{ $json.phones }}', 3],
		['={{ $node["Opt-Outs"].json.phones }}', 3],
		["={{ $('Opt-Outs').all()[$itemIndex].json.phones }}", 3],
	])('%s is computed %d times for three items', (entered, times) => {
		const { compute, read } = fromEach(entered, () => [INDIAN]);
		for (const item of [0, 1, 2]) expect(read(item)).toMatchObject({ isOptedOut: true });
		expect(compute).toHaveBeenCalledTimes(times);
	});

	it('each item has the list that it gives', () => {
		const lists = [[INDIAN], ['+4915112345678'], [], [INDIAN]];
		const { read } = fromEach('={{ $json.phones }}', () => lists.shift());
		const optedOut = { isOptedOut: true };
		const others = { isOptedOut: false };
		const nobody = { isOptedOut: false, note: 'Do Not Send To is an empty list' };
		for (const [item, expected] of [optedOut, others, nobody, optedOut].entries()) {
			const { isOptedOut, note } = read(item) as unknown as { isOptedOut: boolean; note?: string };
			expect({ isOptedOut, note }).toEqual(expected);
		}
	});

	it.each([
		['={{ $input.all() }}', 1],
		['={{ $json.phones }}', 1],
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
