import { quote } from '../../../nodes/BusinessMessaging/inputError';
import { refuseProgramText } from '../../../nodes/BusinessMessaging/template/programText';
import { refusal } from '../../support/refusal.mts';

const FIELD = 'The variable {{1}}';

describe('what a program should have replaced is refused,', () => {
	it.each<[string, string, string?]>([
		['Dear {{ $json.name }', '{{', 'one half of the braces of an expression'],
		['{ $json.name }}', '}}', 'one half'],
		['{$json.name}', '$json.', 'an expression of n8n'],
		['$json.name', '$json.'],
		['$json["first name"]', '$json['],
		["Hi $('Webhook').item", "$('"],
		['$node["Sheet"].json.x', '$node['],
		['Hi ${name}!', '${name}'],
		['<%= name %>', '<%= name %>'],
		['{% if x %}', '{% if x %}'],
		['Hi *|FNAME|*', '*|FNAME|*'],
		['%FIRSTNAME%', '%FIRSTNAME%'],
		['Hi %first_name%,', '%first_name%'],
		['[[name]]', '[[name]]'],
		['«First_Name»', '«First_Name»', 'a mail merge field'],
		['«Name»', '«Name»', 'a mail merge field'],
		['Dear [name]', '[name]'],
		['Hi [Customer Name],', '[Customer Name]'],
		['Hi [Your First Name]', '[Your First Name]'],
		['<first_name>', '<first_name>'],
		['on [insert date]', '[insert date]'],
		['First name', 'First name'],
		['Hi {name}', '{name}'],
		['{first_name}', '{first_name}'],
		['Hi Asha\\nYour order', '\\n'],
		['Hi Asha,\\nyour order', '\\n'],
		['Hi Anna%20Maria!', 'Anna%20Maria!'],
		['Andr%C3%A9', 'Andr%C3%A9'],
		['Dear {{ name', '{{'],
		['Asha }}', '}}'],
	])('as in %j', (text, found, likeness = '') => {
		const problem = `${FIELD} has ${quote(found)} in its text, which looks like ${likeness}`;
		expect(() => refuseProgramText(text, FIELD)).toThrow(refusal(problem, /^The customer/));
	});
});

/** Values as people write them, and whole messages in twelve languages. */
const ORDINARY = [
	...[
		'Asha',
		"O'Brien-Smith",
		'Ångström',
		'Name',
		'Rs. 1,499',
		'$5',
		'$19.99 (US$)',
		'A$ 20',
		'5$',
	],
	...['50% OFF%', '50%OFF', '100 % cotton', '20% off, 30% more', '5% - 10%', '7%'],
	...[
		'[1]',
		'[new]',
		'[VIP] Asha',
		'(1)',
		'{1}',
		'<3',
		'a < b > c',
		'1 < 2',
		':-}',
		'{',
		'}',
		'a {b',
	],
	...[
		'https://example.com/a%20b?q=%C3%A9&x={1}',
		'www.example.com/a%20b',
		'asha%20rao@example.com',
	],
	...['C:\\new\\notes', '5*3|2', '*bold* _italic_ ~strike~', '```code```', '#1', '@asha', '&', '~'],
	...['json', 'the $ in json', 'first come, first served', 'Your name day', 'last name first'],
	...[
		'Order #A-17: 2 × jug (blue), 1 × cup — INR 1,499.00',
		'Tue, 3 March, 10:30–11:00',
		'« Bonjour »',
		'«Camiseta»',
	],
	'Hi Asha, your order A-17 is on its way. Track it here: https://example.com/t/A17?lang=en',
	'Your code is 482913. It is valid for 10 minutes. Do not share it with anybody.',
	'Reminder: dentist on 3 March at 10:30. Reply 1 to confirm, 2 to cancel [or call us].',
	'Sale! Up to 70% off everything – only today. Use the code SAVE70%.',
	'नमस्ते आशा, आपका ऑर्डर A-17 आज पहुँचेगा। ₹1,499 का भुगतान करें।',
	'আপনার অ্যাপয়েন্টমেন্ট ৩ মার্চ সকাল ১০:৩০ টায়।',
	'வணக்கம் ஆஷா, உங்கள் ஆர்டர் இன்று வரும்.',
	'آپ کا آرڈر A-17 راستے میں ہے۔ شکریہ!',
	'مرحبًا، موعدك يوم الثلاثاء الساعة 10:30 (فرع دبي).',
	'Pesanan Anda #A-17 sedang dikirim. Total: Rp150.000,-',
	'Olá Maria! Seu pedido nº 17 saiu para entrega. Total: R$ 99,90 (10% de desconto).',
	'¡Hola María! Tu cita es el 3 de marzo a las 10:30. ¿Confirmas? Sí/No',
	'Guten Tag Frau Müller, Ihr Paket kommt morgen zwischen 10 und 12 Uhr. Preis: 49,90 €.',
	'Bonjour André, votre commande « A-17 » est prête. Réduction : 20 %.',
	'您好,您的订单 A-17 已发货。【示例商店】',
	'ご注文A-17は本日発送されます。「ありがとうございます」',
	'Xin chào Lan, đơn hàng A-17 đã được giao. Giảm 50%!',
	'Здравствуйте, Анна! Ваш заказ №17 готов. Сумма: 1 499 ₽.',
	'Line one\nLine two\n\n• first\n• second',
];

it.each(ORDINARY)('what people write is not: %j', (text) => {
	expect(() => refuseProgramText(text, FIELD)).not.toThrow();
});
