import fc from 'fast-check';
import {
	checkExpressions,
	checkText,
	emptyExpressions,
	leftoverIn,
	normalizeWhitespace,
} from '../../../nodes/BusinessMessaging/template/textChecks';
import { refusal } from '../../support/refusal.mts';
import { sentencesOf } from '../../support/sentencesOf.mts';

const HALF = 'has half a character in it, as when an emoji is cut in two';
const EXPRESSION = '={{ "Hi " + $json.name }}';

describe('a text for the customer', () => {
	it.each([
		['Hi [object Promise]', 'has [object Object] in its text'],
		['Thank you 🎉'.slice(0, -1), HALF],
		['Gr\ufffd\ufffde', 'has the character U+FFFD in it'],
		['function trim() {\n    [native code]\n}', 'has the code of a function in its text'],
		['on toFormat(fmt, opts = {}) {\n return 1 }', 'has the code of a function in its text'],
		[' \u2800\n', 'has invisible characters only'],
		['\u200b\u3164\ufe0f\u00ad\u{e0020}', 'has invisible characters only'],
	])('%j is refused', (text, problem) => {
		expect(() => checkText(text, 'The text')).toThrow(refusal(`The text ${problem}`));
	});

	it.each([
		'Thank you 🎉',
		'[object]',
		'[native code]',
		'',
		'a\u200b',
		'éundefined',
		'undefinable',
		'NaNa',
		'Invalid Dates',
		'nullable',
		'Null',
		'# N/A',
		'#REF',
		'#SALE!',
		'##',
		'### SALE ###',
	])('%j is not', (text) => {
		expect(() => checkText(text, 'The text', EXPRESSION)).not.toThrow();
	});

	it('is found to be invisible without delay', () => {
		const text = `${'\ufeff'.repeat(100_000)}a`;
		expect(() => checkText(text, 'The text')).not.toThrow();
	});

	it.each([
		['Hi undefined', 'undefined', /fallback/],
		['order_undefined2', 'undefined', /fallback/],
		['NaN %', 'NaN', /fallback/],
		['null-7', 'null', /fallback/],
		['until Invalid DateTime!', 'Invalid DateTime', /a date/],
		['#N/A', '#N/A', /formula there/],
		['Size #REF!', '#REF!', /formula there/],
		['#NAME?', '#NAME?', /formula there/],
		['  ########\n', '########', /narrow/],
		['order-###-shipped', '###', /narrow/],
	])('%j is refused when an expression gave it, but not when it was typed', (...row) => {
		const [text, leftover, remedy] = row;
		const check = (entered: unknown) => () => checkText(text, 'The text', entered);
		expect(check(EXPRESSION)).toThrow(refusal(`The text has "${leftover}" in it`, remedy));
		const fixed = [text, '{{ $json.name }}', 'a = {{ $json.name }}', 7, undefined];
		for (const typed of [`=${text}{{ $json.name }}`, ...fixed]) {
			expect(check(typed)).not.toThrow();
		}
	});

	it.each<[string, string, string | undefined]>([
		['Ordine annullato: cliente null', '=Ordine annullato: {{ "cliente " + $json.x }}', 'null'],
		['#N/A is null', '=#N/A is {{ $json.x }}', 'null'],
		['null 7null', '=null {{ $json.x }}null', undefined],
	])('%j, entered as %j, has the leftover %j', (text, entered, leftover) => {
		expect(leftoverIn(text, entered)).toBe(leftover);
	});
});

describe('a number inside a text, which an expression gives', () => {
	const [A, B] = ['{{ $json.a }}', '{{ $json.b }}'];
	/** As n8n writes it: the text has no digits that the number lacks. */
	const check = (text: string, entered: string, gives: Record<string, unknown>) => () => {
		const compute = jest.fn((expression: string) => {
			return gives[expression];
		});
		checkExpressions(text, 'The value', { entered, compute });
		return compute.mock.calls.length;
	};
	const ROUNDED = 'which is a number with more digits than n8n keeps';

	it.each<[string, string, Record<string, unknown>, string, RegExp]>([
		[`Order ${2 ** 53}`, `=Order ${A}`, { [A]: 2 ** 53 }, `"${A}", ${ROUNDED}`, /quotes/],
		[`${-(2 ** 53)}!`, `=${A}!`, { [A]: -(2 ** 53) }, `"${A}", ${ROUNDED}`, /quotes/],
		['x 1e+21', `=${A} ${B}`, { [A]: 'x', [B]: 1e21 }, `"${B}", ${ROUNDED}`, /quotes/],
		['Sum 1.5e+300', `=Sum ${A}`, { [A]: 1.5e300 }, `"${A}", ${ROUNDED}`, /quotes/],
	])('%j, entered as %j, is refused', (text, entered, gives, problem, remedy) => {
		const wrong = refusal(`The value has the expression ${problem}`, remedy);
		expect(check(text, entered, gives)).toThrow(wrong);
	});

	it.each<[string, string, Record<string, unknown>]>([
		[`Order ${2 ** 53 - 1}`, `=Order ${A}`, { [A]: 2 ** 53 - 1 }],
		['Order 12345678901234567890', `=Order ${A}`, { [A]: '12345678901234567890' }],
		['Order 12345678901234567890', `=Order ${A}`, { [A]: 12345678901234567890n }],
		['12345678901234567890, Asha', `=12345678901234567890, ${A}`, { [A]: 'Asha' }],
		['by 0.1234567890123456', `=by ${A}`, { [A]: 0.1234567890123456 }],
		['12345678901234567890', '12345678901234567890', {}],
	])('%j, entered as %j, is not', (text, entered, gives) => {
		expect(check(text, entered, gives)).not.toThrow();
	});

	it('is computed again only if it may be one of these', () => {
		expect(check('Order 123456789012345', `=Order ${A}`, { [A]: 123456789012345 })()).toBe(0);
	});
});

