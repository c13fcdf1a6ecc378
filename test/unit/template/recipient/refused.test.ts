import { readRecipient } from '../../../../nodes/BusinessMessaging/template/recipient';

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
		['undefined'],
	])('%j is not a phone number', (text) => {
		expect(() => readRecipient(text)).toThrow('is not a phone number');
	});

	it.each([
		['[object Object]', 'The recipient has [object Object] in its text'],
		['+1415555[object Object]', 'The recipient has [object Object] in its text'],
		['+14155552671\ud83c', 'The recipient has half a character in it'],
		['+1415\u00005552671', 'The recipient has the character U+0000 in it'],
	])('%j is named for what it is', (text, message) => {
		expect(() => readRecipient(text)).toThrow(message);
	});

	it('a text may have 1,000 characters', () => {
		expect(readRecipient('+14155552671'.padEnd(1000))).toBe('+14155552671');
	});

	it('a number may have 7 to 15 digits', () => {
		expect(readRecipient('+2901234')).toBe('+2901234');
		expect(readRecipient('+491512345678901')).toBe('+491512345678901');
	});

	it.each(['undefined', 'NaN', 'null', 'tel:undefined'])('%s is told as what it is', (text) => {
		expect(() => readRecipient(text)).toThrow(
			expect.objectContaining({
				message: `The recipient "${text}" is not a phone number`,
				remedy: expect.stringMatching(/^That is what an expression gives /),
			}),
		);
	});

	it('is shown in the right way when one is refused', () => {
		expect(() => readRecipient('n/a')).toThrow(
			expect.objectContaining({
				remedy: 'Use digits with the country code, for example +14155552671.',
			}),
		);
	});

	it('zero, as an empty cell of the number type can be, has one digit', () => {
		expect(() => readRecipient(0)).toThrow('has 1 digit,');
	});

	it.each([
		['112', 3],
		['+123456', 6],
		['+1234567890123456', 16],
		['+4420794609581234567', 19],
		['+123456789012345678', 18],
		['+999 1234567890123456', 19],
		['00 9 123456789012345', 16],
		['123456789012345678', 18],
		['9'.repeat(500), 500],
	])('%s has %i digits, which no number has', (text, digits) => {
		for (const country of ['', 'IN']) {
			expect(() => readRecipient(text, country)).toThrow(
				`has ${digits} digits, but a phone number has 7 to 15`,
			);
		}
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
	])('%s is no recipient', (_, value, message) => {
		expect(() => readRecipient(value)).toThrow(message);
	});
});
