import type { INodeProperties } from 'n8n-workflow';

import {
	concurrencyField,
	defaultCountryField,
	rawResponseField,
	requestsPerMinuteField,
	retryUnknownOutcomeField,
	spendingLimitField,
	timeoutField,
	waitForFields,
} from '../fields';

export const dryRunField: INodeProperties = {
	displayName: 'Dry Run',
	name: 'dryRun',
	type: 'boolean',
	default: true,
	description:
		'Whether to check everything and show what would be sent and its price, without sending',
};

export const keepWhitespaceField: INodeProperties = {
	displayName: 'Keep Line Breaks and Tabs',
	name: 'keepWhitespace',
	type: 'boolean',
	default: false,
	description:
		'Whether to send line breaks, tabs and more than four spaces in a row in values as they are. Most networks refuse such a message, so each is replaced by one space.',
};

/** In alphabetical order, as the editor lists them. */
export const optionFields: INodeProperties[] = [
	defaultCountryField,
	dryRunField,
	keepWhitespaceField,
	rawResponseField,
	concurrencyField,
	requestsPerMinuteField,
	retryUnknownOutcomeField,
	{
		displayName: 'Send Once Key',
		name: 'sendOnceKey',
		type: 'string',
		default: '',
		placeholder: 'e.g. order-{{ $json.orderNumber }}-shipped',
		description:
			'Idempotency key of this message. In this workflow a message with the same key is sent only once, whichever node sends it, even in later executions. Runs with a Test Recipient do not count.',
	},
	spendingLimitField,
	{
		displayName: 'Test Recipient',
		name: 'testRecipient',
		type: 'string',
		default: '',
		placeholder: 'e.g. +14155552671',
		description:
			'Your own number. When you run the workflow by hand, every message goes there instead, also from its sub-workflows. To is still checked. Production runs ignore it. If n8n does not tell how a run was started, nothing is sent. Taken from the first item.',
	},
	timeoutField,
	...waitForFields,
];
