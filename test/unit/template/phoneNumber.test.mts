import fc from 'fast-check';
import examples from 'libphonenumber-js/examples.mobile.json';
import { getCountries, getExampleNumber } from 'libphonenumber-js/max';
import { InputError } from '../../../nodes/BusinessMessaging/inputError';
import {
	phoneOf,
	readingsOf,
	readRecipient,
} from '../../../nodes/BusinessMessaging/template/phoneNumber';
import { anyString } from '../../support/anyString.mts';
import { refusal } from '../../support/refusal.mts';
import { sample } from '../../support/sample.mts';

/** Of each country whose mobile numbers are long enough to be sent to. */
const MOBILE_NUMBERS = getCountries().flatMap((country) => {
	const number = getExampleNumber(country, examples);
	return number && number.nationalNumber.length > 4 ? [{ country, number }] : [];
});
const anyMobileNumber = fc.constantFrom(...MOBILE_NUMBERS);

it('a number is read alike in all the ways of writing it', () => {
	for (const { country, number } of MOBILE_NUMBERS) {
		for (const text of [number.formatInternational(), number.getURI()]) {
			for (const defaultCountry of ['', 'IN', 'US', 'DE', 'AU', 'BR', country]) {
				expect(readRecipient(text, defaultCountry)).toBe(number.number);
			}
		}
		expect(readRecipient(number.formatInternational().replace('+', '00'))).toBe(number.number);
		expect(readRecipient(number.formatNational(), country)).toBe(number.number);
		expect(readRecipient(number.nationalNumber, country)).toBe(number.number);
	}
});

// docs/scaling.md: a long list
it('a number as it is stored is read without the library as with it', () => {
	const digits = fc.stringMatching(/^[1-9]\d{4,16}$/).map((each) => `+${each}`);
	const changed = fc
		.tuple(anyMobileNumber, fc.stringMatching(/^\d{0,3}$/), fc.nat({ max: 3 }))
		.map(([{ number }, more, less]) => number.number.slice(0, -less || undefined) + more);
	fc.assert(
		fc.property(fc.oneof(digits, changed), (number) => {
			const read = (text: string) => {
				try {
					return readRecipient(text);
				} catch (error) {
					return (error as InputError).message.replace(/".*"/, '');
				}
			};
			expect(read(number)).toBe(read(number.replace('+', '+ ')));
		}),
		sample(300),
	);
});

it.each([
	['(+1) (415) 555.26-71', '', '+14155552671'],
	['+ ++1 415 555 2671', 'DE', '+14155552671'],
	['1 (415) 555-2671', '', '+14155552671'],
	['+44 (0)20 7946 0958', '', '+442079460958'],
	['00  36 ( 0 ) 30 123 4567', '', '+36301234567'],
	['+49 89 1234-(0)', '', '+498912340'],
	['+39(0)347 123 4567', '', '+393471234567'],
	['+2901234', '', '+2901234'],
	['+491512345678901', '', '+491512345678901'],
	// No plan has these.
	['+52 1 55 1234 5678', '', '+5215512345678'],
	['00229 97 12 34 56', 'BJ', '+22997123456'],
	['+22507123456', '', '+22507123456'],
	// For calls over the internet, and for a person.
	['+2638686123456', '', '+2638686123456'],
	['+8250123456789', '', '+8250123456789'],
	// Of the default country.
	['(0)98765 43210', ' in ', '+919876543210'],
	['089/1234567', 'DE', '+49891234567'],
	// As Haiti groups digits, but no date.
	['34-10-1999', 'HT', '+50934101999'],
	['2012-34-56', 'DK', '+4520123456'],
	// Mobile numbers that were not assigned when the library was published.
	['05999999999', 'TR', '+905999999999'],
	// Without its parentheses it could be a mobile number of Denmark.
	['(45) 2123-4567', 'BR', '+554521234567'],
	// Of another country, by the exit code of the default country.
	['0011 47 92 34 56 00', 'AU', '+4792345600'],
	['4915123456789', 'DE', '+4915123456789'],
])('%s with the default country "%s" is read as %s', (text, country, expected) => {
	expect(readRecipient(text, country)).toBe(expected);
});

it.each([
	['+0919876543210', 'has no known country code'],
	['001 44 20 7946 0958', 'is not a number with the country code 1'],
	['+39 (0)312 345 6789', 'can be read as +3903123456789 and as +393123456789'],
	['+910919876543210', 'is not a number with the country code 91'],
	['+800 1234 5678', 'is not a number with the country code 800'],
	['+91+919876543210', 'begins with two country codes'],
	['91 +14155552671', 'begins with two country codes'],
	['+1234567', 'is not a number with the country code 1'],
	['+123456', 'has 6 digits, but a phone number has 7 to 15'],
	['+4989123456789012', 'has 16 digits, but a phone number has 7 to 15'],
	['123456789012345678', 'has 18 digits, but a phone number has 7 to 15'],
])('%s, whatever the default country, is refused: it %s', (text, problem) => {
	for (const country of ['', 'IN']) {
		expect(() => readRecipient(text, country)).toThrow(refusal(`"${text}" ${problem}`));
	}
});

const MORE = 'contains more than one number';
const DATE = 'is a date';

