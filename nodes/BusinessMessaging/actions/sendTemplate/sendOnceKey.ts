import type { IDataObject } from 'n8n-workflow';

import { InputError, quote } from '../../errors/inputError';
import { isBlank } from '../../isBlank';
import { checkText, ruinIn, textAround } from '../../template/text';
import { textOf } from '../../textOf';

/** As in "order-null": of all orders without a number only the first would be sent. */
const NULL_INSIDE = /(?<!\p{L})null(?!\p{L})/u;

const REMEDY =
	'Open Options and enter what stands for this one message, such as order-{{ $json.orderNumber }}-shipped, or remove the option.';

/**
 * @param raw the key as it was entered, with its expressions
 * @returns undefined when the option was not added
 * @throws InputError when it gives nothing of its own: without a key the message might go twice, and of
 * the items with the same key only the first is sent
 */
export function readSendOnceKey(options: IDataObject, raw: unknown): string | undefined {
	if (!('sendOnceKey' in options)) return undefined;
	const value = options.sendOnceKey;
	const key = textOf(value);
	if (!key) {
		throw new InputError(
			isBlank(value) ? 'Send Once Key is empty' : `Send Once Key is ${quote(value)}`,
			REMEDY,
		);
	}
	checkText(key, 'Send Once Key');
	if (key === textAround(raw)) {
		throw new InputError(
			`The expressions in Send Once Key give nothing: it is ${quote(key)}`,
			REMEDY,
		);
	}
	const entered = () => raw;
	if (ruinIn(key, entered) ?? ruinIn(key, entered, NULL_INSIDE)) {
		throw new InputError(`Send Once Key is ${quote(key)}`, REMEDY);
	}
	return key;
}
