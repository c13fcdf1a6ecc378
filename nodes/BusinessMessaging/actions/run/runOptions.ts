import type { IExecuteFunctions } from 'n8n-workflow';

import { readNumber } from '../../optionValues';
import { concurrencyField, spendingLimitField } from '../fields';
import type { RunOptions } from '../operation';
import { NOT_SET, readTestRecipient } from './testRecipient';

/** @throws InputError */
export function readRunOptions(context: IExecuteFunctions): RunOptions {
	// One by one: what is wrong with another option of the first item is that item's own matter.
	const { default: unset } = concurrencyField;
	const concurrency = context.getNodeParameter('options.concurrency', 0, unset);
	const spendingLimit = context.getNodeParameter('options.spendingLimit', 0, NOT_SET);
	return {
		concurrency: Math.floor(readNumber(concurrency, concurrencyField, unset)),
		// Without a default: a limit that an expression failed to give must not pass for none.
		spendingLimit:
			spendingLimit === NOT_SET ? Infinity : readNumber(spendingLimit, spendingLimitField),
		testRecipient: readTestRecipient(context),
	};
}
