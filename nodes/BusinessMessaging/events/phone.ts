import type { IDataObject } from 'n8n-workflow';

import { readRecipient } from '../template/recipient';
import { REACHED_ONCE, RECIPIENTS } from './identity';

const FROM_CUSTOMER = ['message.incoming', 'flow.submitted', 'flow.updated'];

/**
 * The customer's number as E.164: who wrote or submitted, or whom a message reaches (6.3).
 * @returns undefined when `data` does not name the customer, or not with certainty
 */
export function phoneOf(event: string, data: IDataObject): string | undefined {
	const numbers = fieldsOf(event).map((name) => read(data[name]));
	return numbers.find((number) => number !== undefined);
}

/** None for an event that came later: a business number may stand there, too. */
function fieldsOf(event: string): string[] {
	if (REACHED_ONCE.includes(event)) return RECIPIENTS;
	return FROM_CUSTOMER.includes(event) ? ['from'] : [];
}

function read(number: unknown): string | undefined {
	try {
		return readRecipient(number);
	} catch {
		return undefined;
	}
}
