import { quote } from '../../../nodes/BusinessMessaging/inputError';
import { refuseProgramText } from '../../../nodes/BusinessMessaging/template/textChecks';
import { refusal } from '../../support/refusal.mts';

const FIELD = 'The variable {{1}}';

describe('what a program should have replaced is refused,', () => {
	it.each<[string, string, string?]>([
		['Dear {{ $json.name }}', '{{ $json.name }}', 'an expression of n8n'],
		['Dear {{ name }', '{{', 'one half of the braces of an expression'],
		['{ $json.name }}', '}}', 'one half'],
		['{$json.name}', '$json.', 'an expression of n8n'],
		['$json["first name"]', '$json['],
		["Hi $('Webhook').item", "$('"],
		['$node["Sheet"].json.x', '$node['],
		['Hi ${name}!', '${name}'],
		['Hi *|FNAME|*', '*|FNAME|*'],
		['Hi %first_name%,', '%first_name%'],
		['[[name]]', '[[name]]'],
		['«First_Name»', '«First_Name»', 'a mail merge field'],
		['Dear [name]', '[name]'],
		['Hi [Customer Name],', '[Customer Name]'],
		['Hi [Your First Name]', '[Your First Name]'],
		['<first_name>', '<first_name>'],
		['on [insert date]', '[insert date]'],
		['Hi Asha\\nYour order', '\\n'],
		['Hi Asha,\\nyour order', '\\n'],
		['Hi Anna%20Maria!', 'Anna%20Maria!'],
		['Asha }}', '}}'],
	])('as in %j', (text, found, likeness = '') => {
		const problem = `${FIELD} has ${quote(found)} in its text, which looks like ${likeness}`;
		expect(() => refuseProgramText(text, FIELD)).toThrow(refusal(problem, /^The customer/));
	});
});

/** Values as people write them, and whole messages. */
const ORDINARY = [
	"Asha O'Brien-Smith",
	'Name',
	'Rs. 1,499, $19.99 (US$), A$ 20, 5$',
	'50% OFF%',
	'50%OFF, 100 % cotton, 20% off, 5% - 10%',
	'[1] [new] [VIP] {1} :-} a {b',
	'a < b > c <3',
	'https://example.com/a%20b?q=%C3%A9&x={1}',
	'www.example.com/a%20b',
	'asha%20rao@example.com',
	'C:\\new\\notes',
	'5*3|2 *bold* _italic_ ```code``` #1 @asha & ~',
	'the $ in json',
	'Your name day',
	'« Bonjour » «Camiseta»',
	'Reminder: dentist on 3 March at 10:30. Reply 1 to confirm, 2 to cancel [or call us].',
	'नमस्ते आशा, आपका ऑर्डर A-17 आज पहुँचेगा। ₹1,499 का भुगतान करें।',
	'مرحبًا، موعدك يوم الثلاثاء الساعة 10:30 (فرع دبي).',
	'Olá Maria! Seu pedido nº 17 saiu para entrega. Total: R$ 99,90 (10% de desconto).',
	'Bonjour André, votre commande « A-17 » est prête. Réduction : 20 %.',
	'您好,您的订单 A-17 已发货。【示例商店】',
	'Line one\nLine two\n\n• first',
];

it.each(ORDINARY)('what people write is not: %j', (text) => {
	expect(() => refuseProgramText(text, FIELD)).not.toThrow();
});
