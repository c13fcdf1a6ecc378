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
		['Hi\u0000', 'The text has the character U+0000 in it'],
		['\u200b', 'The text has invisible characters only'],
		[' \u2800\n', 'The text has invisible characters only'],
		['\u3164\ufe0f\u00ad\u{e0020}', 'The text has invisible characters only'],
	])('%j is refused', (text, message) => {
		expect(() => checkText(text, 'The text')).toThrow(message);
	});

	it.each([
		'Thank you 🎉',
		'[object]',
		'object Object',
		'\ufffd',
		'नमस्ते',
		'',
		'👩🏽‍🦱',
		'.',
		'a\u200b',
	])('%j is not', (text) => {
		expect(() => checkText(text, 'The text', () => '={{ $json.text }}')).not.toThrow();
	});

	describe('that an expression gave', () => {
		const ruins: Array<[string, string]> = [
			['undefined', 'undefined'],
			['Hi undefined', 'undefined'],
			['order_undefined2', 'undefined'],
			['(undefined)', 'undefined'],
			['NaN', 'NaN'],
			['NaN %', 'NaN'],
			['until Invalid DateTime!', 'Invalid DateTime'],
			['Invalid Date', 'Invalid Date'],
			['null', 'null'],
			[' null\n', 'null'],
		];

		it.each(ruins)('is refused when it is a ruin: %j', (text, ruin) => {
			const check = (entered: unknown) => () => checkText(text, 'The text', () => entered);
			expect(check('={{ "Hi " + $json.name }}')).toThrow(
				expect.objectContaining({
					message: `The text has "${ruin}" in it`,
					remedy: expect.stringMatching(ruin.startsWith('Invalid') ? /a date/ : /fallback/),
				}),
			);
			expect(check(`=${text}: {{ $json.name }}`)).not.toThrow();
			for (const typed of [text, '{{ $json.name }}', 7, undefined]) {
				expect(check(typed)).not.toThrow();
			}
		});

		it.each([
			...['Null', 'NULL', 'null and void', 'Undefined', 'undefinable', 'éundefined'],
			...['Nan', 'NaNa', 'BaNaN', 'Invalid date', 'Invalid Dates', 'Valid Date'],
		])('is not when it only looks like one: %j', (text) => {
			expect(() => checkText(text, 'The text', () => '={{ $json.name }}')).not.toThrow();
		});

		it('is asked how it was entered only then', () => {
			const entered = jest.fn(() => '={{ $json.name }}');
			checkText('Asha', 'The text', entered);
			expect(entered).not.toHaveBeenCalled();
		});
	});

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
