import type { IExecuteFunctions } from 'n8n-workflow';

import { isTool } from '../../isTool';
import type { SentBefore } from '../operation';
import { rememberContents } from './sentContents';
import { rememberItems } from './sentItems';

/**
 * The memory lies in the execution's context of the node, which n8n stores with the execution.
 * @param isTest whether everything goes to a test recipient
 */
export function openSentBefore(context: IExecuteFunctions, isTest: boolean): SentBefore {
	const store = context.getContext('node');
	return isTool(context.getNode())
		? rememberContents(store)
		: rememberItems(store, runIndexOf(context), isTest);
}

/** How often this node has run in the execution; loops run it again, a retry does not count. */
function runIndexOf(context: IExecuteFunctions): number {
	return Number(context.getWorkflowDataProxy(0).$runIndex ?? 0);
}
