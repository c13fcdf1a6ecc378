import type { IDataObject } from 'n8n-workflow';

import { InputError, quote } from '../../errors/inputError';

/**
 * @returns undefined when the option was not added
 * @throws InputError when it gives nothing: without a key the message might go twice
 */
export function readSendOnceKey(options: IDataObject): string | undefined {
	if (!('sendOnceKey' in options)) return undefined;
	const value = options.sendOnceKey;
	const isText = typeof value === 'string' || typeof value === 'number';
	const key = isText ? String(value).trim() : '';
	if (key) return key;
	throw new InputError(
		isText || value === undefined || value === null
			? 'Send Once Key is empty'
			: `Send Once Key is ${quote(value)}`,
		'Open Options and enter what stands for this one message, such as order-{{ $json.orderNumber }}-shipped, or remove the option.',
	);
}
