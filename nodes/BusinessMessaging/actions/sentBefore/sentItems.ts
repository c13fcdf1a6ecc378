import { deepCopy } from 'n8n-workflow';
import type { IContextObject, IDataObject } from 'n8n-workflow';

import type { Failure } from '../../errors/failure';
import type { SentBefore } from '../operation';
import type { Result } from '../result';
import { sentOf } from '../sentMessage';

interface Store {
	runIndex: number;
	/** By item: what was put out for its message. A copy, for n8n may add fields to what is put out. */
	sent: Record<string, IDataObject>;
	/** By item: why nobody knows whether the message went. */
	unknown: Record<string, Failure>;
	/** INR */
	spent?: number;
}

/**
 * The memory of a node in a workflow, by item. Expressions are computed anew for each try: what
 * they give by then, such as another code or time, does not make it another message.
 * @param runIndex only one run's items are kept: a run that fails is the last one, or is tried again
 * @param isTest what went to a test recipient is not sent to the customer, and the other way round
 */
export function rememberItems(
	context: IContextObject,
	runIndex: number,
	isTest = false,
): SentBefore {
	const key = isTest ? 'testMessages' : 'sentMessages';
	const known = context[key] as Store | undefined;
	const store = known?.runIndex === runIndex ? known : { runIndex, sent: {}, unknown: {} };
	const results = new Map<number, Result>();
	for (const [item, failure] of Object.entries(store.unknown)) {
		results.set(Number(item), { failure });
	}
	for (const [item, stored] of Object.entries(store.sent)) {
		const json = deepCopy(stored);
		results.set(Number(item), { json, sent: sentOf(json) });
	}
	const forget = () => {
		delete context[key];
	};
	if (known !== store) forget();
	return {
		results,
		find: (itemIndex) => results.get(itemIndex),
		remember(itemIndex, _, result) {
			// Written at once: what throws later can't lose it.
			context[key] = store;
			delete store.unknown[itemIndex];
			delete store.sent[itemIndex];
			if ('json' in result) store.sent[itemIndex] = { ...result.json };
			else store.unknown[itemIndex] = result.failure;
		},
		spent: store.spent ?? 0,
		rememberSpent(spent) {
			if (spent === 0) return;
			context[key] = store;
			store.spent = spent;
		},
		forget,
	};
}
