import {
	readPlaceholders,
	renderTemplate,
} from '../../../nodes/BusinessMessaging/template/placeholders';
import {
	checkCount,
	rawDataIn,
	variablesFromFields,
	variablesFromJson,
} from '../../../nodes/BusinessMessaging/template/variables';
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
		['a'.repeat(4096), 'a'.repeat(4096)],
		// Text that nobody has entered as an expression is sent, whatever it is.
		['undefined', 'undefined'],
		[9007199254740991, '9007199254740991'],
		[12345678901234567890n, '12345678901234567890'],
		[false, 'false'],
	])('%p is sent as "%s"', (value, sent) => {
		expect(fromFields('Hi {{1}}', [value])).toEqual({ 1: sent });
	});

	it.each<[string, unknown, string, RegExp?]>([
		['a date object', new Date(0), 'is an object', /toFormat/],
		['a list', ['Asha'], 'is a list', /^Map one entry of it.*join\(", "\)/],
		['NaN', NaN, 'is not a number', /calculates with/],
		['a number that lost digits', 12345678901234567000, 'is a number with more digits', /quotes/],
		['invisible characters', '\u200b\ufeff', 'has invisible characters only'],
		['a book', 'a'.repeat(4097), 'has 4,097 characters, and this node sends up to 4,096 in one'],
		['an expression', 'Hi {{ $json.name }}!', 'has "{{ $json.name }}" in its text', /set to Expr/],
	])('%s is refused with the words around the placeholder', (...[, value, problem, remedy]) => {
		const wrong = refusal(`${SECOND} ${problem}`, remedy);
		expect(() => fromFields(TEXT, ['Asha', value])).toThrow(wrong);
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

it.each<[string, string]>([
	['2026-01-31T14:05:00.000Z', 'a date'],
	[`since ${new Date(0)}`, 'a date'],
	['0.30000000000000004', 'a number with many decimals'],
	['1.25e-7 l', 'a number with many decimals'],
	[' TRUE ', 'true or false'],
	['<br />', 'HTML'],
	['Asha &amp; Co', 'HTML'],
	['{ "a": 1 }', 'JSON'],
	['["a"]', 'JSON'],
	['NULL', 'a word for nothing'],
	['n.a.', 'a word for nothing'],
	['JosÃ©', 'letters in a wrong encoding'],
])('%j is told as %s', (value, kind) => {
	const told = rawDataIn({ 1: 'Asha', 2: value }, readPlaceholders('On {{1}} pay {{2}}'));
	expect(told).toEqual([`${kind} in {{2}} ("pay {{2}}")`]);
});

it.each([
	'room 6-01-31T14:05',
	'14:05:00 GMT+5',
	'B3e-5',
	'untrue',
	'true story',
	'Asha <asha@example.com>',
	'"a", {a}',
	'None left',
	'Gate N/A',
	'São José, Ð, Âncora',
])('%j is no raw data', (value) => {
	expect(rawDataIn({ 1: value }, [])).toEqual([]);
});

it.each<[object, string, string]>([
	[{ 1: 'Asha', 2: 'A-17' }, 'Hi {{1}}', '{{1}}'],
	[{ 1: 'Asha' }, 'Your parcel is here.', 'no placeholders'],
])('the values %j are not those of "%s", which has %s', (values, text, has) => {
	const check = () => checkCount(readPlaceholders(text), values as never, 'The list is short');
	expect(check).toThrow(refusal(`The list is short, but the template text has ${has}`));
});

describe('variables from JSON', () => {
	it('are named by the words around them in the template text', () => {
		for (const json of [{ 1: 'Asha', 2: null }, ['Asha', null]]) {
			expect(() => variablesFromJson(json, placeholders)).toThrow(`${SECOND} is empty`);
		}
		expect(() => variablesFromJson(['a', 'b', ''], placeholders)).toThrow('{{3}} is empty');
	});

	it.each<[unknown, string]>([
		['Asha', `is not valid JSON: "Unexpected token 'A', 'Asha' is not vali…"`],
		[' \n', 'Variables (JSON) is empty'],
		['"Asha"', 'Variables (JSON) is neither an object nor a list'],
		['{"2": "A-17"}', 'Variables (JSON) has the key "2" where "1" should be'],
		[Object.assign(['Asha'], { 2: 'A-17' }), 'The variable {{2}} is empty'],
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
	])('cannot have a key twice: %j', (json) => {
		const remedy = /\{\{ JSON\.stringify\(\$json\.name\) \}\}, without quotes around it\.$/;
		expect(() => variablesFromJson(json)).toThrow(
			refusal('Variables (JSON) has the key "1" twice', remedy),
		);
	});

	it.each<[string, string[]]>([
		[String.raw`{"1": "\"1\": \"x\"", "2": "\\"}`, ['"1": "x"', '\\']],
		[String.raw`["\"1\": a", ":b", "c", ":d"]`, ['"1": a', ':b', 'c', ':d']],
		[`{"1"${' '.repeat(500_000)}:"a"${' '.repeat(500_000)}}`, ['a']],
	])('can have a value that looks like a key', (json, values) => {
		expect(Object.values(variablesFromJson(json))).toEqual(values);
	});
});

describe('the rendered text', () => {
	it('holds the values as they are, signs that replacing knows included', () => {
		const rendered = renderTemplate('<{{1}}|{{ 2 }}|{{1}}>', { 1: "$&$1$'{{1}}", 2: 'A-17' });
		expect(rendered).toBe("<$&$1$'{{1}}|A-17|$&$1$'{{1}}>");
	});

	it.each([
		['Hi {{ 1}}, your order {{ 2}} is here. }} }}', 'Hi Asha, your order A }} 17 is here.'],
		['Hi {{1}} {{3}}', 'Hi Asha {{3}}'],
	])('%j loses the braces by which the editor closed it, and no placeholder', (typed, rendered) => {
		expect(renderTemplate(typed, { 1: 'Asha', 2: 'A }} 17' })).toBe(rendered);
	});
});
