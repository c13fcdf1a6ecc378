import { createHash } from 'crypto';
import type { IContextObject, IDataObject } from 'n8n-workflow';

import type { Failure } from '../transport/failure';

/** What an earlier try of the same run left behind: the message, or that nobody knows. */
export type Remembered = { message: IDataObject } | { unknown: Failure };

/**
 * n8n's Retry On Fail runs the whole node again. This memory keeps the second try from sending what
 * the first one sent.
 */
export interface SentBefore {
	find: (itemIndex: number, request: unknown) => Remembered | undefined;
	remember: (itemIndex: number, request: unknown, outcome: Remembered) => void;
}

interface Entry {
	hash: string;
	outcome: Remembered;
}

interface Store {
	runIndex: number;
	entries: Record<string, Entry>;
}

const KEY = 'sentMessages';

/**
 * @param context the execution's context of the node, which survives a retry; it is stored with the
 * execution, so only one run's entries are kept
 */
export function createSentBefore(context: IContextObject, runIndex: number): SentBefore {
	const known = context[KEY] as Store | undefined;
	const store: Store = known?.runIndex === runIndex ? known : { runIndex, entries: {} };
	context[KEY] = store;
	return {
		find(itemIndex, request) {
			const entry = store.entries[itemIndex];
			return entry?.hash === hashOf(request) ? entry.outcome : undefined;
		},
		remember(itemIndex, request, outcome) {
			store.entries[itemIndex] = { hash: hashOf(request), outcome };
		},
	};
}

/** For nodes that n8n does not run again. */
export const nothingSentBefore: SentBefore = { find: () => undefined, remember: () => undefined };

function hashOf(request: unknown): string {
	return createHash('sha256').update(JSON.stringify(request)).digest('hex');
}
