import fc from 'fast-check';

import { readRecipient } from '../../../../nodes/BusinessMessaging/template/recipient';
import { anyMobileNumber } from '../../../support/mobileNumbers.ts';

// README, Send to a spreadsheet: spaces and dashes
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
		['0052 1 55 1234 5678', '', '+5215512345678'],
		['001 100 555 2671', '', '+11005552671'],
		['11 8123-4567', 'BR', '+551181234567'],
		['+1 415 555 2671 2', '', '+141555526712'],
	])('%s, default country "%s", is %s', (text, country, expected) => {
		expect(readRecipient(text, country)).toBe(expected);
	});
});

function show(number: number, numberingSystem: string): string {
	return new Intl.NumberFormat('en', { numberingSystem }).format(number);
}
