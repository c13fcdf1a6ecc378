import fc from 'fast-check';

import {
	renderTemplate,
	variablesFromJson,
	variablesFromList,
	variablesFromText,
} from '../../../nodes/BusinessMessaging/template/variables';

const TEXT = 'Hi {{1}}, your order {{2}} is here.';

/** Values that can't stand in a message, in each of the ways to give variables. */
const UNUSABLE: Array<[string, unknown, string]> = [
	['undefined', undefined, 'is empty'],
	['null', null, 'is empty'],
	['an empty text', '', 'is empty'],
	['spaces and lines', ' \n\t', 'is empty'],
	['an object', { first: 'Asha' }, 'is an object'],
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
];

const USABLE: Array<[unknown, string]> = [
	['Asha', 'Asha'],
	[' Asha ', ' Asha '],
	[0, '0'],
	[-1.5, '-1.5'],
	[9007199254740991, '9007199254740991'],
	[12345678901234567890n, '12345678901234567890'],
	[false, 'false'],
];

describe('variables from the fields of a pasted text', () => {
	it('are the texts by position', () => {
		expect(variablesFromText(TEXT, { variable_2: 'A-17', variable_1: 'Asha' })).toEqual({
			1: 'Asha',
			2: 'A-17',
		});
	});

	it('are none for a text without placeholders', () => {
		expect(variablesFromText('Your parcel is here.', undefined)).toEqual({});
	});

	it.each(USABLE)('%p is sent as "%s"', (value, sent) => {
		expect(variablesFromText('Hi {{1}}', { variable_1: value })).toEqual({ 1: sent });
	});

	it.each(UNUSABLE)(
		'%s is refused with the placeholder and the words around it',
		(_, value, problem) => {
			const fields = { variable_1: 'Asha', variable_2: value };
			const read = () => variablesFromText(TEXT, fields);
			expect(read).toThrow(problem);
			expect(read).toThrow('{{2}}');
			expect(read).toThrow('your order');
		},
	);

	it('a placeholder without words around it is named by its position alone', () => {
		expect(() => variablesFromText('{{1}}', {})).toThrow(/^The variable \{\{1\}\} is empty$/);
	});

	it.each<[unknown]>([[undefined], [null], ['Asha'], [['Asha', 'A-17']], [{}]])(
		'%p has no values for the placeholders',
		(fields) => {
			expect(() => variablesFromText(TEXT, fields)).toThrow(/^The variable \{\{1\}\} .* is empty$/);
		},
	);

	it.each([
		[
			'Hi {{1}}',
			{ variable_1: 'a', variable_2: 'b' },
			'{{2}}, but the template text has only {{1}}',
		],
		[
			TEXT,
			{ variable_1: 'a', variable_2: 'b', variable_3: 'c' },
			'{{3}}, but the template text has only {{1}} to {{2}}',
		],
		['Your parcel', { variable_1: 'a' }, '{{1}}, but the template text has no placeholders'],
		['Hi {{1}}', { variable_1: 'a', name: 'b' }, '"name", but'],
		['Hi {{1}}', { my_variable_1: 'a' }, '"my_variable_1", but'],
		['Hi {{1}}', { variable_1st: 'a' }, '"variable_1st", but'],
		['Hi {{1}}', { variable_12: 'a' }, '{{12}}, but the template text has only {{1}}'],
	])('a value without a placeholder is refused: %s with %j', (text, fields, problem) => {
		expect(() => variablesFromText(text, fields)).toThrow(
			new RegExp(
				`^Template Variables has a value for ${problem.replace(/[{}]/g, '\\$&')}( (?!to )|$)`,
			),
		);
	});

	it('a field that is left over from another text and empty does not matter', () => {
		expect(
			variablesFromText('Hi {{1}}', { variable_1: 'a', variable_2: '', variable_3: null }),
		).toEqual({ 1: 'a' });
	});

	it.each([[''], [' \n']])('the template text %j is empty', (text) => {
		expect(() => variablesFromText(text, { variable_1: 'a' })).toThrow('Template Text is empty');
	});
});

