import fc from 'fast-check';

import {
	readPlaceholders,
	renderTemplate,
} from '../../../nodes/BusinessMessaging/template/placeholders';
import {
	checkCount,
	variablesFromFields,
	variablesFromJson,
	variablesFromList,
} from '../../../nodes/BusinessMessaging/template/variables';

const TEXT = 'Hi {{1}}, your order {{2}} is here.';

/** Of a template text whose fields hold these values, from the first on. */
function fromFields(templateText: string, values: unknown[], entered: unknown = '') {
	return variablesFromFields(
		readPlaceholders(templateText),
		(position) => values[position - 1],
		() => () => entered,
	);
}

describe('variables from a field for each placeholder', () => {
	it('are the texts by position', () => {
		expect(fromFields(TEXT, ['Asha', 'A-17'])).toEqual({ 1: 'Asha', 2: 'A-17' });
		expect(variablesFromFields(readPlaceholders('{{1}}'), () => 'NaN')).toEqual({ 1: 'NaN' });
	});

	it('are none for a text without placeholders, and no field is read', () => {
		expect(fromFields('Your parcel is here.', ['Asha'])).toEqual({});
	});

	it.each<[unknown, string]>([
		[' Asha ', ' Asha '],
		['closed }} {{', 'closed }} {{'],
		['only closed }}', 'only closed }}'],
		['{{ not closed, } {', '{{ not closed, } {'],
		['a'.repeat(4096), 'a'.repeat(4096)],
		['undefined', 'undefined'],
		[-1.5, '-1.5'],
		[0, '0'],
		[9007199254740991, '9007199254740991'],
		[12345678901234567890n, '12345678901234567890'],
		[false, 'false'],
	])('%p is sent as "%s"', (value, sent) => {
		expect(fromFields('Hi {{1}}', [value])).toEqual({ 1: sent });
	});

	it.each<[string, unknown, string]>([
		['undefined', undefined, 'is empty'],
		['null', null, 'is empty'],
		['spaces and lines', ' \n\t', 'is empty'],
		['a date object', new Date(0), 'is an object'],
		['a list', ['Asha'], 'is a list'],
		['NaN', NaN, 'is not a text'],
		['an infinite number', Infinity, 'is not a text'],
		['a function', () => 'Asha', 'is not a text'],
		[
			'a number that lost digits',
			12345678901234567000,
			'is a number with more digits than n8n keeps',
		],
		['invisible characters', '\u200b\ufeff', 'has invisible characters only'],
		[
			'a document',
			'a'.repeat(4097),
			'has 4,097 characters, and this node sends up to 4,096 in one',
		],
		['an expression', 'Hi {{ $json.name }}!', 'has "{{ $json.name }}" in its text'],
		['a placeholder of its own', 'Hi {{1}}', 'has "{{1}}" in its text'],
	])('%s is refused with the placeholder and the words around it', (_, value, problem) => {
		expect(() => fromFields(TEXT, ['Asha', value])).toThrow(
			expect.objectContaining({
				message: `The variable {{2}} ("your order {{2}} is here.") ${problem}`,
				remedy: expect.stringMatching(/^[A-Z].*[.:]/),
			}),
		);
	});

	it('a placeholder without words around it is named by its position alone', () => {
		expect(() => fromFields('{{1}}', [])).toThrow(/^The variable \{\{1\}\} is empty$/);
	});

	it('can be twenty, and no more', () => {
		const values = Array.from({ length: 21 }, (_, index) => `value ${index + 1}`);
		const text = (count: number) => values.map((__, index) => `{{${index + 1}}}`).slice(0, count);
		expect(Object.values(fromFields(text(20).join(), values))).toEqual(values.slice(0, 20));
		expect(() => fromFields(text(21).join(), values)).toThrow(
			'The template text has {{21}}, but there are only fields for {{1}} to {{20}}',
		);
	});
});

