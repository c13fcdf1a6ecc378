import type { GenericValue } from 'n8n-workflow';

import { readSendOnceKey } from '../../../../nodes/BusinessMessaging/actions/sendTemplate/sendOnceKey';
import { InputError } from '../../../../nodes/BusinessMessaging/errors/inputError';

const HOW =
	'Open Options and enter what stands for this one message, such as order-{{ $json.orderNumber }}-shipped, or remove the option.';

const read = (sendOnceKey: GenericValue, raw: unknown) => readSendOnceKey({ sendOnceKey }, raw);

it('without the option there is no key', () => {
	expect(readSendOnceKey({}, '')).toBeUndefined();
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
