import { quote } from '../../../nodes/BusinessMessaging/inputError';
import {
	checkExpressions,
	checkText,
	leftoverIn,
	normalizeWhitespace,
	refuseProgramText,
} from '../../../nodes/BusinessMessaging/template/textChecks';
import { refusal } from '../../support/refusal.mts';

const EXPRESSION = '={{ "Hi " + $json.name }}';
const A = '{{ $json.a }}';

describe('a text for the customer', () => {
	it.each([
		['Hi [object Promise]', 'has [object Object] in its text'],
		['Thank you 🎉'.slice(0, -1), 'has half a character in it, as when an emoji is cut in two'],
		['Gr\ufffd\ufffde', 'has the character U+FFFD in it'],
		['function trim() {\n    [native code]\n}', 'has the code of a function in its text'],
		['on toFormat(fmt, opts = {}){\n return 1 }', 'has the code of a function in its text'],
		['\u200b\u3164\ufe0f\u00ad\u{e0020}', 'has invisible characters only'],
	])('%j is refused', (text, problem) => {
		expect(() => checkText(text, 'The text')).toThrow(refusal(`The text ${problem}`));
	});

	const WORDS = 'éundefined undefinable NaNa nullable Null #REF #SALE! ## 🎉 [object] a\u200b';

	it.each(['', '[native code]', 'Invalid Dates', '# N/A', '### SALE ###', ...WORDS.split(' ')])(
		'%j is not',
		(text) => {
			expect(() => checkText(text, 'The text', EXPRESSION)).not.toThrow();
		},
	);

	it('is found to be invisible without delay', () => {
		expect(() => checkText(`${'\ufeff'.repeat(100_000)}a`, 'The text')).not.toThrow();
	});

	it.each([
		['order_undefined2', 'undefined', /fallback/],
		['NaN %', 'NaN', /fallback/],
		['null-7', 'null', /fallback/],
		['until Invalid DateTime!', 'Invalid DateTime', /a date/],
		['Size #REF!', '#REF!', /formula there/],
		['  ########\n', '########', /narrow/],
		['order-###-shipped', '###', /narrow/],
	])('%j is refused when an expression gave it, but not when it was typed', (...row) => {
		const [text, leftover, remedy] = row;
		const check = (entered: unknown) => () => checkText(text, 'The text', entered);
		expect(check(EXPRESSION)).toThrow(refusal(`The text has "${leftover}" in it`, remedy));
		for (const typed of [`=${text}{{ $json.name }}`, text, 'a = {{ $json.name }}', 7, undefined]) {
			expect(check(typed)).not.toThrow();
		}
	});

	it.each<[string, string, string | undefined]>([
		['Ordine annullato: cliente null', '=Ordine annullato: {{ "cliente " + $json.x }}', 'null'],
		['null 7null', '=null {{ $json.x }}null', undefined],
		// n8n computes it without its last braces, too.
		['Hi null', '=Hi {{ $json.x', 'null'],
	])('%j, entered as %j, has the leftover %j', (text, entered, leftover) => {
		expect(leftoverIn(text, entered)).toBe(leftover);
	});
});

it.each<[string, string, unknown, number]>([
	[`Order ${2 ** 53 - 1}`, `=Order ${A}`, 2 ** 53 - 1, 1],
	['Order 12345678901234567890', `=Order ${A}`, '12345678901234567890', 1],
	['12345678901234567890, Asha', `=12345678901234567890, ${A}`, 'Asha', 1],
	['Order 123456789012345', `=Order ${A}`, 123456789012345, 0],
])('n8n has not rounded the number in %j, entered as %j', (text, entered, gives, times) => {
	const compute = jest.fn(() => gives);
	expect(() => checkExpressions(text, 'The value', { entered, compute })).not.toThrow();
	// Only if it may have been rounded.
	expect(compute).toHaveBeenCalledTimes(times);
});

it.each([
	['=Hi {{1}}', '{{1}}'],
	['=on {{ $json.day }} {{ 2.5 }}', '{{ 2.5 }}'],
	['={{ 1 + 1 }}', undefined],
	['={{ {{1}}', undefined],
])('an expression of %j that is only a number: %j', (entered, number) => {
	const check = () => checkExpressions('Hi 1', 'The value', { entered, compute: () => 1 });
	if (number === undefined) expect(check).not.toThrow();
	else expect(check).toThrow(refusal(`has the expression ${number}, which is only a number`));
});

const FIELD = 'The variable {{1}}';

describe('what a program should have replaced is refused,', () => {
	it.each<[string, string, string?]>([
		['Dear {{ $json.name }}', '{{ $json.name }}', 'an expression of n8n'],
		['Dear {{ name }', '{{', 'one half of the braces of an expression'],
		['{ $json.name }}', '}}', 'one half'],
		['{$json.name}', '$json.', 'an expression of n8n'],
		["Hi $('Webhook').item", "$('"],
		['$node["Sheet"].json.x', '$node['],
		['Hi ${name}!', '${name}', 'an expression of JavaScript'],
		['Hi *|FNAME|*', '*|FNAME|*', 'a merge tag of Mailchimp'],
		['Hi %first_name%,', '%first_name%', 'a merge tag of a newsletter tool'],
		['Hi %field_12%,', '%field_12%'],
		['[[name]]', '[[name]]'],
		['«First_Name»', '«First_Name»', 'a mail merge field'],
		['Hi [Your First Name]', '[Your First Name]', 'a blank that was not filled in'],
		['Hi Asha\\nYour order', '\\n', 'a line break as programs write it'],
		['Hi Anna%20Maria!', 'Anna%20Maria!', 'a part of a web address'],
		['Hi Jos%C3%A9', 'Jos%C3%A9'],
	])('as in %j', (text, found, likeness = '') => {
		const problem = `${FIELD} has ${quote(found)} in its text, which looks like ${likeness}`;
		expect(() => refuseProgramText(text, FIELD)).toThrow(refusal(problem, /^The customer/));
	});
});

it.each([
	'Rs. 1,499, $19.99 (US$), A$ 20, 5$',
	'50% OFF%, 50%OFF, 100 % cotton, 20% off, 5% - 10%',
	'https://example.com/a%20b?q=%C3%A9&x={1}',
	'www.example.com/a%20b asha%20rao@example.com',
	'C:\\new\\n1',
	'Your name day: the $ in json, [1] [new] [VIP] {1} :-} a {b, a < b > c <3',
	'5*3|2 *bold* _italic_ ```code``` #1 @asha & ~',
	'Reminder: dentist on 3 March at 10:30. Reply 1 to confirm, 2 to cancel [or call us].',
	'नमस्ते आशा, आपका ऑर्डर A-17 आज पहुँचेगा। ₹1,499 का भुगतान करें।',
	'مرحبًا، موعدك يوم الثلاثاء الساعة 10:30 (فرع دبي).',
	'Olá Maria! Seu pedido nº 17 saiu para entrega. Total: R$ 99,90 (10% de desconto).',
	'« Bonjour » André, votre commande « A-17 » «Camiseta» est prête. Réduction : 20 %.',
	'您好,您的订单 A-17 已发货。【示例商店】',
	'Line one\nLine two\n\n• first',
])('what people write is not: %j', (text) => {
	expect(() => refuseProgramText(text, FIELD)).not.toThrow();
});

describe('the white space of a value', () => {
	it.each([
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
});
