import type { IExecuteFunctions } from 'n8n-workflow';

import { isTool } from '../../errors/nodeError';
import type { Result } from '../operation';
import { rememberItems } from './sentItems';
import { rememberRequests } from './sentRequests';
import { hasTestRecipient } from '../sendTemplate/testRecipient';

/**
 * n8n's Retry On Fail, and Retry in the list of executions, run the whole node again. This memory
 * keeps the second try from sending what the first one sent, or may have sent.
 */
export interface SentBefore {
	/** What became of items in earlier tries of this run of the node. */
	results: ReadonlyMap<number, Result>;
	find: (itemIndex: number, request: unknown) => Result | undefined;
	remember: (itemIndex: number, request: unknown, result: Result) => void;
	/** No further try of this run will come. */
	forget: () => void;
}

/** The memory lies in the execution's context of the node, which n8n stores with the execution. */
export function openSentBefore(context: IExecuteFunctions): SentBefore {
	const store = context.getContext('node');
	return isTool(context.getNode())
		? rememberRequests(store)
		: rememberItems(store, runIndexOf(context), hasTestRecipient(context) ? 'test' : 'real');
}

/** How often this node has run in the execution; loops run it again, a retry does not count. */
function runIndexOf(context: IExecuteFunctions): number {
	return Number(context.getWorkflowDataProxy(0).$runIndex ?? 0);
}
