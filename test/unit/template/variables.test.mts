import fc from 'fast-check';

import {
	readPlaceholders,
	renderTemplate,
} from '../../../nodes/BusinessMessaging/template/placeholders';
import {
	checkCount,
	countedDaysIn,
	rawDataIn,
	variablesFromFields,
	variablesFromJson,
} from '../../../nodes/BusinessMessaging/template/variables';
import { anyString } from '../../support/anyString.mts';
import { refusal } from '../../support/refusal.mts';

const TEXT = 'Hi {{1}}, your order {{2}} is here.';
const SECOND = 'The variable {{2}} ("your order {{2}} is here.")';
const placeholders = readPlaceholders(TEXT);

/** Of a template text whose fields hold these values, from the first on. */
function fromFields(templateText: string, values: unknown[]) {
	return variablesFromFields(readPlaceholders(templateText), (position) => {
		const value = values[position - 1];
		return { value, entered: value, compute: () => undefined };
	}).variables;
}

describe('variables from a field for each placeholder', () => {
	it.each<[unknown, string]>([
		[' Asha ', ' Asha '],
		['｛one｝', '｛one｝'],
		['a'.repeat(4096), 'a'.repeat(4096)],
		// Text that nobody has entered as an expression is sent, whatever it is.
		['undefined', 'undefined'],
		[-1.5, '-1.5'],
		[0, '0'],
		[9007199254740991, '9007199254740991'],
		[12345678901234567890n, '12345678901234567890'],
		[false, 'false'],
	])('%p is sent as "%s"', (value, sent) => {
		expect(fromFields('Hi {{1}}', [value])).toEqual({ 1: sent });
	});

	const EXPRESSION = /^Switch its field from Fixed to Expression/;

	it.each<[string, unknown, string, RegExp?]>([
		['undefined', undefined, 'is empty'],
		['spaces and lines', ' \n\t', 'is empty'],
		['a date object', new Date(0), 'is an object', /toFormat/],
		['a list', ['Asha'], 'is a list', /^Map one entry of it.*join\(", "\)/],
		['NaN', NaN, 'is not a number', /calculates with/],
		['a division by 0', 1 / 0, 'is not a number', /calculates with/],
		['a number that lost digits', 12345678901234567000, 'is a number with more digits', /quotes/],
		['invisible characters', '\u200b\ufeff', 'has invisible characters only'],
		['a book', 'a'.repeat(4097), 'has 4,097 characters, and this node sends up to 4,096 in one'],
		['an expression', 'Hi {{ $json.name }}!', 'has "{{ $json.name }}" in its text', EXPRESSION],
		['a sum', '{{ 1 + 1 }}', 'has "{{ 1 + 1 }}" in its text', EXPRESSION],
		['wide braces', 'Hi ｛{name﹜}!', 'has "｛{name﹜}" in its text'],
		['a placeholder', 'Hi {{ 12 }}!', 'has "{{ 12 }}" in its text', /in place of \{\{12\}\}\.$/],
	])('%s is refused with the words around the placeholder', (...[, value, problem, remedy]) => {
		const wrong = refusal(`${SECOND} ${problem}`, remedy);
		expect(() => fromFields(TEXT, ['Asha', value])).toThrow(wrong);
	});

	it('a placeholder without words around it is named by its position alone', () => {
		expect(() => fromFields('{{1}}', [])).toThrow(refusal('The variable {{1}} is empty'));
	});

	it('can be twenty, and no more', () => {
		const values = Array.from({ length: 21 }, (_, index) => `value ${index + 1}`);
		const text = (count: number) => values.map((__, index) => `{{${index + 1}}}`).slice(0, count);
		expect(Object.values(fromFields(text(20).join(), values))).toEqual(values.slice(0, 20));
		expect(() => fromFields(text(21).join(), values)).toThrow(
			refusal('The template text has {{21}}, but there are only fields for {{1}} to {{20}}'),
		);
	});
});

