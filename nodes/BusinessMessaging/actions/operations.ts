import type { INodePropertyOptions } from 'n8n-workflow';
import { PRICES } from '../template/pricing';
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

/**
 * What the model's arguments stand for: the editor names the one of {{1}} `__1__`, and gives it no description. By what
 * is entered, because the model's values are not there yet. n8n would end the expression at two closing braces.
 */
const ABOUT_TEMPLATE = `{{ [
	["The template is", $rawParameter.templateName],
	["Its category is", $rawParameter.category],
	["Prices in INR:", "${listOfPrices()}"],
	["__1__ is the value of {" + "{1}" + "}, and so on. The customer reads:", $rawParameter.templateText],
].filter((each) => each[1] && !String(each[1]).startsWith("=")).map((each) => each.join(" ")).join(". ") }}`;

function listOfPrices(): string {
	return Object.entries(PRICES)
		.map(([category, price]) => `${category} ${price}`)
		.join(', ');
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
		toolDescription: `=Send an approved template message to a customer's phone. Each message costs money and reaches a person at once: it cannot be taken back. A phone number needs its plus sign and country code, as in +14155552671: ask for them if you do not know them. If a parameter asks for a dry run, call with true first, and show the user the text and the price. Call once for each message, and never again when an error says that it may have been sent. A result with "skipped" was not sent: leave it as it is, unless it was a dry run. A result with "sentBefore" was sent earlier. ${ABOUT_TEMPLATE}`,
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
