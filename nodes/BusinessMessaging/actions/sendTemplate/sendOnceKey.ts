import type { IDataObject } from 'n8n-workflow';

import { InputError, quote } from '../../errors/inputError';
import { isBlank } from '../../isBlank';
import { checkText } from '../../template/text';
import { textOf } from '../../textOf';

const EXPRESSIONS = /\{\{.*?\}\}/gs;
/** What a field that is not there reads like in a text. */
const MISSING_IN_TEXT = /\b(?:undefined|null|NaN)\b/;

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
	if (MISSING_IN_TEXT.test(key)) throw new InputError(`Send Once Key is ${quote(key)}`, REMEDY);
	return key;
}

/** @returns what is left of a text without its expressions; undefined when it has none */
function textAround(raw: unknown): string | undefined {
	if (typeof raw !== 'string' || !raw.includes('{{')) return undefined;
	return raw.slice(1).replace(EXPRESSIONS, '').trim();
}
