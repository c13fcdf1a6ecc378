import type { INodeProperties } from 'n8n-workflow';
import type { Category } from '../../api';
import { PRICES, formatAmount } from '../../template/pricing';
import { where } from '../fields';
import { defaultCountryField } from '../options/defaultCountry';
import { dryRunField } from '../options/dryRun';
import { includeInputField } from '../options/includeInputFields';
import { keepWhitespaceField } from '../options/keepWhitespace';
import { rawResponseField } from '../options/rawResponse';
import { concurrencyField, requestsPerMinuteField, timeoutField } from '../options/requests';
import { spendingLimitField } from '../options/spendingLimit';
import { testMessagesField, testRecipientField } from '../options/testRecipient';
import { waitForField, waitTimeoutField } from '../options/waitFor';
import { forSend, variableFields } from './variableFields';

/** Those of no step, in alphabetical order. */
export const optionFields = [
	defaultCountryField,
	dryRunField,
	includeInputField,
	spendingLimitField,
	testRecipientField,
	waitForField,
];

export const expertFields = [
	keepWhitespaceField,
	rawResponseField,
	concurrencyField,
	requestsPerMinuteField,
	testMessagesField,
	timeoutField,
	waitTimeoutField,
];

export const toField = {
	displayName: 'To',
	name: 'to',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. +14155552671',
	description:
		'Phone number of the customer with country code. Spaces, dashes and brackets are fine.',
	hint: 'With country code, such as +1 415 555 2671, or choose a Default Country under Options',
	displayOptions: forSend,
} as const satisfies INodeProperties;

export const templateNameField = {
	displayName: 'Template Name',
	name: 'templateName',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. order_update',
	description: 'Name of an approved template, exactly as in your dashboard',
	displayOptions: forSend,
} as const satisfies INodeProperties;

function priceText(category: Category): string {
	const price = PRICES[category];
	return price === 0 ? 'free' : formatAmount(price);
}

export const lastMessageField = {
	displayName: "Customer's Last Message At",
	name: 'customerLastMessageAt',
	type: 'dateTime',
	default: '',
	description: `When the customer last wrote to you, for example "timestamp" of the incoming message. Within 24 hours of it the message is sent as service (${priceText('service')}).`,
} as const satisfies INodeProperties;

export const categoryField = {
	displayName: 'Category',
	name: 'category',
	type: 'options',
	options: [
		{
			name: 'Authentication',
			value: 'authentication',
			description: `One-time passwords and login codes (${priceText('authentication')})`,
		},
		{
			name: 'Auto',
			value: 'auto',
			description: `Service (${priceText('service')}) within 24 hours of the customer's last message, otherwise the fallback category`,
		},
		{
			name: 'Marketing',
			value: 'marketing',
			description: `Offers and news (${priceText('marketing')})`,
		},
		{
			name: 'Service',
			value: 'service',
			description: `Reply within 24 hours of the customer's last message (${priceText('service')})`,
		},
		{
			name: 'Utility',
			value: 'utility',
			description: `Updates about an order, an account or a booking (${priceText('utility')})`,
		},
	],
	default: 'utility',
	description: 'What kind of message this is. It sets the price.',
	displayOptions: forSend,
} as const satisfies INodeProperties;

export const fallbackCategoryField = {
	displayName: 'Fallback Category',
	name: 'fallbackCategory',
	type: 'options',
	options: [
		{ name: 'Authentication', value: 'authentication' },
		{ name: 'Marketing', value: 'marketing' },
		{ name: 'Utility', value: 'utility' },
	],
	default: 'utility',
	description: 'Category to use after the 24 hours, or when the API says that they are over',
	displayOptions: where(forSend, 'category', 'auto'),
} as const satisfies INodeProperties;

/** The fields of a message, with or without a question. */
export const messageFields: INodeProperties[] = [
	toField,
	templateNameField,
	categoryField,
	{
		...lastMessageField,
		displayOptions: { show: { ...forSend.show, category: [{ _cnd: { startsWith: '=' } }] } },
	},
	{
		...lastMessageField,
		required: true,
		// If the category is an expression, n8n shows every field whose `show` asks for it, but hides none by `hide`.
		displayOptions: { ...forSend, hide: { category: [{ _cnd: { not: 'auto' } }] } },
	},
	fallbackCategoryField,
	...variableFields,
];
