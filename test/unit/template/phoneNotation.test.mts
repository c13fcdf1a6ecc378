import { readRecipient } from '../../../nodes/BusinessMessaging/template/phoneNumber';
import { refusal } from '../../support/refusal.mts';

// docs/sending.md: spaces and dashes
it.each([
	['marks that nobody sees', '\u202a+91\u200b98765\u00ad43\u206021\u061c0\u0085\ufeff\u2800\u202c'],
	['spaces of other widths', '\u3000+91\u00a098765\u202f43\u2009210'],
	['all kinds of dashes', '+91–98765−43ー2_10'],
	['full-width characters', '＋９１（９８７６５）－４３２１０'],
	['Persian digits after 00', '۰۰۹۱۹۸۷۶۵۴۳۲۱۰'],
	['double-struck digits', '+𝟡𝟙𝟡𝟠𝟟𝟞𝟝𝟜𝟛𝟚𝟙𝟘'],
	['the apostrophe that makes a cell text', "'+919876543210"],
	['a formula around it', '="+919876543210"'],
	['typographic quotes, a comma and a period', '“+91 98765 43210”,.'],
	['plus signs', '+ ++91 98765 43210'],
	['a scheme', 'Tel: +91-98765-43210'],
	['the scheme of other services', 'whatsapp:+919876543210'],
])('a number with %s is the same number', (_, text) => {
	expect(readRecipient(text)).toBe('+919876543210');
});

// docs/sending.md: number cells
describe('a spreadsheet', () => {
	it.each<[unknown]>([
		[919876543210],
		['+919876543210.0'],
		['919876543210,00'],
		['919,876,543,210.00'],
		['+9,19,87,65,43,210'],
	])('gives %p for +919876543210', (cell) => {
		expect(readRecipient(cell)).toBe('+919876543210');
	});

	it.each<[unknown, string, string]>([
		[15123456789, 'DE', '+4915123456789'],
		['9,87,65,43,210', 'IN', '+919876543210'],
		['612,345,678', 'ES', '+34612345678'],
		['6641234567.000', 'AT', '+436641234567'],
		// As people group digits.
		['06.12.34.56.00', 'FR', '+33612345600'],
		['98765.00000', 'IN', '+919876500000'],
		['98765.432', 'NO', '+4798765432'],
		['2112.34', 'FO', '+298211234'],
	])('gives %p, which with the default country %s is %s', (cell, country, expected) => {
		expect(readRecipient(cell, country)).toBe(expected);
	});

	it.each<[unknown, string]>([
		['919,876,543,210.01', 'more than one number'],
		['9,19,87,65,43,21', 'more than one number'],
		['9.19876543210E+11', 'is in scientific notation, which may have lost digits'],
		['1e+12', 'is in scientific notation, which may have lost digits'],
		[1e21, 'is in scientific notation, which may have lost digits'],
		[2 ** 53, 'is not a whole number, or lost digits'],
		[-919876543210, 'is not a phone number'],
		[919877000000, 'ends in zeros, like a number that a spreadsheet rounded'],
		['919,877,000,000.0', 'ends in zeros, like a number that a spreadsheet rounded'],
	])('does not give %p, which is refused: it %s', (cell, problem) => {
		expect(() => readRecipient(cell)).toThrow(refusal(problem));
	});

	// Without the point each is a number of the country.
	it.each<[unknown, string]>([
		[72.87765544, 'IN'],
		[98765432.12, 'IN'],
		['98765432.12', 'IN'],
		[812345.67, 'DK'],
		['812345.67', 'DK'],
		[2112.34, 'FO'],
		['21234.5', 'FO'],
		['0664 1234567.0', 'AT'],
	])('does not give %p with the default country %s: it is not whole', (cell, country) => {
		const wrong = refusal(`"${String(cell)}" is not a whole number, or lost digits`);
		expect(() => readRecipient(cell, country)).toThrow(wrong);
	});
});

it('zeros that nothing rounded are a number', () => {
	for (const to of ['+919877000000', '91 9877 000000', '00919877000000']) {
		expect(readRecipient(to)).toBe('+919877000000');
	}
	expect(readRecipient(9877000000, 'IN')).toBe('+919877000000');
	expect(readRecipient(919876400000)).toBe('+919876400000');
});

it.each<[string, unknown, string]>([
	['an object', { phone: '+14155552671' }, 'but an object'],
	['a list', ['+14155552671'], 'but a list'],
	['a boolean', true, 'but a boolean'],
	['a text of 1,001 characters', '+14155552671'.padEnd(1001), 'but a long text'],
	['null', null, 'is empty'],
	['invisible characters and spaces', ' \u200b\t\ufeff\n', 'is empty'],
])('%s is no recipient', (_, value, message) => {
	expect(() => readRecipient(value)).toThrow(refusal(message));
	expect(readRecipient('+14155552671'.padEnd(1000))).toBe('+14155552671');
});