describe('the expressions of a text that give nothing', () => {
	const [A, B] = ['{{ $json.a }}', '{{ $json.b }}'];
	const NONE = { missing: [], areAll: false };

	it.each<[string, unknown, Record<string, unknown>, ReturnType<typeof emptyExpressions>]>([
		['Hi', `=Hi ${A}`, {}, { missing: [A], areAll: true }],
		['Asha ', `=${A} ${B}`, { [A]: 'Asha' }, { missing: [B], areAll: false }],
		['0', `=${A}${B}`, { [A]: 0, [B]: ' \n' }, { missing: [B], areAll: false }],
		['  -', `=${A}-${B}`, { [A]: ' ' }, { missing: [A, B], areAll: true }],
		['Hi \u200b', `=Hi ${A}`, {}, { missing: [A], areAll: true }],
		[' Rao', `=${A} ${B}`, { [A]: [], [B]: 'Rao' }, { missing: [A], areAll: false }],
		['Hi ', '=Hi {{ $json.a', {}, { missing: ['{{ $json.a'], areAll: true }],
		['Asha ', `=${A} {{ $json.b`, { [A]: 'Asha' }, { missing: ['{{ $json.b'], areAll: false }],
		['Asha B.', `=${A} ${B}`, { [A]: 'Asha', [B]: 'B.' }, NONE],
		// Not computed again.
		['Hi Asha', `=Hi ${A}`, {}, NONE],
		['Hi', `Hi ${A}`, {}, NONE],
		['Hi', '=Hi', {}, NONE],
		['7', 7, {}, NONE],
	])('in %j, entered as %j, %j', (text, entered, gives, expected) => {
		const compute = (expression: string) => gives[expression];
		expect(emptyExpressions(text, { entered, compute } as never)).toEqual(expected);
	});

	it('are not those that were cut at braces of their own', () => {
		const entered = '={{ {a: {b: 1}}.a.b }}{{ {a: {b: 2}}.a.b }}';
		const compute = () => {
			throw new Error('invalid syntax');
		};
		expect(emptyExpressions('12', { entered, compute })).toEqual(NONE);
	});
});

it.each([
	['=Hi {{1}}', '{{1}}'],
	['=on {{ $json.day }} {{\n 2.5 }}', '{{\n 2.5 }}'],
	['Hi {{1}}', undefined],
	['={{ 1 + 1 }}', undefined],
	['={{ "1" }}', undefined],
	['={{ {{1}}', undefined],
])('an expression of %j that is only a number: %j', (entered, number) => {
	const check = () => checkExpressions('Hi 1', 'The value', { entered, compute: () => 1 });
	const [, named] =
		/^The value has the expression (.*), which is only/s.exec(sentencesOf(check)) ?? [];
	expect(named).toBe(number);
});

describe('the white space of a value', () => {
	it.each([
		['Main Street 1 \r\n\r\n  Boston', 'Main Street 1 Boston'],
		['a     b', 'a b'],
		['a    b', 'a    b'],
		['a\u2028b\u0085c\u000bd', 'a b c d'],
		['a\u00a0\u00a0\u00a0\u00a0\u00a0b', 'a b'],
		['Asha\n', 'Asha'],
		['\tAsha', 'Asha'],
		[' Asha ', ' Asha '],
	])('of %j is sent as %j', (value, sent) => {
		expect(normalizeWhitespace(value)).toBe(sent);
	});

	it('is replaced in a long text without delay', () => {
		expect(normalizeWhitespace(`a${' '.repeat(500_000)}b`)).toBe('a b');
	});

	it('has nothing that networks refuse, and is all that changes', () => {
		const unit = fc.oneof(fc.constantFrom(' ', '     ', '\n', '\t'), fc.string());
		fc.assert(
			fc.property(fc.array(unit), (parts) => {
				const value = parts.join('');
				const sent = normalizeWhitespace(value);
				// In their own words: new lines, tabs, more than four spaces in a row.
				expect(sent).not.toMatch(/[\n\r\t]| {5}/);
				expect(sent.replace(/\s/g, '')).toBe(value.replace(/\s/g, ''));
				if (!/[^\S ]| {5}/.test(value)) expect(sent).toBe(value);
			}),
		);
	});
});