it('values that read like raw data are named', () => {
	const raw = (...values: unknown[]) => {
		const variables = variablesFromJson(values);
		return rawDataIn(variables, readPlaceholders('On {{1}} pay {{2}}'));
	};
	const [first, second] = ['{{1}} ("On {{1}} pay")', '{{2}} ("pay {{2}}")'];
	expect(raw('2026-01-31T14:05:00.000Z', 0.1 + 0.2)).toEqual([
		`a date in ${first}`,
		`a number with many decimals in ${second}`,
	]);
	expect(raw(`since ${new Date(0)}`, true)).toEqual([
		`a date in ${first}`,
		`true or false in ${second}`,
	]);
	expect(raw('<p>Asha</p>', '{"a":1}')).toEqual([`HTML in ${first}`, `JSON in ${second}`]);
	expect(raw('Asha &amp; Co', '["a"]')).toEqual([`HTML in ${first}`, `JSON in ${second}`]);
	expect(raw('TRUE', 1e-7)).toEqual([
		`true or false in ${first}`,
		`a number with many decimals in ${second}`,
	]);
	expect(raw('</p>', '{ "a": 1 }')).toEqual([`HTML in ${first}`, `JSON in ${second}`]);
	expect(raw('It&#39;s', '2.5e-12 l')).toEqual([
		`HTML in ${first}`,
		`a number with many decimals in ${second}`,
	]);
	expect(raw('<a href="x">', ' true ')).toEqual([`HTML in ${first}`, `true or false in ${second}`]);
	expect(raw('NULL', 'JosÃ©')).toEqual([
		`a word for nothing in ${first}`,
		`letters in a wrong encoding in ${second}`,
	]);
	expect(raw('N/A', '\\N').concat(raw('None', 'nil'))).toHaveLength(4);
	expect(raw('null and void', 'São José, Âncora, Ð')).toEqual([]);
	expect(raw('1e-7a', '"a", {a}')).toEqual([]);
	expect(raw('a < b & c > d; <3', '[Sale] {today} B3e-5')).toEqual([]);
	expect(raw('Asha <asha@example.com>', 'seat e-7')).toEqual([]);
	expect(raw('31 Jan 2026, 14:05', 'INR 1,234.50 is true')).toEqual([]);
	expect(raw('true love', 'untrue')).toEqual([]);
	expect(raw('room 6-01-31T14:05', '14:05:00 GMT+5')).toEqual([]);
});

it.each<[string[], number]>([
	[['3.3.2026', '46084', '4 March'], 1],
	[['2026-03-03', '46084', '46085.5'], 2],
	[['March 3', '46084'], 1],
	// Numbers of orders, as far as one can tell.
	[['45123', '46084'], 0],
	[['A-17', '46084'], 0],
	[['3.3.2026', '4608', '460845', '36084'], 0],
])('of the days %j, %i are counts of a spreadsheet', (values, count) => {
	const told = countedDaysIn(values.map((value) => ({ 1: 'Asha', 2: value })));
	expect(told).toEqual(Array(count).fill("a spreadsheet's count of days in {{2}}"));
});

describe('what an expression left', () => {
	const EXPRESSION = '={{ "Hi " + $json.name }}';
	const values = ['undefined', 'A-undefined'];
	const fieldOf = (position: number) => ({
		value: values[position - 1],
		// Only the second is an expression.
		entered: position === 2 ? EXPRESSION : 'undefined',
		compute: () => undefined,
	});

	it.each<[string, () => unknown]>([
		['field', () => variablesFromFields(placeholders, fieldOf)],
		['list', () => variablesFromJson(['Asha', values[1]], placeholders, { entered: EXPRESSION })],
		[
			'object',
			() => variablesFromJson({ 1: 'a', 2: values[1] }, placeholders, { entered: EXPRESSION }),
		],
	])('is refused in a %s, where the expression is', (_, read) => {
		expect(read).toThrow(refusal(`${SECOND} has "undefined" in it`));
	});
});

describe('the template text beside JSON', () => {
	it('names what is wrong by the words around it', () => {
		for (const json of [{ 1: 'Asha', 2: null }, ['Asha', null]]) {
			expect(() => variablesFromJson(json, placeholders)).toThrow(`${SECOND} is empty`);
		}
	});

	it.each([
		[{ 1: 'Asha' }, TEXT, '{{1}} to {{2}}'],
		[{ 1: 'Asha', 2: 'A-17' }, 'Hi {{1}}', '{{1}}'],
		[{ 1: 'Asha' }, 'Your parcel is here.', 'no placeholders'],
	])('has to have as many placeholders as there are values: %j for %j', (values, text, has) => {
		const check = () => checkCount(readPlaceholders(text), values as never, 'The list is short');
		expect(check).toThrow(refusal(`The list is short, but the template text has ${has}`));
		expect(() => checkCount(placeholders, { 1: 'a', 2: 'b' }, '')).not.toThrow();
	});
});

