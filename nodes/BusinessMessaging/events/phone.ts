import type { IDataObject } from 'n8n-workflow';

import { readRecipient } from '../template/recipient';
import { kindOf } from './catalogue';

/**
 * The customer's number as E.164: who wrote or submitted, or whom a message reaches (6.3).
 * @returns undefined when `data` does not name the customer, or not with certainty
 */
export function phoneOf(event: string, data: IDataObject): string | undefined {
	// None of an event that came later: a business number may stand there, too.
	const numbers = kindOf(event)?.customerIn.map((name) => read(data[name]));
	return numbers?.find((number) => number !== undefined);
}

function read(number: unknown): string | undefined {
	try {
		return readRecipient(number);
	} catch {
		return undefined;
	}
}
