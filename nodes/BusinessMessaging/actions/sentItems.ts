import type { IContextObject } from 'n8n-workflow';

import type { Failure } from '../transport/failure';
import type { Result } from './operation';
import { packInto, unpack } from './packed';
import type { Packed } from './packed';
import type { SentBefore } from './sentBefore';
import { sentOf } from './sentMessage';

interface Store extends Packed {
	runIndex: number;
	/** By item: why nobody knows whether the message went. */
	unknown: Record<string, Failure>;
}

const KEY = 'sentMessages';

/**
 * The memory of a node in a workflow, by item. Expressions are computed anew for each try: what
 * they give by then, such as another code or time, does not make it another message.
 * @param runIndex only one run's items are kept: a run that fails is the last one, or is tried again
 */
export function rememberItems(context: IContextObject, runIndex: number): SentBefore {
	const known = context[KEY] as Store | undefined;
	const store =
		known?.runIndex === runIndex ? known : { runIndex, shapes: [], rows: {}, unknown: {} };
	const pack = packInto(store);
	const results = new Map<number, Result>();
	for (const [key, failure] of Object.entries(store.unknown)) results.set(Number(key), { failure });
	for (const [key, json] of unpack(store)) results.set(key, { json, sent: sentOf(json) });
	const forget = () => {
		delete context[KEY];
	};
	if (known !== store) forget();
	return {
		results,
		find: (itemIndex) => results.get(itemIndex),
		remember(itemIndex, _, result) {
			// Written at once: what throws later can't lose it.
			context[KEY] = store;
			delete store.unknown[itemIndex];
			if ('json' in result) pack(itemIndex, result.json);
			else store.unknown[itemIndex] = result.failure;
		},
		forget,
	};
}
