import fc from 'fast-check';

import {
	almostPlaceholder,
	readPlaceholders,
} from '../../../nodes/BusinessMessaging/template/placeholders';

const TEXT = 'Hi {{1}}, your order {{2}} will arrive on {{3}}. Thank you, {{1}}!';

describe('what may be meant as a placeholder', () => {
	it.each<[string, string | undefined]>([
		['Hi {1}, your order', '{1}'],
		['Hi [12], your order {2}', '[12]'],
		['Hi [ 1 ]', '[ 1 ]'],
		['Hi {\u200b1}', '{\u200b1}'],
		['{{{1}}}', undefined],
		['{a} {1a} {} [] [0] {0} {1000} (1) 1', undefined],
		['[link 1] {1, 2}', undefined],
	])('in %j is %j', (text, expected) => {
		expect(almostPlaceholder(text)).toBe(expected);
		// A run reads such a text like any other.
		expect(() => readPlaceholders(text.replace('[12]', '{{1}}'))).not.toThrow();
	});

	it('is found in a long text without delay', () => {
		for (const text of ['{', '[ ', '{1', '[1 '].map((part) => part.repeat(100_000))) {
			expect(almostPlaceholder(text)).toBeUndefined();
		}
	});
});

describe('placeholders of a pasted text', () => {
	it('come by position, each once, with the words around their first place', () => {
		expect(readPlaceholders(TEXT)).toEqual([
			{ position: 1, label: 'Hi {{1}}, your' },
			{ position: 2, label: 'your order {{2}} will arrive' },
			{ position: 3, label: 'arrive on {{3}}. Thank' },
		]);
	});

	it('have labels that the editor does not cut off before the placeholder', () => {
		const [first, second] = readPlaceholders('Bestellbestätigungsnummer: {{1}}, {{2}}!');
		expect(first.label).toBe('…stätigungsnummer: {{1}},');
		expect(second.label).toBe(', {{2}}!');
		expect(readPlaceholders('Hi {{ 1 }}, {{2}}!')[1].label).toBe(', {{2}}!');
		const [emoji] = readPlaceholders(`${'🎉'.repeat(20)} {{1}}`);
		expect(emoji.label).toBe(`…${'🎉'.repeat(17)} {{1}}`);
	});

	it('of a text are looked for once for all items of a run', () => {
		const segment = jest.spyOn(Intl.Segmenter.prototype, 'segment');
		const texts = ['Hi {{1}}, it is {{2}}.', 'Bye {{1}}'];
		for (const text of texts) {
			const first = readPlaceholders(text);
			segment.mockClear();
			for (let item = 0; item < 1000; item++) expect(readPlaceholders(text)).toEqual(first);
			expect(segment).not.toHaveBeenCalled();
		}
		expect(readPlaceholders(texts[0])).toHaveLength(2);
		segment.mockRestore();
	});

	it('of a wrong text are told each time', () => {
		for (let item = 0; item < 2; item++)
			expect(() => readPlaceholders('Hi {{2}}')).toThrow('{{1}}');
	});

	it.each([
		['{{1}}', '{{1}}'],
		['{{ 1 }}', '{{1}}'],
		['Hi there:{{1}}thank you', 'Hi there:{{1}}thank you'],
		[`${'x'.repeat(18)} {{1}}`, `${'x'.repeat(18)} {{1}}`],
		[`${'x'.repeat(19)} {{1}}`, `…${'x'.repeat(17)} {{1}}`],
	])('of %j have the label %j', (text, label) => {
		expect(readPlaceholders(text)).toEqual([{ position: 1, label }]);
	});

	it.each([
		['later positions first', '{{2}} and {{1}}', [1, 2]],
		['none', 'Your parcel is here.', []],
		['single braces around one', '{{{1}}}', [1]],
		['a single brace on each side of one', '{{{1}}{', [1]],
		['lines', 'Hi {{1}}\n\nOrder {{2}}', [1, 2]],
		['spaces that do not break', 'Hi {{\u00a01\u00a0}}', [1]],
		['marks without a width', 'مرحبا {{\u200f1\u200e}}', [1]],
		['what the editor closed by itself', 'Hi {{ 1}}, your order {{ 2}} is here. }} }}', [1, 2]],
		['nothing but closing braces', 'Your parcel is here. }}', []],
	])('are found in a text with %s', (_, text, positions) => {
		expect(readPlaceholders(text).map(({ position }) => position)).toEqual(positions);
	});

	it.each([
		['a position left out', '{{1}} and {{3}}', 'has {{3}} but no {{2}}'],
		['a name', 'Hi {{name}}', 'has the placeholder {{name}}, but placeholders are numbered'],
		['an expression', 'Hi {{ $json.name }}', 'has the placeholder {{ $json.name }}, but'],
		['position zero', 'Hi {{0}}', 'has the placeholder {{0}}'],
		['a leading zero', 'Hi {{01}}', 'has the placeholder {{01}}'],
		['a number of four digits', 'Hi {{1000}}', 'has the placeholder {{1000}}'],
		['empty braces', 'Hi {{}}', 'has the placeholder {{}}'],
		['a brace missing at the end', 'Hi {{1}, order {{2}}', 'has {{ without its counterpart'],
		['a brace missing at the start', 'Hi {1}}', 'has }} without its counterpart'],
		['braces within braces', 'Hi {{ {1} }}', 'has {{ without its counterpart'],
	])('with %s are refused', (_, text, message) => {
		expect(() => readPlaceholders(text)).toThrow(`The template text ${message}`);
	});

	it('of any gapless text are all positions from 1 on', () => {
		fc.assert(
			fc.property(
				fc.integer({ min: 0, max: 30 }),
				fc.array(fc.stringMatching(/^[^{}]*$/), { minLength: 31, maxLength: 31 }),
				(count, words) => {
					const text = words.map((word, index) =>
						index < count ? `${word}{{${index + 1}}}` : word,
					);
					const positions = readPlaceholders(text.join('')).map(({ position }) => position);
					expect(positions).toEqual([...Array(count).keys()].map((index) => index + 1));
				},
			),
		);
	});
});
