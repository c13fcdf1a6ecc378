import { createHash } from 'crypto';
import type { IContextObject } from 'n8n-workflow';

import type { Result } from './operation';

/**
 * n8n's Retry On Fail runs the whole node again. This memory keeps the second try from sending what
 * the first one sent, or may have sent. Expressions are computed anew by then: what they give now,
 * such as another code or time, does not make it another message.
 */
export interface SentBefore {
	find: (itemIndex: number, request: unknown) => Result | undefined;
	remember: (itemIndex: number, request: unknown, result: Result) => void;
}

interface Entry {
	request?: string;
	result: Result;
}

interface Store {
	runIndex: number;
	entries: Record<string, Entry>;
}

const KEY = 'sentMessages';

/**
 * @param context the execution's context of the node, which survives a retry; it is stored with the
 * execution, so only one run's entries are kept
 * @param isTool an agent calls its tool again for another message: there the request counts as well
 */
export function createSentBefore(
	context: IContextObject,
	runIndex: number,
	isTool: boolean,
): SentBefore {
	const known = context[KEY] as Store | undefined;
	const store: Store = known?.runIndex === runIndex ? known : { runIndex, entries: {} };
	context[KEY] = store;
	const identify = (request: unknown) => (isTool ? hashOf(request) : undefined);
	return {
		find(itemIndex, request) {
			const entry = store.entries[itemIndex] as Entry | undefined;
			return entry?.request === identify(request) ? entry?.result : undefined;
		},
		remember(itemIndex, request, result) {
			store.entries[itemIndex] = { request: identify(request), result };
		},
	};
}

/** For nodes that n8n does not run again. */
export const nothingSentBefore: SentBefore = { find: () => undefined, remember: () => undefined };

function hashOf(request: unknown): string {
	return createHash('sha256').update(JSON.stringify(request)).digest('hex');
}