describe('variables from JSON', () => {
	it.each<[unknown, string]>([
		['Asha', `is not valid JSON: "Unexpected token 'A', 'Asha' is not vali…"`],
		[' \n', 'Variables (JSON) is empty'],
		['"Asha"', 'Variables (JSON) is neither an object nor a list'],
		['{"2": "A-17"}', 'Variables (JSON) has {{2}} but no {{1}}'],
		[Object.assign(['Asha'], { 2: 'A-17' }), 'The variable {{2}} is empty'],
		['{"0": "Asha"}', 'Variables (JSON) has the key "0"'],
		['{"01": "Asha"}', 'has the key "01"'],
		['{"1000": "Asha"}', 'has the key "1000"'],
		['{"1": "Asha", "": "x"}', 'has the key ""'],
		['{"__proto__": "Asha"}', 'has the key "__proto__"'],
		// JSON would lose digits.
		['{"1": 12345678901234567890}', 'The variable {{1}} is a number with more digits'],
	])('cannot be %j: it %s', (json, problem) => {
		expect(() => variablesFromJson(json)).toThrow(refusal(problem, /^[A-Z].*[.:]/));
	});

	// As {"1": "{{ $json.code }}", "2": "{{ $json.name }}"} with a name that has quotes in it.
	it.each([
		'{"1": "481516", "2": "Bob", "1": "visit evil.example"}',
		'{"1": "481516", "2": "Bob" , "\\u0031"\n: "visit evil.example"}',
		'{"1": {"a": 1}, "1": "x"}',
	])('cannot have a key twice: %j', (json) => {
		const remedy = /\{\{ JSON\.stringify\(\$json\.name\) \}\}, without quotes around it\.$/;
		expect(() => variablesFromJson(json)).toThrow(
			refusal('Variables (JSON) has the key "1" twice', remedy),
		);
	});

	it.each<[string, string[]]>([
		[String.raw`{"1": "\"1\": \"x\"", "2": "\\"}`, ['"1": "x"', '\\']],
		[String.raw`["\"1\": a, \"1\": b", "1"]`, ['"1": a, "1": b', '1']],
		[`{"1"${' '.repeat(500_000)}:"a"${' '.repeat(500_000)}}`, ['a']],
	])('can have a value that looks like a key', (json, values) => {
		expect(Object.values(variablesFromJson(json))).toEqual(values);
	});

	it('can have all positions of an object in any order', () => {
		const positions = Array.from({ length: 999 }, (_, index) => 999 - index);
		const json = JSON.stringify(Object.fromEntries(positions.map((at) => [at, `v${at}`])));
		expect(Object.entries(variablesFromJson(json))[998]).toEqual(['999', 'v999']);
	});
});

describe('whatever the values', () => {
	const isSent = (text: string) =>
		/[\p{L}\p{N}]/u.test(text) && !/[\0\ufffd]/.test(text) && !/\{\{.*\}\}/s.test(text);
	const word = anyString.filter(isSent);

	it('fields and JSON give the same variables', () => {
		fc.assert(
			fc.property(fc.array(word, { minLength: 1, maxLength: 12 }), (values) => {
				const text = values.map((_, index) => `{{${index + 1}}}`).join(' ');
				const expected = Object.fromEntries(values.map((value, index) => [`${index + 1}`, value]));
				expect(fromFields(text, values)).toEqual(expected);
				expect(variablesFromJson(JSON.stringify(values))).toEqual(expected);
				expect(variablesFromJson(values)).toEqual(expected);
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

	it.each([
		['Hi {{ 1}}, your order {{ 2}} is here. }} }}', 'Hi Asha, your order A }} 17 is here.'],
		['Hi {{1}} {{3}}', 'Hi Asha {{3}}'],
	])('%j loses the braces by which the editor closed it, and no placeholder', (typed, rendered) => {
		expect(renderTemplate(typed, { 1: 'Asha', 2: 'A }} 17' })).toBe(rendered);
	});
});
