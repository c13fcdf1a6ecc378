import { quote } from '../../../nodes/BusinessMessaging/inputError';
import {
	checkExpressions,
	checkText,
	emptyExpressions,
	leftoverIn,
	normalizeWhitespace,
	refuseProgramText,
} from '../../../nodes/BusinessMessaging/template/textChecks';
import { refusal } from '../../support/refusal.mts';

const EXPRESSION = '={{ "Hi " + $json.name }}';
const [A, B] = ['{{ $json.a }}', '{{ $json.b }}'];

describe('a text for the customer', () => {
	it.each([
		['Hi [object Promise]', 'has [object Object] in its text'],
		['Thank you 🎉'.slice(0, -1), 'has half a character in it, as when an emoji is cut in two'],
		['Gr\ufffd\ufffde', 'has the character U+FFFD in it'],
		['function trim() {\n    [native code]\n}', 'has the code of a function in its text'],
		['on toFormat(fmt, opts = {}){\n return 1 }', 'has the code of a function in its text'],
		[' \u2800\n', 'has invisible characters only'],
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
		for (const typed of [`=${text}{{ $json.name }}`, text, 'a = {{ $json.name }}', 7, undefined]) {
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
	const check = (text: string, entered: string, gives: unknown[]) => {
		const compute = jest.fn((expression: string) => gives[[A, B].indexOf(expression)]);
		checkExpressions(text, 'The value', { entered, compute });
		return compute.mock.calls.length;
	};

	it.each<[string, string, unknown[], string]>([
		[`Order ${2 ** 53}`, `=Order ${A}`, [2 ** 53], A],
		['x 1e+21', `=${A} ${B}`, ['x', 1e21], B],
		['Sum 1.5e+300', `=Sum ${A}`, [1.5e300], A],
	])('%j, entered as %j, is refused', (text, entered, gives, expression) => {
		const problem = `The value has the expression "${expression}", which is a number with more digits`;
		expect(() => check(text, entered, gives)).toThrow(refusal(problem, /quotes/));
	});

	it.each<[string, string, unknown[]]>([
		[`Order ${2 ** 53 - 1}`, `=Order ${A}`, [2 ** 53 - 1]],
		['Order 12345678901234567890', `=Order ${A}`, ['12345678901234567890']],
		['12345678901234567890, Asha', `=12345678901234567890, ${A}`, ['Asha']],
		['by 0.1234567890123456', `=by ${A}`, [0.1234567890123456]],
		['12345678901234567890', '12345678901234567890', []],
	])('%j, entered as %j, is not', (text, entered, gives) => {
		expect(() => check(text, entered, gives)).not.toThrow();
	});

	it('is computed again only if it may be one of these', () => {
		expect(check('Order 123456789012345', `=Order ${A}`, [123456789012345])).toBe(0);
	});
});

describe('the expressions of a text that give nothing', () => {
	const NONE = { missing: [], areAll: false };

	it.each<[string, unknown, unknown[], ReturnType<typeof emptyExpressions>]>([
		['Hi', `=Hi ${A}`, [], { missing: [A], areAll: true }],
		['Hi \u200b', `=Hi ${A}`, [], { missing: [A], areAll: true }],
		['Hi ', '=Hi {{ $json.a', [], { missing: ['{{ $json.a'], areAll: true }],
		['  -', `=${A}-${B}`, [' '], { missing: [A, B], areAll: true }],
		['Asha ', `=${A} ${B}`, ['Asha'], { missing: [B], areAll: false }],
		['0', `=${A}${B}`, [0, ' \n'], { missing: [B], areAll: false }],
		[' Rao', `=${A} ${B}`, [[], 'Rao'], { missing: [A], areAll: false }],
		['Asha B.', `=${A} ${B}`, ['Asha', 'B.'], NONE],
		// Not computed again.
		['Hi Asha', `=Hi ${A}`, [], NONE],
		['Hi', `Hi ${A}`, [], NONE],
		['Hi', '=Hi', [], NONE],
		['7', 7, [], NONE],
	])('in %j, entered as %j, %j', (text, entered, gives, expected) => {
		const compute = (expression: string) => gives[[A, B].indexOf(expression)];
		expect(emptyExpressions(text, { entered, compute })).toEqual(expected);
	});
});

it.each([
	['=Hi {{1}}', '{{1}}'],
	['=on {{ $json.day }} {{ 2.5 }}', '{{ 2.5 }}'],
	['Hi {{1}}', undefined],
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
		['<first_name>', '<first_name>'],
		['on [insert date]', '[insert date]'],
		['Hi Asha\\nYour order', '\\n', 'a line break as programs write it'],
		['Hi Asha,\\nyour order', '\\n'],
		['Hi Anna%20Maria!', 'Anna%20Maria!', 'a part of a web address'],
		['Hi Jos%C3%A9', 'Jos%C3%A9'],
	])('as in %j', (text, found, likeness = '') => {
		const problem = `${FIELD} has ${quote(found)} in its text, which looks like ${likeness}`;
		expect(() => refuseProgramText(text, FIELD)).toThrow(refusal(problem, /^The customer/));
	});
});

it.each([
	"Asha O'Brien-Smith",
	'Rs. 1,499, $19.99 (US$), A$ 20, 5$',
	'50% OFF%',
	'50%OFF, 100 % cotton, 20% off, 5% - 10%',
	'[1] [new] [VIP] {1} :-} a {b',
	'a < b > c <3',
	'https://example.com/a%20b?q=%C3%A9&x={1}',
	'www.example.com/a%20b',
	'asha%20rao@example.com',
	'C:\\new\\n1',
	'5*3|2 *bold* _italic_ ```code``` #1 @asha & ~',
	'the $ in json',
	'Your name day',
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
		['Main Street 1 \r\n\r\n  Boston', 'Main Street 1 Boston'],
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
