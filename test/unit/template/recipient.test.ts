import fc from 'fast-check';
import examples from 'libphonenumber-js/examples.mobile.json';
import { getCountries, getExampleNumber } from 'libphonenumber-js/min';
import type { CountryCode } from 'libphonenumber-js/min';

import { InputError } from '../../../nodes/BusinessMessaging/inputError';
import { readRecipient } from '../../../nodes/BusinessMessaging/template/recipient';

/** A mobile number of each country whose numbers are long enough to be sent to. */
const MOBILE_NUMBERS = getCountries().flatMap((country) => {
	const number = getExampleNumber(country, examples);
	return number && number.nationalNumber.length > 4 ? [{ country, number }] : [];
});
const anyMobileNumber = fc.constantFrom(...MOBILE_NUMBERS);

describe('a number with its country code', () => {
	it.each([
		['+14155552671'],
		['+1 415 555 2671'],
		['+1-415-555-2671'],
		['+1.415.555.2671'],
		['+1 (415) 555-2671'],
		['(+1) 415 555 2671'],
		['+(1)4155552671'],
		['+ 1 415 555 2671'],
		['+1 1 415 555 2671'],
		['0014155552671'],
		['00 1 415 555 2671'],
		['+0014155552671'],
		['14155552671'],
		['1 (415) 555-2671'],
		['tel:+14155552671'],
		['TEL: +1-415-555-2671'],
		['sms:+14155552671'],
		['callto:+14155552671'],
		['whatsapp:+14155552671'],
	])('%s is read as +14155552671', (text) => {
		expect(readRecipient(text)).toBe('+14155552671');
	});

	it.each([
		['+44 (0)20 7946 0958', '+442079460958'],
		['+44(0)2079460958', '+442079460958'],
		['0044 20 7946 0958', '+442079460958'],
		['0044 (0)20 7946 0958', '+442079460958'],
		['+49 (0)89/1234567', '+49891234567'],
		['+49 0151 23456789', '+4915123456789'],
		['+39 06 12345678', '+390612345678'],
		['+7 8 912 345-67-89', '+79123456789'],
		['+91 09876543210', '+919876543210'],
	])('the trunk zero in %s goes where the country drops it', (text, expected) => {
		expect(readRecipient(text)).toBe(expected);
	});

	it.each([
		['wa.me/919876543210'],
		['https://wa.me/919876543210'],
		['http://wa.me/919876543210'],
		['https://wa.me/+919876543210'],
		['https://wa.me/919876543210/'],
		['https://wa.me/919876543210?text=Hello%20there'],
		['https://api.whatsapp.com/send?phone=919876543210&text=Hi'],
		['https://api.whatsapp.com/send/?phone=%2B919876543210&type=phone_number'],
		['https://web.whatsapp.com/send?text=Hi&phone=919876543210'],
		['whatsapp://send?phone=919876543210'],
		['919876543210@c.us'],
		['919876543210@s.whatsapp.net'],
		['919876543210:12@s.whatsapp.net'],
	])('the chat address %s holds the whole number', (text) => {
		expect(readRecipient(text)).toBe('+919876543210');
	});

	it('a chat address is not read as a number of the default country', () => {
		expect(readRecipient('wa.me/6591234567', 'DE')).toBe('+6591234567');
		expect(readRecipient('4915123456@c.us', 'DE')).toBe('+4915123456');
	});

	it.each([
		['direction marks around it', '\u202a+91 98765 43210\u202c'],
		['zero-width characters', '\u200b+91\u200d98765\u206043210\ufeff'],
		['an Arabic letter mark', '\u061c+919876543210'],
		['soft hyphens', '+91\u00ad98765\u00ad43210'],
		['spaces of other widths', '\u3000+91\u00a098765\u202f43\u2009210'],
		['tabs and line ends around it', '\t+91 98765 43210\r\n'],
		['en dashes', '+91–98765–43210'],
		['minus signs', '+91−98765−43210'],
		['non-breaking hyphens', '+91‑98765‑43210'],
		['full-width characters', '＋９１（９８７６５）－４３２１０'],
		['Arabic digits', '+٩١٩٨٧٦٥٤٣٢١٠'],
		['Persian digits after 00', '۰۰۹۱۹۸۷۶۵۴۳۲۱۰'],
		['Devanagari digits', '+९१ ९८७६५ ४३२१०'],
		['double-struck digits', '+𝟡𝟙𝟡𝟠𝟟𝟞𝟝𝟜𝟛𝟚𝟙𝟘'],
		['the apostrophe that makes a cell text', "'+919876543210"],
		['a formula around it', '="+919876543210"'],
		['typographic quotes', '“+91 98765 43210”'],
		['the separator of a list at its end', '+919876543210,'],
		['the end of a sentence', '+919876543210.'],
	])('pasted with %s it is the same number', (_, text) => {
		expect(readRecipient(text)).toBe('+919876543210');
	});

	it('digits of every script mean what they mean in it', () => {
		const systems = Intl.supportedValuesOf('numberingSystem');
		const withPlaces = systems.filter(
			(system) => show(10, system).length === 2 * show(1, system).length,
		);
		expect(withPlaces.length).toBeGreaterThan(40);
		for (const system of withPlaces) {
			const text = `+${[...'919876543210'].map((digit) => show(Number(digit), system)).join('')}`;
			if (/^\+\p{Nd}+$/u.test(text)) expect(readRecipient(text)).toBe('+919876543210');
		}
	});

	it('is read alike in all the ways of writing it, with any default country', () => {
		fc.assert(
			fc.property(
				anyMobileNumber,
				fc.constantFrom('', 'IN', 'US', 'DE', 'AU', 'BR'),
				({ number }, defaultCountry) => {
					const expected = number.number;
					const formatted = number.formatInternational();
					expect(readRecipient(expected, defaultCountry)).toBe(expected);
					expect(readRecipient(formatted, defaultCountry)).toBe(expected);
					expect(readRecipient(formatted.replace('+', '00'), defaultCountry)).toBe(expected);
					expect(readRecipient(number.getURI(), defaultCountry)).toBe(expected);
				},
			),
		);
	});
});

