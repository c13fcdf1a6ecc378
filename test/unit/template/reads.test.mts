import { fieldsRead, readsItem } from '../../../nodes/BusinessMessaging/template/reads';

// docs/sending.md: the first customer would get all messages
it.each<[boolean, string]>([
	[true, '{{ $json.phone }}'],
	[true, "{{ $('Rows').item.json.phone }}"],
	[true, "{{ $fromAI('number') }}"],
	[false, "{{ $('Settings').first().json.item }}"],
	[false, "{{ $('item list').first().json.phone.replace(/ $/, '') }}"],
	[false, '{{ $execution.mode === "test" ? $vars.me : $env.ME }}'],
])('that it reads the item is %p: %s', (expected, expression) => {
	expect(readsItem(expression)).toBe(expected);
});

const PHONE = { path: '.phone', field: 'phone' };
const ANY = { path: '', field: undefined };

// docs/ai-agents.md: a value that $fromAI names
it.each<[string, object]>([
	['{{ $json.phone }}', { read: '$json.phone', ...PHONE }],
	['{{ $json?.phone.trim() }}', { read: '$json?.phone', path: '?.phone', field: 'phone' }],
	["+{{ $json['a b'] }}", { read: "$json['a b']", path: "['a b']", field: 'a b' }],
	['{{ $json?.["to"] }}', { read: '$json?.["to"]', path: '?.["to"]', field: 'to' }],
	['{{ $input.item.json.phone }}', { read: '$input.item.json.phone', ...PHONE }],
	['{{ $input.first().json.phone }}', { read: '$input.first().json.phone', ...PHONE }],
	['{{ $input.all()[0].json.phone }}', { read: '$input', ...ANY }],
	['{{ $json["pho" + "ne"] }}', { read: '$json', ...ANY }],
	['{{ $json[`p${"hone"}`] }}', { read: '$json', ...ANY }],
	['{{ $item(0).json.phone }}', { read: '$item', ...ANY }],
	['{{ $items()[0].json.phone }}', { read: '$items()', ...ANY }],
])('%s reads of the item %j', (text, expected) => {
	expect(fieldsRead(text)).toEqual([expected]);
});

it.each([
	"{{ $('Start').item.json.from }}",
	"{{ $('Start').first().json.from }}",
	"{{ $items('Start')[0].json.from }}",
])('%s reads nothing of it', (text) => {
	expect(fieldsRead(text)).toEqual([]);
});
