import fc from 'fast-check';

import { tidied } from '../../../nodes/BusinessMessaging/template/whitespace';

// What a network refuses, in its own words: new lines, tabs, more than four spaces in a row.
const REFUSED = /[\n\r\t]| {5}/;

it.each([
	['Main Street 1\nBoston', 'Main Street 1 Boston'],
	['Main Street 1 \r\n\r\n  Boston', 'Main Street 1 Boston'],
	['a\tb', 'a b'],
	['a     b', 'a b'],
	['a    b', 'a    b'],
	['a\u2028b\u0085c\u000bd', 'a b c d'],
	['a\u00a0\u00a0\u00a0\u00a0\u00a0b', 'a b'],
	['Asha\n', 'Asha'],
	['\tAsha', 'Asha'],
	[' Asha ', ' Asha '],
	['Zoë 👩‍👩‍👧 नमस्ते', 'Zoë 👩‍👩‍👧 नमस्ते'],
])('%j is sent as %j', (value, sent) => {
	expect(tidied(value)).toBe(sent);
});

it('nothing that a network refuses is left, and nothing but white space is lost', () => {
	const unit = fc.oneof(fc.constantFrom(' ', '     ', '\n', '\t'), fc.string());
	fc.assert(
		fc.property(fc.array(unit), (parts) => {
			const value = parts.join('');
			const sent = tidied(value);
			expect(sent).not.toMatch(REFUSED);
			expect(sent.replace(/\s/g, '')).toBe(value.replace(/\s/g, ''));
			if (!/[^\S ]| {5}/.test(value)) expect(sent).toBe(value);
		}),
	);
});

it('a long text takes no time', () => {
	expect(tidied(`a${' '.repeat(500_000)}b`)).toBe('a b');
});