describe('real numbers that no numbering plan knows pass as they are typed', () => {
	it.each([
		['+52 1 55 1234 5678', '', '+5215512345678'],
		['5215512345678', '', '+5215512345678'],
		['5215512345678', 'MX', '+5215512345678'],
		['5215512345678', 'IN', '+5215512345678'],
		['525512345678', '', '+525512345678'],
		['5512345678', 'MX', '+525512345678'],
		['+55 11 8123-4567', '', '+551181234567'],
		['551181234567', '', '+551181234567'],
		['00 55 11 8123-4567', '', '+551181234567'],
		['11 8123-4567', 'BR', '+551181234567'],
		['+1 415 555 2671 2', '', '+141555526712'],
	])('%s, default country "%s", is %s', (text, country, expected) => {
		expect(readRecipient(text, country)).toBe(expected);
	});
});

describe('a number from a spreadsheet', () => {
	it.each<[unknown]>([
		[919876543210],
		[919876543210n],
		['919876543210.0'],
		['919876543210.00'],
		['+919876543210.0'],
		['00919876543210.0'],
		['919876543210,00'],
		['919,876,543,210'],
		['919,876,543,210.00'],
		['9.19876543210E+11'],
		['9.19876543210e11'],
		['9,19876543210E+11'],
		['+9.19876543210E+11'],
		['919876543210E+0'],
	])('%p is read as +919876543210', (cell) => {
		expect(readRecipient(cell)).toBe('+919876543210');
	});

	it('a cell of the number type lost its leading zero, which the default country makes up for', () => {
		expect(readRecipient(15123456789, 'DE')).toBe('+4915123456789');
	});

	it.each([
		['919,876,543,210.01', 'more than one number'],
		['x9.19876543210E+11', 'more than one number'],
		['9.19876543210E+11x', 'more than one number'],
	])('%s is not a notation of spreadsheets and is refused', (text, problem) => {
		expect(() => readRecipient(text)).toThrow(problem);
	});

	it.each([['9.19877E+11'], ['9.1987654321E+11'], ['1E+12'], ['9,2E+11'], ['91987E+7']])(
		'%s lost digits and is refused',
		(text) => {
			expect(() => readRecipient(text)).toThrow('is in scientific notation and lost digits');
		},
	);

	it.each([[NaN], [Infinity], [-919876543210], [1e21], [919876543210.5], [2 ** 53]])(
		'the number %p is refused',
		(cell) => {
			expect(() => readRecipient(cell)).toThrow('is a number that lost digits or is not whole');
		},
	);
});

