import type { IDataObject } from 'n8n-workflow';

import { InputError, quote } from '../../errors/inputError';
import { isBlank } from '../../isBlank';
import { checkText, expressionsIn, ruinIn, textAround } from '../../template/text';
import { textOf } from '../../textOf';

/** As in "order-null": of all orders without a number only the first would be sent. */
const NULL_INSIDE = /(?<!\p{L})null(?!\p{L})/u;

const REMEDY =
	'Open Options and enter what stands for this one message, such as order-{{ $json.orderNumber }}-shipped, or remove the option.';

/**
 * @param raw the key as it was entered, with its expressions
 * @param compute an expression of this item, with its braces
 * @returns undefined when the option was not added
 * @throws InputError when it, or a part of it, gives nothing: without a key the message might go twice, and
 * of the items with the same key only the first is sent
 */
export function readSendOnceKey(
	options: IDataObject,
	raw: unknown,
	compute: (expression: string) => unknown,
): string | undefined {
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
	const expressions = expressionsIn(raw);
	// A single one that gives nothing is found above.
	const missing =
		expressions.length > 1
			? expressions.find((expression) => givesNothing(expression, compute))
			: undefined;
	if (missing !== undefined) {
		throw new InputError(
			`The expression ${missing} in Send Once Key gives nothing: the key is ${quote(key)}`,
			REMEDY,
		);
	}
	const entered = () => raw;
	if (ruinIn(key, entered) ?? ruinIn(key, entered, NULL_INSIDE)) {
		throw new InputError(`Send Once Key is ${quote(key)}`, REMEDY);
	}
	return key;
}

function givesNothing(expression: string, compute: (expression: string) => unknown): boolean {
	try {
		return isBlank(compute(expression));
	} catch {
		// It has braces of its own and was cut at them; n8n could compute the whole.
		return false;
	}
}