it.each([
	// Would be in Belize.
	['501-234-5678', '', 'has no country code'],
	// Ends like a mobile number of Mexico, or begins like one.
	['95215512345678', '', 'has no country code'],
	['52155123456789', '', 'has no country code'],
	// Begins like a number of Belgium.
	['32846864082', '', 'has no country code'],
	// Would be in Peru, and begins with an area code of Brazil.
	['(51) 98765-4321', '', 'has no country code'],
	// In Germany and Austria, with 16 and with 6 digits in all.
	['089 12345 6789 0123', 'DE', 'has 16 digits'],
	['01234', 'AT', 'is not a number of the default country AT'],
	['45 2123-4567', 'BR', 'can be read as +554521234567 and as +4521234567'],
	['12015550123', 'DE', 'can be read as +4912015550123 and as +12015550123'],
	['001 65 9234 5678', 'HK', 'can be read as +16592345678 and as +6592345678'],
	['+14155552671 ; 4155552672', 'DE', MORE],
	['+14155552671 - +14155552672', 'DE', MORE],
	['+49 160 1234567/8', 'DE', MORE],
	['089 1234567 / 68', 'DE', MORE],
	// IDs, and none in scientific notation.
	['3f2504e01', '', 'is not a phone number'],
	['1e5-4f89', '', 'is not a phone number'],
	['Asha, +14155552671', '', 'is not a phone number'],
	['12 tel:14155552671', '', 'is not a phone number'],
	['11/30/2026', 'LV', DATE],
	['2026. 1. 8.', 'HR', DATE],
	['5–1–1999', 'FO', DATE],
	['20.11.2026 10:00', 'SG', DATE],
	['2026-05-12T10:00:00.000Z', '', DATE],
])('%j with the default country "%s" is refused: it %s', (text, country, problem) => {
	expect(() => readRecipient(text, country)).toThrow(refusal(`"${text}" ${problem}`));
});

const DEFAULT_COUNTRIES = 'AE AR AT BD BR CN DE ES FR GB ID IN IT KE MX NG PK SA TR US ZA'.split(
	' ',
);

// docs/sending.md: Default Country
it('with a default country, hardly any number that lacks only its plus sign becomes a national one', () => {
	const wrong = DEFAULT_COUNTRIES.flatMap((defaultCountry) =>
		MOBILE_NUMBERS.filter(({ country }) => country !== defaultCountry).flatMap(({ number }) => {
			const digits = number.number.slice(1);
			try {
				const read = readRecipient(digits, defaultCountry);
				return read === number.number ? [] : digits;
			} catch {
				return [];
			}
		}),
	);
	expect(wrong.length).toBeLessThanOrEqual(108);
});

// docs/sending.md: a list takes both readings
describe('an entry of a list', () => {
	const readingsIn = (value: unknown, country: string) =>
		readingsOf(value, country, 'Entry 1', 'Use one entry per number.');

	it('is read as with a country code of its own too, whatever the default country', () => {
		const countries = fc.constantFrom(...getCountries());
		fc.assert(
			fc.property(anyMobileNumber, countries, ({ number }, country) => {
				// South Korea's looks like a number that a spreadsheet rounded.
				const text = number.number.slice(1).replace(/0$/, '1');
				expect(readingsIn(text, country)).toContain(`+${text}`);
			}),
			sample(300),
		);
	});

	it.each<[string, string, string[]]>([
		['12015550123', 'IN', ['+12015550123']],
		['65912 34567', 'IN', ['+916591234567', '+6591234567']],
		// A recipient would be refused.
		['62812345678', 'ID', ['+6262812345678', '+62812345678']],
	])('%j with the default country %j is read as %j', (value, country, numbers) => {
		expect(readingsIn(value, country)).toEqual(numbers);
	});

	it('is refused by its own name, with what to do about several', () => {
		const [nameless, several] = ['98765 43210', '+12015550123, +12015550124'];
		expect(() => readingsIn(nameless, '')).toThrow(
			refusal(`Entry 1 "${nameless}" has no country`, /\+14155552671/),
		);
		expect(() => readingsIn(several, 'IN')).toThrow(refusal(MORE, /^Use one entry per number\.$/));
	});
});

it('whatever the input, the result is an E.164 number, or the error says what to do', () => {
	const anything = fc.oneof(
		anyString,
		fc.stringMatching(/^[+\d\s().,;x/=-]{0,40}$/),
		fc.anything({ withBigInt: true, withDate: true }),
		fc.double(),
	);
	fc.assert(
		fc.property(anything, fc.constantFrom('', 'IN', 'DE', 'US'), (value, country) => {
			try {
				expect(readRecipient(value, country)).toMatch(/^\+[1-9]\d{6,14}$/);
			} catch (error) {
				if (!(error instanceof InputError)) throw error;
				expect(error.message).toMatch(/^The recipient .{1,180}$/s);
				expect(error.remedy).toMatch(/\.$/);
			}
		}),
		sample(200),
	);
});

it.each([
	['+5215512345678', '+525512345678'],
	['+52155123456789', '+52155123456789'],
	['+5491112345678', '+541112345678'],
	['+54911123456789', '+54911123456789'],
	['+5531988887777', '+553188887777'],
	// Without its 9 it would be a landline.
	['+5511958887777', '+5511958887777'],
	['+55319888877771', '+55319888877771'],
])('the phone of %s is %s', (number, phone) => {
	expect(phoneOf(number)).toBe(phone);
});
