import fc from 'fast-check';

import { checkText, isWellFormed } from '../../../nodes/BusinessMessaging/template/text';
import { readValue } from '../../../nodes/BusinessMessaging/template/values';

const HALF = 'has half a character in it, as when an emoji is cut in two';

describe('a text for the customer', () => {
	it.each([
		['[object Object]', 'The text has [object Object] in its text'],
		['Hi [object Object]!', 'The text has [object Object] in its text'],
		['Hi [object Promise]', 'The text has [object Object] in its text'],
		['Thank you 🎉'.slice(0, -1), `The text ${HALF}`],
		['🎉'.slice(1), `The text ${HALF}`],
		['\ude00\ud83c', `The text ${HALF}`],
	])('%j is refused', (text, message) => {
		expect(() => checkText(text, 'The text')).toThrow(message);
	});

	it.each(['Thank you 🎉', '[object]', 'object Object', '\ufffd', 'नमस्ते', ''])(
		'%j is not',
		(text) => {
			expect(() => checkText(text, 'The text')).not.toThrow();
		},
	);

	it('has whole characters exactly when it has a form in an address', () => {
		fc.assert(
			fc.property(fc.string({ unit: 'binary' }), fc.nat(), (text, at) => {
				const cut = text.slice(0, at % (text.length + 1));
				let hasAddress = true;
				try {
					encodeURIComponent(cut);
				} catch {
					hasAddress = false;
				}
				expect(isWellFormed(cut)).toBe(hasAddress);
			}),
		);
	});

	it('is refused as a variable by the name of its place', () => {
		expect(() => readValue('Hi [object Object]', '{{1}}')).toThrow(
			'The variable {{1}} has [object Object] in its text',
		);
	});
});