describe('a national number', () => {
	it.each([
		['9876543210', 'IN', '+919876543210'],
		['09876543210', 'IN', '+919876543210'],
		['(0)98765 43210', ' in ', '+919876543210'],
		['919876543210', 'IN', '+919876543210'],
		['020 7946 0958', 'GB', '+442079460958'],
		['089/1234567', 'DE', '+49891234567'],
		['415-555-2671', 'US', '+14155552671'],
		['14155552671', 'US', '+14155552671'],
		['011 44 20 7946 0958', 'US', '+442079460958'],
		['89111234567', 'RU', '+79111234567'],
		['79111234567', 'RU', '+79111234567'],
		['06 12345678', 'IT', '+390612345678'],
		['6591234567', 'SG', '+6591234567'],
		['4915123456789', 'DE', '+4915123456789'],
		['6281234567890', 'ID', '+6281234567890'],
	])('%s of the default country %s is %s', (text, country, expected) => {
		expect(readRecipient(text, country)).toBe(expected);
	});

	it('of any country is read with it as the default country, as people there write it', () => {
		fc.assert(
			fc.property(anyMobileNumber, ({ country, number }) => {
				expect(readRecipient(number.formatNational(), country)).toBe(number.number);
				expect(readRecipient(number.nationalNumber, country)).toBe(number.number);
				expect(readRecipient(number.number, country)).toBe(number.number);
			}),
		);
	});

	it('is refused without a default country', () => {
		fc.assert(
			fc.property(
				fc.constantFrom<CountryCode>('US', 'IN', 'GB', 'FR', 'SG', 'NO'),
				fc.stringMatching(/^[2-9]\d{9}$/),
				(country, digits) => {
					expect(() => readRecipient(digits)).toThrow('has no country code');
					const example = getExampleNumber(country, examples)?.formatNational();
					expect(() => readRecipient(example)).toThrow('has no country code');
				},
			),
		);
	});

	it.each([
		['501-234-5678', 'would be in Belize'],
		['(656) 999-1234', 'would be in Singapore'],
		['0919876543210', 'begins with a trunk zero'],
		['011 44 20 7946 0958', 'begins with a zero'],
		['95215512345678', 'ends like a mobile number of Mexico'],
		['52155123456789', 'is longer than a mobile number of Mexico'],
	])('%s without a default country is refused: it %s', (text) => {
		expect(() => readRecipient(text)).toThrow('has no country code');
	});

	it.each([
		['0919876543210', 'IN'],
		['442079460958', 'IN'],
		['15512345678', 'MX'],
		['2024-05-01', 'IN'],
		['98765', 'IN'],
	])('%s is refused when the default country is %s, which has no such number', (text, country) => {
		expect(() => readRecipient(text, country)).toThrow(
			`is not a number of the default country ${country}`,
		);
	});

	it.each([
		['3906123456', 'IT', '39'],
		['62812345678', 'ID', '62'],
	])('%s with the default country %s has two readings and is refused', (text, country, code) => {
		expect(() => readRecipient(text, country)).toThrow(
			`can be read with and without the country code ${code}`,
		);
	});

	it.each([['XX'], ['usa'], ['+49'], ['Germany']])(
		'the default country %s is refused',
		(country) => {
			expect(() => readRecipient('9876543210', country)).toThrow('is not a country code');
		},
	);
});

