import { readRecipient } from '../../../nodes/BusinessMessaging/template/phoneNumber';
import { refusal } from '../../support/refusal.mts';

// docs/sending.md: spaces and dashes
it.each([
	['marks that nobody sees', '\u202a+91\u200b98765\u00ad43\u206021\u061c0\ufeff\u202c'],
	['spaces of other widths', '\u3000+91\u00a098765\u202f43\u2009210'],
	['all kinds of dashes', '+91–98765−43ー210'],
	['full-width characters', '＋９１（９８７６５）－４３２１０'],
	['Persian digits after 00', '۰۰۹۱۹۸۷۶۵۴۳۲۱۰'],
	['double-struck digits', '+𝟡𝟙𝟡𝟠𝟟𝟞𝟝𝟜𝟛𝟚𝟙𝟘'],
	['the apostrophe that makes a cell text', "'+919876543210"],
	['a formula around it', '="+919876543210"'],
	['typographic quotes', '“+91 98765 43210”'],
	['a comma and a period at its end', '+919876543210,.'],
	['two plus signs', '++91 98765 43210'],
	['plus signs apart', '+ +91 98765 43210'],
	['low lines', '+91_98765_43210'],
	['where it is used', '+91 98765 43210 (WhatsApp)'],
])('a number with %s is the same number', (_, text) => {
	expect(readRecipient(text)).toBe('+919876543210');
});

/** Of all kinds that Unicode has, and blanks that it counts among letters and symbols. */
const INVISIBLE = [
	...[
		'00ad',
		'034f',
		'061c',
		'115f',
		'1160',
		'17b4',
		'180b',
		'180e',
		'200b',
		'200d',
		'200e',
		'202e',
	],
	...['2060', '2064', '2066', '206f', '3164', 'fe00', 'fe0f', 'feff', 'ffa0', 'e0001', 'e0100'],
	...['0085', '0001', '001f', '007f', '009f'],
	...['2028', '2029', '00a0', '1680', '2007', '202f', '205f', '3000'],
	...['2800', 'fff9', 'fffc', '13441', '16fe4', '1d159'],
];

it.each(INVISIBLE)('U+%s in a number, which nobody sees, changes nothing', (code) => {
	const character = String.fromCodePoint(parseInt(code, 16));
	for (const text of ['#+919876543210', '+#919876543210', '+91#9876543210', '+919876543210#']) {
		expect(readRecipient(text.replace('#', character))).toBe('+919876543210');
	}
});

it.each([
	'wa.me/919876543210',
	'http://wa.me/919876543210/',
	'https://wa.me/+919876543210?text=Hello%20there',
	'https://api.whatsapp.com/send/?phone=%2B919876543210&type=phone_number',
	'https://web.whatsapp.com/send?text=Hi&phone=919876543210#now',
	'whatsapp://send?phone=919876543210',
	'919876543210@c.us',
	'+919876543210:12@s.whatsapp.net',
])('the chat address %s has the whole number', (text) => {
	// With its country code, whatever the default country is.
	expect(readRecipient(text, 'DE')).toBe('+919876543210');
	expect(readRecipient(text.replace('919876543210', '4915123456'), 'DE')).toBe('+4915123456');
});

it.each(['tel:+14155552671', 'SMS: +1-415-555-2671', 'callto:+14155552671'])(
	'%s is read',
	(text) => {
		expect(readRecipient(text)).toBe('+14155552671');
	},
);

// docs/sending.md: number cells
describe('a spreadsheet', () => {
	it.each<[unknown]>([
		[919876543210n],
		['+919876543210.0'],
		['919876543210,00'],
		['91 98765-43210.0'],
		['+91 (98765) 4321-0,0'],
		['919876543210.000'],
		['919,876,543,210'],
		['919,876,543,210.00'],
		['+919,876,543,210'],
		['9,19,87,65,43,210'],
		['9,19,87,65,43,210.00'],
		['+9,19,87,65,43,210'],
		['9.19876543210E+11'],
		['+9,19876543210e11'],
		['919876543210E+0'],
	])('gives %p for +919876543210', (cell) => {
		expect(readRecipient(cell)).toBe('+919876543210');
	});

	it('drops the leading zero of a number, which the default country makes up for', () => {
		expect(readRecipient(15123456789, 'DE')).toBe('+4915123456789');
	});

	it.each([
		['9,87,65,43,210', 'IN', '+919876543210'],
		['612,345,678', 'ES', '+34612345678'],
	])('groups the digits of %s, default country %s, which is %s', (cell, country, expected) => {
		expect(readRecipient(cell, country)).toBe(expected);
	});

	it.each([
		['0664 1234567.0', 'AT', '+436641234567'],
		['6641234567.000', 'AT', '+436641234567'],
		['012-345 6789.00', 'MY', '+60123456789'],
		['06 12 34 56.00', 'FR', '+33612345600'],
		['06.12.34.56.00', 'FR', '+33612345600'],
		['98765.00000', 'IN', '+919876500000'],
		['98765.43210', 'IN', '+919876543210'],
	])(
		'gives or does not give the zeros behind %s, default country %s',
		(cell, country, expected) => {
			expect(readRecipient(cell, country)).toBe(expected);
		},
	);

	it.each<[unknown, string]>([
		['919,876,543,210.01', 'more than one number'],
		['9,19,87,65,43,21', 'has an extension'],
		['91,9876543210', 'more than one number'],
		['1415555267.01', 'is a number that lost digits or is not whole'],
		['+91 98765 43210.5', 'is a number that lost digits or is not whole'],
		['x9.19876543210E+11', 'more than one number'],
		['9.19876543210E+11x', 'more than one number'],
		['9.1987654321E+11', 'is in scientific notation and lost digits'],
		['1E+12', 'is in scientific notation and lost digits'],
		[-919876543210, 'is a number that lost digits or is not whole'],
		[2 ** 53, 'is a number that lost digits or is not whole'],
		[919877000000, 'ends in zeros, like a number that a spreadsheet rounded'],
		['919,877,000,000.0', 'ends in zeros, like a number that a spreadsheet rounded'],
		['14200000000', 'ends in zeros, like a number that a spreadsheet rounded'],
	])('does not give %p, which is refused: it %s', (cell, problem) => {
		expect(() => readRecipient(cell)).toThrow(refusal(problem));
	});
});

it('zeros that nothing rounded are a number', () => {
	for (const to of ['+919877000000', '91 9877 000000', '00919877000000', 'wa.me/919877000000']) {
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
	['undefined', undefined, 'is empty'],
	['invisible characters and spaces', ' \u200b\t\ufeff\n', 'is empty'],
	['half a character', '+14155552671\ud83c', 'has half a character in it'],
])('%s is no recipient', (_, value, message) => {
	expect(() => readRecipient(value)).toThrow(refusal(message));
	expect(readRecipient('+14155552671'.padEnd(1000))).toBe('+14155552671');
});
