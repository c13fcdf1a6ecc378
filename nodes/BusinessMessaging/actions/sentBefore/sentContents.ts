import { createHash } from 'crypto';
import type { IContextObject } from 'n8n-workflow';

import type { Failure } from '../../errors/failure';
import type { SentBefore } from '../operation';

const KEY = 'unknownOutcomes';

/**
 * The memory of an AI agent's tool, by what is sent and for the whole execution: n8n counts each try as a
 * run of its own. Only unknown outcomes are kept, for after a success the model may order the same
 * message again.
 */
export function rememberContents(context: IContextObject): SentBefore {
	const known = (context[KEY] ?? {}) as Record<string, Failure>;
	return {
		results: new Map(),
		find(_, content) {
			const failure = known[hashOf(content)] as Failure | undefined;
			return failure && { failure };
		},
		remember(_, content, result) {
			if ('json' in result || result.failure.outcome !== 'unknown') return;
			known[hashOf(content)] = result.failure;
			context[KEY] = known;
		},
		// Each try is a run of its own to n8n.
		spent: 0,
		rememberSpent: () => undefined,
		forget: () => undefined,
	};
}

function hashOf(content: unknown): string {
	return createHash('sha256').update(JSON.stringify(content)).digest('hex');
}
