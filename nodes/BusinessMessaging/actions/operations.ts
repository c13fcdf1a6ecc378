import type { INodePropertyOptions } from 'n8n-workflow';
import { getStatus } from './getStatus.operation';
import type { Operation, OperationName } from './operation';
import { sendAndWait } from './sendAndWait/sendAndWait.operation';
import { sendTemplate } from './sendTemplate/sendTemplate.operation';

interface ListedOperation extends INodePropertyOptions {
	value: OperationName;
	/**
	 * For the model of an agent, because n8n's own description of the tool would be the action only. None
	 * for an operation that can't be a tool.
	 */
	toolDescription?: string;
	operation: Operation;
}

/** Every operation of the node, for the editor's list and for execute(). */
export const OPERATIONS: ListedOperation[] = [
	{
		name: 'Get Status',
		value: 'getStatus',
		action: 'Get message status',
		description: "Look up a message's status: sent, delivered, read or failed",
		toolDescription:
			'Look up the status of a message by its message ID: sent, delivered, read or failed. Costs nothing.',
		operation: getStatus,
	},
	{
		name: 'Send Template',
		value: 'sendTemplate',
		action: 'Send template message',
		description: 'Send an approved template message to a customer. Each message costs money.',
		toolDescription:
			'Send an approved template message to a customer\'s phone. Each message costs money and reaches a person at once: it cannot be taken back. A phone number needs its plus sign and country code, as in +14155552671: ask for them if you do not know them. If a parameter asks for a dry run, call with true first, and show the user the text and the price. Call once for each message, and never again when an error says that it may have been sent. A result with "skipped" was not sent: leave it as it is, unless it was a dry run. A result with "sentBefore" was sent earlier.',
		operation: sendTemplate,
	},
	{
		name: 'Send Template and Wait for Response',
		// n8n requires this name to check the links, and to offer the node as Human review of an agent's tools.
		value: 'sendAndWait',
		action: 'Send template message and wait for response',
		description:
			'Send an approved template message with a link to a question, and wait for the answer. Each message costs money.',
		operation: sendAndWait,
	},
];
