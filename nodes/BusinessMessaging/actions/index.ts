import type { INodePropertyOptions } from 'n8n-workflow';

import { getStatus } from './getStatus.operation';
import type { Operation } from './operation';
import { sendTemplate } from './sendTemplate.operation';

interface Entry extends INodePropertyOptions {
	value: string;
	operation: Operation<unknown>;
}

/** Every operation of the node: the editor's list and the dispatch both come from here. */
export const OPERATIONS: Entry[] = [
	{
		name: 'Get Status',
		value: 'getStatus',
		action: 'Get the status of a message',
		description: 'Look up whether a message was sent, delivered or read, or failed',
		operation: getStatus as Operation<unknown>,
	},
	{
		name: 'Send Template',
		value: 'sendTemplate',
		// As an agent's tool, this is all that the model is told about it.
		action: 'Send a template message (costs money)',
		description: 'Send an approved template message to a customer. Each message costs money.',
		operation: sendTemplate as Operation<unknown>,
	},
];
