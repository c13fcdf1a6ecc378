import type { IExecuteFunctions } from 'n8n-workflow';

import { readNumber } from '../../optionValues';
import { concurrencyField, spendingLimitField } from '../fields';
import type { RunOptions } from '../operation';
import { hasOption } from '../options';
import { readTestRecipient } from './testRecipient';
import type { Receivers } from './testRecipient';

/** @throws InputError */
export function readRunOptions(context: IExecuteFunctions, receivers: Receivers): RunOptions {
	// One by one: what is wrong with another option of the first item is that item's own matter.
	const { default: unset } = concurrencyField;
	const concurrency = context.getNodeParameter('options.concurrency', 0, unset);
	return {
		concurrency: Math.floor(readNumber(concurrency, concurrencyField, unset)),
		spendingLimit: readSpendingLimit(context),
		testRecipient: readTestRecipient(context, receivers),
	};
}

/** Without a default: a limit that an expression failed to give must not pass for none. */
function readSpendingLimit(context: IExecuteFunctions): number {
	if (!hasOption(context, 'spendingLimit')) return Infinity;
	return readNumber(context.getNodeParameter('options.spendingLimit', 0), spendingLimitField);
}
