import type { INodePropertyOptions } from 'n8n-workflow';

import { getStatus } from './getStatus.operation';
import type { Operation, OperationName } from './operation';
import { sendAndWait } from './sendAndWait/sendAndWait.operation';
import { sendTemplate } from './sendTemplate/sendTemplate.operation';

interface ListedOperation extends INodePropertyOptions {
	value: OperationName;
	/**
	 * What the model of an agent reads of the tool: n8n's own words for it would be the action only. None
	 * for an operation that can't be a tool.
	 */
	toolDescription?: string;
	operation: Operation<unknown>;
}

/** Every operation of the node: the editor's list and the dispatch both come from here. */
export const OPERATIONS: ListedOperation[] = [
	{
		name: 'Get Status',
		value: 'getStatus',
		action: 'Get message status',
		description: 'Look up whether a message was sent, delivered or read, or failed',
		toolDescription:
			'Look up by its message ID whether a message was sent, delivered or read, or failed. Costs nothing.',
		operation: getStatus as Operation<unknown>,
	},
	{
		name: 'Send Template',
		value: 'sendTemplate',
		action: 'Send template message',
		description: 'Send an approved template message to a customer. Each message costs money.',
		toolDescription:
			"Send an approved template message to a customer's phone. Each message costs money and reaches a person at once: it cannot be taken back.",
		operation: sendTemplate as Operation<unknown>,
	},
	{
		name: 'Send Template and Wait for Response',
		// n8n's name: by it n8n checks the links, and offers the node as Human review of an agent's tools.
		value: 'sendAndWait',
		action: 'Send template message and wait for response',
		description:
			'Send an approved template message with a link to a question, and wait for the answer. Each message costs money.',
		operation: sendAndWait as Operation<unknown>,
	},
];
