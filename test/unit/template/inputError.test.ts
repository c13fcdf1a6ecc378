import { InputError, quote } from '../../../nodes/BusinessMessaging/inputError';

describe('an input error', () => {
	it('says what is wrong and what to do', () => {
		const error = new InputError('The recipient is empty', 'Enter a number.');
		expect(error).toBeInstanceOf(Error);
		expect(error).toMatchObject({
			name: 'InputError',
			message: 'The recipient is empty',
			remedy: 'Enter a number.',
		});
	});

	it.each<[unknown, string]>([
		['Asha', '"Asha"'],
		['two\n lines', '"two lines"'],
		['', '""'],
		[17, '"17"'],
		[null, '"null"'],
		[undefined, '"undefined"'],
		[{ name: 'Asha' }, '"{"name":"Asha"}"'],
		['x'.repeat(40), `"${'x'.repeat(40)}"`],
		['x'.repeat(41), `"${'x'.repeat(40)}…"`],
	])('quotes %p as %s', (value, quoted) => {
		expect(quote(value)).toBe(quoted);
	});
});