describe('what an expression left', () => {
	const EXPRESSION = '={{ "Hi " + $json.name }}';
	const placeholders = readPlaceholders(TEXT);
	const refusal = 'The variable {{2}} ("your order {{2}} is here.") has "undefined" in it';

	it('is refused in each of the ways to give variables', () => {
		expect(() => fromFields(TEXT, ['Asha', 'A-undefined'], EXPRESSION)).toThrow(refusal);
		const rows = [{ value: 'Asha' }, { value: 'A-undefined' }];
		expect(() => variablesFromList(rows, placeholders, () => () => EXPRESSION)).toThrow(refusal);
		for (const json of [{ 1: 'Asha', 2: 'A-undefined' }, ['Asha', 'A-undefined']]) {
			expect(() => variablesFromJson(json, placeholders, () => EXPRESSION)).toThrow(refusal);
		}
	});

	it('is looked for in the field, or the row, of the value alone', () => {
		const asked: number[] = [];
		const enteredAt = (place: number) => () => {
			asked.push(place);
			return place === 2 ? EXPRESSION : 'undefined';
		};
		const values = ['undefined', 'A-17'];
		expect(variablesFromFields(placeholders, (at) => values[at - 1], enteredAt)).toEqual({
			1: 'undefined',
			2: 'A-17',
		});
		variablesFromList(values, placeholders, enteredAt);
		expect(asked).toEqual([1, 0]);
	});
});

describe('braces in a value', () => {
	it.each([
		['{{ $json.name }}', /^Switch its field from Fixed to Expression/],
		['{{1}}', /^Enter what the customer should read in place of \{\{1\}\}\.$/],
		['Hi {{ 12 }}!', /^Enter what the customer should read in place of \{\{12\}\}\.$/],
		['{{ 1 + 1 }}', /^Switch its field/],
	])('(%s) are refused with what to do', (value, remedy) => {
		expect(() => fromFields('Hi {{1}}', [value])).toThrow(
			expect.objectContaining({ remedy: expect.stringMatching(remedy) }),
		);
	});

	it('are found in a long text without delay', () => {
		const value = '{{'.repeat(2000);
		expect(fromFields('Hi {{1}}', [value])).toEqual({ 1: value });
	});
});

describe('the template text beside a list or JSON', () => {
	const placeholders = readPlaceholders(TEXT);

	it('names what is wrong by the words around it', () => {
		expect(() => variablesFromList([{ value: 'Asha' }, { value: '' }], placeholders)).toThrow(
			'The variable {{2}} ("your order {{2}} is here.") is empty',
		);
		expect(() => variablesFromJson({ 1: 'Asha', 2: null }, placeholders)).toThrow(
			'The variable {{2}} ("your order {{2}} is here.") is empty',
		);
		expect(() => variablesFromJson([null, 'A-17'], placeholders)).toThrow('("Hi {{1}}, your")');
	});

	it('leaves the label of a row its name', () => {
		expect(() => variablesFromList([{ value: '', label: 'name' }], placeholders)).toThrow(
			'The variable {{1}} ("name") is empty',
		);
	});

	it.each([
		[{ 1: 'Asha' }, TEXT, '{{1}} to {{2}}'],
		[{ 1: 'Asha', 2: 'A-17' }, 'Hi {{1}}', '{{1}}'],
		[{ 1: 'Asha' }, 'Your parcel is here.', 'no placeholders'],
		[{}, 'Hi {{1}}', '{{1}}'],
	])('has to have as many placeholders as there are values: %j for %j', (values, text, has) => {
		const check = () => checkCount(readPlaceholders(text), values as never, 'The list is short');
		expect(check).toThrow(`The list is short, but the template text has ${has}`);
		expect(() => checkCount(readPlaceholders(TEXT), { 1: 'a', 2: 'b' }, '')).not.toThrow();
	});
});

describe('variables from rows', () => {
	it('have the order of the rows', () => {
		const rows = [{ value: 'Asha', label: 'name' }, { value: 'A-17' }];
		expect(variablesFromList(rows)).toEqual({ 1: 'Asha', 2: 'A-17' });
		// Text that nobody has entered as an expression is sent, whatever it is.
		expect(variablesFromList(['Asha', 'undefined'])).toEqual({ 1: 'Asha', 2: 'undefined' });
	});

	it('a row without a label is named by its position alone', () => {
		expect(() => variablesFromList([{ value: '', label: ' ' }])).toThrow(
			/^The variable \{\{1\}\} is empty$/,
		);
	});

	it.each<[unknown]>([[[]], [undefined], [{ value: 'Asha' }]])('%j is no list of rows', (rows) => {
		expect(() => variablesFromList(rows)).toThrow('The list of variables is empty');
	});
});

