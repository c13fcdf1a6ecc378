import type { GenericValue } from 'n8n-workflow';

import { readSendOnceKey } from '../../../../nodes/BusinessMessaging/actions/sendTemplate/sendOnceKey';
import { InputError } from '../../../../nodes/BusinessMessaging/errors/inputError';

const HOW =
	'Open Options and enter what stands for this one message, such as order-{{ $json.orderNumber }}-shipped, or remove the option.';

/** What single expressions give; all others give something. */
const GIVE_NOTHING = ['{{ $json.none }}', '{{ $json.null }}'];
function compute(expression: string): unknown {
	if (expression.includes('broken')) throw new Error('invalid syntax');
	return GIVE_NOTHING.includes(expression) ? null : 'something';
}

const read = (sendOnceKey: GenericValue, raw: unknown) =>
	readSendOnceKey({ sendOnceKey }, raw, compute);

it('without the option there is no key', () => {
	expect(readSendOnceKey({}, '', compute)).toBeUndefined();
});

it.each<[GenericValue, unknown, string]>([
	['order-7-shipped', '=order-{{ $json.number }}-shipped', 'order-7-shipped'],
	[' order-7 ', '={{ $json.key }}', 'order-7'],
	['newsletter-may', 'newsletter-may', 'newsletter-may'],
	['newsletter-may', '=newsletter-may', 'newsletter-may'],
	[7, 7, '7'],
	['order{{ 1 }}', 'order{{ 1 }}', 'order{{ 1 }}'],
	['order-null', 'order-null', 'order-null'],
	['undefined', 'undefined', 'undefined'],
	['{{ 1 }}{{ $json.none }}', '{{ 1 }}{{ $json.none }}', '{{ 1 }}{{ $json.none }}'],
	['a-b', '={{ {a: {b: "broken"}}.a.b }}-{{ $json.b }}', 'a-b'],
	['7-7', '={{ $json.a }}-{{ $json.b }}', '7-7'],
])('the key %j, entered as %j, is "%s"', (value, raw, key) => {
	expect(read(value, raw)).toBe(key);
});

it.each<[GenericValue, unknown, string]>([
	['', '={{ $json.key }}', 'Send Once Key is empty'],
	[
		'--',
		'={{ $json.a }}-{{ $json.b }}-',
		'The expressions in Send Once Key give nothing: it is "--"',
	],
	[
		'order',
		'=order {{\n$json.a\n}}',
		'The expressions in Send Once Key give nothing: it is "order"',
	],
	[
		'1-',
		'={{ $json.a }}-{{ $json.none }}',
		'The expression {{ $json.none }} in Send Once Key gives nothing: the key is "1-"',
	],
	['order-null', '=order-{{ $json.a }}', 'Send Once Key is "order-null"'],
	['order_undefined', '={{ "order_" + $json.a }}', 'Send Once Key is "order_undefined"'],
	['Invalid DateTime', '={{ $json.date }}', 'Send Once Key is "Invalid DateTime"'],
])('the key %j, entered as %j, is refused', (value, raw, message) => {
	expect(() => read(value, raw)).toThrow(expect.objectContaining({ message, remedy: HOW }));
});

it('a key that no text can have is refused for what it is', () => {
	const wrong = () => read('a\ud83c', '={{ $json.a }}');
	expect(wrong).toThrow(InputError);
	expect(wrong).toThrow(/^Send Once Key has half a character in it/);
});
