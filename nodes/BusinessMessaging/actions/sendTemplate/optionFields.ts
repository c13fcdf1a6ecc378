import type { INodeProperties } from 'n8n-workflow';

import {
	concurrencyField,
	defaultCountryField,
	rawResponseField,
	requestsPerMinuteField,
	timeoutField,
	waitForFields,
} from '../fields';

/** In alphabetical order, as the editor lists them. */
export const optionFields: INodeProperties[] = [
	defaultCountryField,
	{
		displayName: 'Dry Run',
		name: 'dryRun',
		type: 'boolean',
		default: true,
		description:
			'Whether to check everything and show what would be sent and its price, without sending',
	},
	{
		displayName: 'Keep Line Breaks and Tabs',
		name: 'keepWhitespace',
		type: 'boolean',
		default: false,
		description:
			'Whether to send line breaks, tabs and more than four spaces in a row in values as they are. Most networks refuse such a message, so each is replaced by one space.',
	},
	rawResponseField,
	concurrencyField,
	requestsPerMinuteField,
	{
		displayName: 'Retry When Outcome Is Unknown',
		name: 'retryUnknownOutcome',
		type: 'boolean',
		default: false,
		description:
			'Whether to send again when nobody knows if the message went, for example after a timeout. The customer may get it twice.',
	},
	{
		displayName: 'Send Once Key',
		name: 'sendOnceKey',
		type: 'string',
		default: '',
		placeholder: 'e.g. order-{{ $json.orderNumber }}-shipped',
		description:
			'What stands for this one message. This node sends a message with the same key once, in whatever run. Runs with a Test Recipient do not count.',
	},
	{
		displayName: 'Spending Limit (INR)',
		name: 'spendingLimit',
		type: 'number',
		typeOptions: { minValue: 0, numberPrecision: 4 },
		default: 100,
		description:
			'The most that one run of this node may cost, in INR, by an estimate. When the estimate for all items is higher, nothing is sent. Items in a dry run do not count. Taken from the first item.',
	},
	{
		displayName: 'Test Recipient',
		name: 'testRecipient',
		type: 'string',
		default: '',
		placeholder: 'e.g. +14155552671',
		description:
			'Your own number, to which every message goes instead when you run the workflow by hand. To is still checked. Production runs ignore it, and in n8n 1.x sub-workflows. Taken from the first item.',
	},
	timeoutField,
	...waitForFields,
];
