import type { IDisplayOptions, INodeProperties } from 'n8n-workflow';

import {
	concurrencyField,
	defaultCountryField,
	rawResponseField,
	requestsPerMinuteField,
	showFor,
	timeoutField,
	waitForFields,
} from './fields';

const forSend = showFor('sendTemplate');

function forSendWith(parameter: string, value: string): IDisplayOptions {
	return { show: { ...forSend.show, [parameter]: [value] } };
}

export const sendTemplateFields: INodeProperties[] = [
	{
		displayName: 'To',
		name: 'to',
		type: 'string',
		required: true,
		default: '',
		placeholder: '+14155552671',
		description:
			'Phone number of the customer with country code. Spaces, dashes and brackets are fine. For numbers without a country code, choose a Default Country under Options.',
		displayOptions: forSend,
	},
	{
		displayName: 'Template Name',
		name: 'templateName',
		type: 'string',
		required: true,
		default: '',
		placeholder: 'order_update',
		description: 'Name of an approved template, exactly as in your dashboard',
		displayOptions: forSend,
	},
	{
		displayName: 'Category',
		name: 'category',
		type: 'options',
		options: [
			{
				name: 'Authentication',
				value: 'authentication',
				description: 'One-time passwords and log-in codes (INR 0.115)',
			},
			{
				name: 'Auto',
				value: 'auto',
				description:
					"Free within 24 hours of the customer's last message, else the fallback category",
			},
			{ name: 'Marketing', value: 'marketing', description: 'Offers and news (INR 0.8631)' },
			{
				name: 'Service',
				value: 'service',
				description: "Reply within 24 hours of the customer's last message (free)",
			},
			{
				name: 'Utility',
				value: 'utility',
				description: 'Updates about an order, an account or a booking (INR 0.115)',
			},
		],
		default: 'utility',
		description: 'What kind of message this is. It sets the price.',
		displayOptions: forSend,
	},
	{
		displayName: "Customer's Last Message At",
		name: 'customerLastMessageAt',
		type: 'dateTime',
		required: true,
		default: '',
		description:
			'When the customer last wrote to you, for example "timestamp" of the incoming message. Within 24 hours of it the message is sent as service, which is free.',
		displayOptions: forSendWith('category', 'auto'),
	},
	{
		displayName: 'Fallback Category',
		name: 'fallbackCategory',
		type: 'options',
		options: [
			{ name: 'Authentication', value: 'authentication' },
			{ name: 'Marketing', value: 'marketing' },
			{ name: 'Utility', value: 'utility' },
		],
		default: 'utility',
		description: 'Category to use when the 24 hours are over',
		displayOptions: forSendWith('category', 'auto'),
	},
	{
		displayName: 'Variables',
		name: 'variablesInput',
		type: 'options',
		options: [
			{
				name: 'From Template Text',
				value: 'templateText',
				description: 'Paste the text of the template and get a field for each placeholder',
			},
			{ name: 'JSON', value: 'json', description: 'For values that an earlier node prepared' },
			{ name: 'List', value: 'list', description: 'Values in the order of the placeholders' },
			{ name: 'None', value: 'none', description: 'The template has no placeholders' },
		],
		default: 'templateText',
		description: 'How to fill in the placeholders of the template',
		displayOptions: forSend,
	},
	{
		displayName: 'Template Text',
		name: 'templateText',
		type: 'string',
		typeOptions: { editor: 'htmlEditor', rows: 4 },
		noDataExpression: true,
		default: '',
		placeholder: 'Hi {{1}}, your order {{2}} is on its way.',
		description:
			'The text of the approved template with its placeholders {{1}}, {{2}} and so on. It makes the fields below and the preview; the API sends the approved text.',
		displayOptions: forSendWith('variablesInput', 'templateText'),
	},
	{
		displayName: 'Template Variables',
		name: 'templateTextVariables',
		type: 'resourceMapper',
		noDataExpression: true,
		default: { mappingMode: 'defineBelow', value: null },
		typeOptions: {
			loadOptionsDependsOn: ['templateText'],
			resourceMapper: {
				resourceMapperMethod: 'getTemplateVariables',
				mode: 'add',
				valuesLabel: 'Values',
				fieldWords: { singular: 'variable', plural: 'variables' },
				addAllFields: true,
				supportAutoMap: false,
				noFieldsError: 'The template text has no placeholders such as {{1}}.',
			},
		},
		displayOptions: forSendWith('variablesInput', 'templateText'),
	},
	{
		displayName: 'Variables',
		name: 'variableList',
		type: 'fixedCollection',
		typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Variable', sortable: true },
		placeholder: 'Add Variable',
		default: { variables: [{ value: '', label: '' }] },
		description: 'The first row fills {{1}}, the second {{2}}, and so on',
		options: [
			{
				displayName: 'Variable',
				name: 'variables',
				values: [
					{
						displayName: 'Value',
						name: 'value',
						type: 'string',
						default: '',
						description: 'What the customer reads in this place',
					},
					{
						displayName: 'Label',
						name: 'label',
						type: 'string',
						default: '',
						placeholder: 'Order number',
						description: 'A note for yourself; it is not sent',
					},
				],
			},
		],
		displayOptions: forSendWith('variablesInput', 'list'),
	},
	{
		displayName: 'Variables (JSON)',
		name: 'variablesJson',
		type: 'json',
		default: '{\n  "1": ""\n}',
		description:
			'An object with the numbers of the placeholders, such as {"1": "Asha"}, or a list, such as ["Asha"]',
		displayOptions: forSendWith('variablesInput', 'json'),
	},
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		options: [
			concurrencyField,
			defaultCountryField,
			{
				displayName: 'Dry Run',
				name: 'dryRun',
				type: 'boolean',
				default: true,
				description:
					'Whether to check everything and show what would be sent and its price, without sending',
			},
			rawResponseField,
			requestsPerMinuteField,
			{
				displayName: 'Retry Unknown Outcome',
				name: 'retryUnknownOutcome',
				type: 'boolean',
				default: false,
				description:
					'Whether to send again when nobody knows if the message went, for example after a time-out. The customer may get it twice.',
			},
			{
				displayName: 'Spending Limit',
				name: 'spendingLimit',
				type: 'number',
				typeOptions: { minValue: 0, numberPrecision: 4 },
				default: 100,
				description:
					'The most that one run of this node may cost, in INR. When the estimate for all items is higher, nothing is sent. Taken from the first item.',
			},
			timeoutField,
			...waitForFields,
		],
		displayOptions: forSend,
	},
];
