import { readRecipient } from '../../../../nodes/BusinessMessaging/template/recipient';

// README, Send to a spreadsheet: number cells
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
		['+919,876,543,210', 'has an extension'],
		['1415555267.01', 'has no country code'],
		['91 98765 43210.0', 'has no country code'],
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