describe('variables from JSON', () => {
	it.each<[string, unknown]>([
		['the text of an object', '{"1": "Asha", "2": "A-17"}'],
		['the text of a list', '["Asha", "A-17"]'],
		['a text with lines around it', '\n {"2": "A-17",\n "1": "Asha"}\n'],
		['an object that an expression gave', { 2: 'A-17', 1: 'Asha' }],
		['a list that an expression gave', ['Asha', 'A-17']],
	])('can be %s', (_, json) => {
		expect(variablesFromJson(json)).toEqual({ 1: 'Asha', 2: 'A-17' });
	});

	it('digits that JSON would lose are refused, not changed', () => {
		expect(() => variablesFromJson('{"1": 12345678901234567890}')).toThrow('more digits');
		expect(variablesFromJson('{"1": "12345678901234567890"}')).toEqual({
			1: '12345678901234567890',
		});
	});

	it.each<[unknown, string]>([
		['["Asha",]', 'is not valid JSON'],
		['Asha', `is not valid JSON: "Unexpected token 'A', 'Asha' is not vali…"`],
		[' \n', 'is empty'],
		['"Asha"', 'is neither an object nor a list'],
		['null', 'is neither an object nor a list'],
		[undefined, 'is neither an object nor a list'],
		[17, 'is neither an object nor a list'],
		['{"2": "A-17"}', 'has {{2}} but no {{1}}'],
		['{"5": "x", "1": "Asha", "3": "today"}', 'has {{3}} but no {{2}}'],
		['{"0": "Asha"}', 'has the key "0"'],
		['{"01": "Asha"}', 'has the key "01"'],
		['{"1000": "Asha"}', 'has the key "1000"'],
		['{"1": "Asha", "name": "Asha"}', 'has the key "name"'],
		['{"1": "Asha", "": "x"}', 'has the key ""'],
		['{"__proto__": "Asha"}', 'has the key "__proto__"'],
	])('cannot be %j: it %s', (json, problem) => {
		expect(() => variablesFromJson(json)).toThrow(`Variables (JSON) ${problem}`);
	});

	it('can have all positions of an object in any order', () => {
		const positions = Array.from({ length: 999 }, (_, index) => 999 - index);
		const json = JSON.stringify(Object.fromEntries(positions.map((at) => [at, `v${at}`])));
		expect(Object.entries(variablesFromJson(`${json}`))[998]).toEqual(['999', 'v999']);
	});
});

describe('whatever the values', () => {
	const word = fc
		.string({ unit: 'binary' })
		.filter(
			(text) => /[\p{L}\p{N}]/u.test(text) && !text.includes('\u0000') && !/\{\{.*\}\}/s.test(text),
		);

	it('fields, rows and JSON give the same variables', () => {
		fc.assert(
			fc.property(fc.array(word, { minLength: 1, maxLength: 12 }), (values) => {
				const text = values.map((_, index) => `{{${index + 1}}}`).join(' ');
				const expected = Object.fromEntries(values.map((value, index) => [`${index + 1}`, value]));
				expect(fromFields(text, values)).toEqual(expected);
				expect(variablesFromList(values.map((value) => ({ value })))).toEqual(expected);
				expect(variablesFromJson(JSON.stringify(values))).toEqual(expected);
				expect(variablesFromJson(expected)).toEqual(expected);
			}),
		);
	});

	it('the rendered text holds them as they are, signs that replacing knows included', () => {
		fc.assert(
			fc.property(word, fc.constantFrom('', '$&', '$1', "$'", '{{1}}'), (value, sign) => {
				const rendered = renderTemplate('<{{1}}|{{ 2 }}|{{1}}>', { 1: value + sign, 2: 'A-17' });
				expect(rendered).toBe(`<${value}${sign}|A-17|${value}${sign}>`);
			}),
		);
	});

	it('the braces by which the editor closed what was typed are not in the rendered text', () => {
		const typed = 'Hi {{ 1}}, your order {{ 2}} is here. }} }}';
		expect(renderTemplate(typed, { 1: 'Asha', 2: 'A }} 17' })).toBe(
			'Hi Asha, your order A }} 17 is here.',
		);
	});

	it('a placeholder without a value stays as it is', () => {
		expect(renderTemplate('Hi {{1}} {{2}}', { 1: 'Asha' })).toBe('Hi Asha {{2}}');
	});
});
