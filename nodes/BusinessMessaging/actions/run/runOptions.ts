import type { IExecuteFunctions } from 'n8n-workflow';

import { readNumber } from '../../optionValues';
import type { RunOptions } from '../operation';
import { DEFAULT_CONCURRENCY, MAX_CONCURRENCY } from '../options';
import { readTestRecipient } from './testRecipient';

/** No expression gives this by mistake. */
const NOT_SET = 'not set';

/** @throws InputError */
export function readRunOptions(context: IExecuteFunctions): RunOptions {
	// One by one: what is wrong with another option of the first item is that item's own matter.
	const concurrency = context.getNodeParameter('options.concurrency', 0, DEFAULT_CONCURRENCY);
	const spendingLimit = context.getNodeParameter('options.spendingLimit', 0, NOT_SET);
	return {
		concurrency: Math.floor(
			readNumber(concurrency, 'Requests in Parallel', DEFAULT_CONCURRENCY, 1, MAX_CONCURRENCY),
		),
		// Without a default: a limit that an expression failed to give must not pass for none.
		spendingLimit:
			spendingLimit === NOT_SET
				? Infinity
				: readNumber(spendingLimit, 'Spending Limit', undefined, 0),
		testRecipient: readTestRecipient(context),
	};
}
