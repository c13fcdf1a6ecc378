import { readRecipient } from '../../../nodes/BusinessMessaging/template/phoneNumber';
import { refusal } from '../../support/refusal.mts';

// docs/sending.md: spaces and dashes
it.each([
	['marks that nobody sees', '\u202a+91\u200b98765\u00ad43\u206021\u061c0\u0085\ufeff\u2800\u202c'],
	['spaces of other widths', '\u3000+91\u00a098765\u202f43\u2009210'],
	['all kinds of dashes', '+91–98765−43ー2_10'],
	['full-width characters', '＋９１（９８７６５）－４３２１０'],
	['Persian digits after 00', '۰۰۹۱۹۸۷۶۵۴۳۲۱۰'],
	['a formula around it', '="+919876543210"'],
	['typographic quotes, a comma and a period', '“+91 98765 43210”,.'],
	['a scheme', 'Tel: +91-98765-43210'],
])('a number with %s is the same number', (_, text) => {
	expect(readRecipient(text)).toBe('+919876543210');
});

// docs/sending.md: number cells
it.each<[unknown, string, string]>([
	[919876543210, '', '+919876543210'],
	['919876543210,00', '', '+919876543210'],
	['919,876,543,210.00', '', '+919876543210'],
	['612,345,678', 'ES', '+34612345678'],
	// As people group digits.
	['06.12.34.56.00', 'FR', '+33612345600'],
	['+9198765.04321', '', '+919876504321'],
	['0664.12345.67', 'AT', '+436641234567'],
	// Zeros that nothing rounded.
	['+919877000000', '', '+919877000000'],
	[9877000000, 'IN', '+919877000000'],
	[919870000001, '', '+919870000001'],
])('the cell %p with the default country "%s" is %s', (cell, country, expected) => {
	expect(readRecipient(cell, country)).toBe(expected);
});

const NOT_WHOLE = 'is not a whole number, or lost digits';
const SCIENTIFIC = 'is in scientific notation, which may have lost digits';
const ROUNDED = 'ends in zeros, like a number that a spreadsheet rounded';

it.each<[unknown, string, string]>([
	['919,876,543,210.01', '', 'contains more than one number'],
	['4155,552,671', 'US', 'contains more than one number'],
	['9.19876543210E+11', '', SCIENTIFIC],
	['10e12', '', SCIENTIFIC],
	[919877000000, '', ROUNDED],
	['919,877,000,000.0', '', ROUNDED],
	[2 ** 53, '', NOT_WHOLE],
	// Without the point each is a number of the country.
	[72.87765544, 'IN', NOT_WHOLE],
	['812345.67', 'DK', NOT_WHOLE],
	['0664 1234567.0', 'AT', NOT_WHOLE],
])('the cell %p with the default country "%s" %s', (cell, country, problem) => {
	expect(() => readRecipient(cell, country)).toThrow(refusal(`"${String(cell)}" ${problem}`));
});

it.each<[string, unknown, string]>([
	['a list', ['+14155552671'], 'is not a phone number but a list'],
	['a boolean', true, 'is not a phone number but a boolean'],
	['a text of 1,001 characters', '+14155552671'.padEnd(1001), 'but a long text'],
	['null', null, 'is empty'],
	['invisible characters and spaces', ' \u200b\t\ufeff\n', 'is empty'],
])('%s is no recipient', (_, value, message) => {
	expect(() => readRecipient(value)).toThrow(refusal(message));
	expect(readRecipient('+14155552671'.padEnd(1000))).toBe('+14155552671');
});