describe('variables from rows', () => {
	it('have the order of the rows', () => {
		const rows = [{ value: 'Asha', label: 'name' }, { value: 'A-17' }];
		expect(variablesFromList(rows)).toEqual({ 1: 'Asha', 2: 'A-17' });
		expect(variablesFromList(['Asha', 'A-17'])).toEqual({ 1: 'Asha', 2: 'A-17' });
	});

	it.each(USABLE)('%p is sent as "%s"', (value, sent) => {
		expect(variablesFromList([{ value }])).toEqual({ 1: sent });
	});

	it.each(UNUSABLE)('%s is refused with the position and the label', (_, value, problem) => {
		const read = () => variablesFromList([{ value: 'Asha' }, { value, label: 'order number' }]);
		expect(read).toThrow(`The variable {{2}} ("order number") ${problem}`);
	});

	it('a row without a label is named by its position alone', () => {
		expect(() => variablesFromList([{ value: '', label: ' ' }])).toThrow(
			/^The variable \{\{1\}\} is empty$/,
		);
	});

	it.each<[unknown]>([[[]], [undefined], [null], ['Asha'], [{ value: 'Asha' }]])(
		'%j is no list of rows',
		(rows) => {
			expect(() => variablesFromList(rows)).toThrow('The list of variables is empty');
		},
	);
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

	it.each(USABLE)('%p is sent as "%s"', (value, sent) => {
		expect(variablesFromJson({ 1: value })).toEqual({ 1: sent });
		expect(variablesFromJson([value])).toEqual({ 1: sent });
	});

	it.each(UNUSABLE)('%s is refused with its position', (_, value, problem) => {
		expect(() => variablesFromJson(['Asha', value])).toThrow(`The variable {{2}} ${problem}`);
		expect(() => variablesFromJson({ 1: 'Asha', 2: value })).toThrow(
			`The variable {{2}} ${problem}`,
		);
	});

	it('digits that JSON would lose are refused, not changed', () => {
		expect(() => variablesFromJson('{"1": 12345678901234567890}')).toThrow('more digits');
		expect(variablesFromJson('{"1": "12345678901234567890"}')).toEqual({
			1: '12345678901234567890',
		});
	});

	it.each([
		['{"1": "Asha"', 'is not valid JSON'],
		["{'1': 'Asha'}", 'is not valid JSON'],
		['{1: "Asha"}', 'is not valid JSON'],
		['["Asha",]', 'is not valid JSON'],
		['Asha', `is not valid JSON: "Unexpected token 'A', 'Asha' is not vali…"`],
		['', 'is empty'],
		[' \n', 'is empty'],
		['"Asha"', 'is neither an object nor a list'],
		['17', 'is neither an object nor a list'],
		['null', 'is neither an object nor a list'],
		['true', 'is neither an object nor a list'],
		['{"2": "A-17"}', 'has {{2}} but no {{1}}'],
		['{"1": "Asha", "3": "today"}', 'has {{3}} but no {{2}}'],
		['{"0": "Asha"}', 'has the key "0"'],
		['{"01": "Asha"}', 'has the key "01"'],
		['{"1000": "Asha"}', 'has the key "1000"'],
		['{"1st": "Asha"}', 'has the key "1st"'],
		['{"name": "Asha"}', 'has the key "name"'],
		['{"1": "Asha", "": "x"}', 'has the key ""'],
		['{"__proto__": "Asha"}', 'has the key "__proto__"'],
	])('%j: %s', (json, problem) => {
		expect(() => variablesFromJson(json)).toThrow(`Variables (JSON) ${problem}`);
	});

	it.each<[unknown]>([[undefined], [null], [17], [true]])(
		'%p is neither object nor list',
		(json) => {
			expect(() => variablesFromJson(json)).toThrow('is neither an object nor a list');
		},
	);
});

describe('whatever the values', () => {
	const word = fc.string({ unit: 'binary' }).filter((text) => text.trim() !== '');

	it('text, rows and JSON give the same variables', () => {
		fc.assert(
			fc.property(fc.array(word, { minLength: 1, maxLength: 12 }), (values) => {
				const text = values.map((_, index) => `{{${index + 1}}}`).join(' ');
				const fields = Object.fromEntries(
					values.map((value, index) => [`variable_${index + 1}`, value]),
				);
				const expected = Object.fromEntries(values.map((value, index) => [`${index + 1}`, value]));
				expect(variablesFromText(text, fields)).toEqual(expected);
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

	it('a placeholder without a value stays as it is', () => {
		expect(renderTemplate('Hi {{1}} {{2}}', { 1: 'Asha' })).toBe('Hi Asha {{2}}');
	});
});