describe('what is refused because a guess would reach a stranger', () => {
	it.each([
		['+0 415 555 2671'],
		['+0919876543210'],
		['000919876543210'],
		['0011 44 20 7946 0958'],
		['001 44 20 7946 0958'],
		['+999 123456789'],
		['+1 1 44 20 7946 0958'],
	])('%s has no known country code', (text) => {
		expect(() => readRecipient(text)).toThrow('has no known country code');
	});

	it.each([
		['+14155552671 ext 5'],
		['+14155552671 Ext. 5'],
		['+14155552671 EXT: 5'],
		['+14155552671 extn 5'],
		['+14155552671 extension 5'],
		['+14155552671 x5'],
		['+14155552671x5'],
		['+14155552671 ｘ５'],
		['+14155552671 #5'],
		['+14155552671#12'],
		['+14155552671 ~5'],
		['+14155552671;ext=5'],
		['tel:+1-415-555-2671;ext=5'],
		['+14155552671,5'],
		['+14155552671,,5#'],
		['+14155552671,,12#'],
		['(+14155552671)x5'],
		['+14155552671p5'],
		['+14155552671w5'],
		['+1 415 555 2671 (ext 5)'],
		['+1 415 555 2671 ext5.'],
		['+1 415 555 2671 EXT٥'],
		['+33 1 23 45 67 89 poste 12'],
		['+34 912 345 678 anexo 3'],
		['+49 89 1234567 Durchwahl 12'],
		['+55 11 91234-5678 ramal 12'],
		['+7 495 123-45-67 доб. 5'],
	])('%s has an extension', (text) => {
		expect(() => readRecipient(text)).toThrow('has an extension');
	});

	it.each([
		['+14155552671, +14155552672'],
		['+14155552671 +14155552672'],
		['+14155552671+14155552672'],
		['+14155552671;+14155552672'],
		['+14155552671|+14155552672'],
		['+14155552671/+14155552672'],
		['+14155552671 / +14155552672'],
		['+14155552671 & +14155552672'],
		['+14155552671 or +14155552672'],
		['+14155552671\n+14155552672'],
		['+14155552671\r\n4155552672'],
		['9876543210,9876543211'],
		['+49 89 1234567/68'],
		['089 1234567 / 68'],
	])('%j contains more than one number', (text) => {
		expect(() => readRecipient(text, 'DE')).toThrow('contains more than one number');
	});

	it.each([['919876543210 919876543211'], ['9876543210/9876543211']])(
		'%s is too long for one number',
		(text) => {
			expect(() => readRecipient(text, 'IN')).toThrow(/has \d+ digits, but a phone number has 7/);
		},
	);

	it.each([
		['1-800-FLOWERS'],
		['n/a'],
		['-'],
		['+'],
		['++14155552671'],
		['-919876543210'],
		['- 9876543210'],
		['Phone: +14155552671'],
		['Asha <+919876543210>'],
		['120363012345678901@g.us'],
		['asha@example.com'],
		['https://wa.me/message/ABCDEF'],
		['see wa.me/919876543210'],
		['wa.me/919876543210x'],
		['+14155552671x5y'],
		['x919876543210@c.us'],
		['919876543210@c.us.example.com'],
		['+1 tel:4155552671'],
		['–14155552671'],
		['+1415555267l'],
		['+14155552671²'],
		['+1415\u00005552671'],
		['[object Object]'],
		['undefined'],
	])('%j is not a phone number', (text) => {
		expect(() => readRecipient(text)).toThrow('is not a phone number');
	});

	it('a number may have 7 to 15 digits', () => {
		expect(readRecipient('+2901234')).toBe('+2901234');
		expect(readRecipient('+491512345678901')).toBe('+491512345678901');
	});

	it('is shown in the right way when one is refused', () => {
		expect(() => readRecipient('n/a')).toThrow(
			expect.objectContaining({
				remedy: 'Use digits with the country code, for example +14155552671.',
			}),
		);
	});

	it('zero, as an empty cell of the number type can be, has one digit', () => {
		expect(() => readRecipient(0)).toThrow('has 1 digits');
	});

	it.each([
		['+1', 1],
		['112', 3],
		['+123456', 6],
		['+1234567890123456', 16],
		['+4420794609581234567', 19],
		['9'.repeat(500), 500],
	])('%s has %i digits, which no number has', (text, digits) => {
		expect(() => readRecipient(text)).toThrow(`has ${digits} digits`);
	});

	it.each<[string, unknown, string]>([
		['an object', { phone: '+14155552671' }, 'but an object'],
		['a list', ['+14155552671'], 'but a list'],
		['a boolean', true, 'but a boolean'],
		['a long text', 'x'.repeat(100_000), 'but a long text'],
		['a text of 1,001 characters', '+14155552671'.padEnd(1001), 'but a long text'],
		['null', null, 'is empty'],
		['undefined', undefined, 'is empty'],
		['an empty text', '', 'is empty'],
		['spaces', ' \t\n', 'is empty'],
		['invisible characters', '\u200b\u200e\ufeff', 'is empty'],
		['an empty formula', '=""', 'is empty'],
	])('%s', (_, value, message) => {
		expect(() => readRecipient(value)).toThrow(message);
	});
});

describe('whatever the input', () => {
	const anything = fc.oneof(
		fc.string({ unit: 'binary' }),
		fc.stringMatching(/^[+\d\s().,;x/=-]{0,40}$/),
		fc.anything({ withBigInt: true, withDate: true }),
		fc.double(),
	);

	it('the result is an E.164 number of 7 to 15 digits, or the error says what to do', () => {
		fc.assert(
			fc.property(anything, fc.constantFrom('', 'IN', 'DE', 'US'), (value, country) => {
				try {
					expect(readRecipient(value, country)).toMatch(/^\+[1-9]\d{6,14}$/);
				} catch (error) {
					if (!(error instanceof InputError)) throw error;
					expect(error.message).toMatch(/^The recipient /);
					expect(error.message.length).toBeLessThan(200);
					expect(error.remedy).toMatch(/\.$/);
				}
			}),
			{ numRuns: 1000 },
		);
	});

	it('a number that was read is read as itself', () => {
		fc.assert(
			fc.property(anyMobileNumber, ({ number }) => {
				const read = readRecipient(number.number);
				expect(readRecipient(read)).toBe(read);
			}),
		);
	});
});

function show(number: number, numberingSystem: string): string {
	return new Intl.NumberFormat('en', { numberingSystem }).format(number);
}
