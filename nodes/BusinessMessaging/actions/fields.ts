import type { IDisplayOptions, INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { getCountries, getCountryCallingCode } from '../template/libphonenumber';
import type { OperationName } from './operation';

/** Shows a field for these operations only. */
export function showFor(...operations: OperationName[]): IDisplayOptions {
	return { show: { resource: ['message'], operation: operations } };
}

/** Shows it there only where another field has the value. */
export function where(
	{ show }: IDisplayOptions,
	field: string,
	value: string | boolean,
): IDisplayOptions {
	return { show: { ...show, [field]: [value] } };
}

/** What the AI that builds workflows reads of the options, and of which ones: users find all in the editor. */
const OPTIONS_IN_BRIEF: Partial<Record<string, string>> = {
	defaultCountry: 'Such as IN, for numbers without country code',
	dryRun: 'Shows what would be sent and its price. Off unless set.',
	sendOnceKey: 'In this workflow, a message with the same key is sent only once',
	spendingLimit: 'The most that a run may cost, in INR',
	testRecipient: 'Your own number: a run by hand sends everything there',
	waitFor: 'Before the workflow goes on. Nothing unless set.',
	waitTimeout: 'Seconds, 60 unless set',
};

/**
 * Describes fields in brief to the AI that builds workflows. Of several fields with a name n8n describes the first
 * to it. No version of the node shows that one; users see the next.
 */
export function forBuilders(
	words: Record<string, string | undefined>,
	fields: INodeProperties[],
): INodeProperties[] {
	const firsts = fields.filter(
		({ name }, index) => name in words && index === fields.findIndex((one) => one.name === name),
	);
	return [...firsts.map((field) => briefField(field, words[field.name])), ...fields];
}

function briefField(field: INodeProperties, description?: string): INodeProperties {
	const { resource, operation, ...conditions } = field.displayOptions?.show ?? {};
	const isConditional = field.displayOptions?.hide || Object.keys(conditions).length > 0;
	return {
		...field,
		description,
		hint: undefined,
		required: field.required && !isConditional,
		// The words for a fixed collection show an example, which is shorter than its fields.
		...(field.type === 'fixedCollection' ? { options: undefined, default: undefined } : {}),
		displayOptions: { show: { '@version': [-1], resource, operation } },
	};
}

function briefOption(option: INodeProperties): INodeProperties {
	const description = OPTIONS_IN_BRIEF[option.name];
	// n8n adds what is missing from the next field of the name, but describes no notice.
	if (description === undefined) return { ...option, type: 'notice' };
	// The default is what an option begins with when a user adds it.
	const brief: INodeProperties = { ...option, description, default: undefined };
	// A list of all countries would be as long as all else.
	return option === defaultCountryField ? { ...brief, type: 'string', options: undefined } : brief;
}

/** Shown where the node is a tool only, instead of the two fields that n8n adds to one without it. */
export function toolDescriptionField({
	value,
	toolDescription,
}: {
	value: OperationName;
	toolDescription?: string;
}): INodeProperties[] {
	if (toolDescription === undefined) return [];
	const field: INodeProperties = {
		displayName: 'Tool Description',
		name: 'toolDescription',
		type: 'string',
		typeOptions: { rows: 3 },
		required: true,
		default: toolDescription,
		description: 'What the AI agent is told about this tool',
		displayOptions: where(showFor(value), '@tool', true),
	};
	return [field];
}

export function optionsFields(
	options: INodeProperties[],
	displayOptions: IDisplayOptions,
): INodeProperties[] {
	const field: INodeProperties = {
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		options,
		displayOptions,
	};
	return [briefField({ ...field, default: undefined, options: options.map(briefOption) }), field];
}

const countryNames = new Intl.DisplayNames(['en'], { type: 'region' });

const countries: INodePropertyOptions[] = getCountries()
	.map((code) => ({
		name: `${countryNames.of(code) ?? code} (+${getCountryCallingCode(code)})`,
		value: code,
	}))
	.sort((a, b) => a.name.localeCompare(b.name, 'en'));

export const defaultCountryField: INodeProperties = {
	displayName: 'Default Country',
	name: 'defaultCountry',
	type: 'options',
	options: [{ name: 'None', value: '' }, ...countries],
	default: '',
	description: 'The country of numbers that have no plus sign and country code',
};

export const rawResponseField: INodeProperties = {
	displayName: 'Raw Response',
	name: 'rawResponse',
	type: 'boolean',
	default: false,
	description:
		'Whether to output the whole answer of the API, with its HTTP status and rate limit, instead of the message fields',
};

export const timeoutField = {
	displayName: 'Timeout (Seconds)',
	name: 'timeout',
	type: 'number',
	typeOptions: { minValue: 1, maxValue: 300 },
	default: 30,
	description: "How long to wait for the API's answer",
} satisfies INodeProperties;

export const concurrencyField = {
	displayName: 'Requests in Parallel',
	name: 'concurrency',
	type: 'number',
	typeOptions: { minValue: 1, maxValue: 100 },
	default: 10,
	description: 'How many requests may be under way at the same time. Taken from the first item.',
} satisfies INodeProperties;

export const requestsPerMinuteField = {
	displayName: 'Requests per Minute',
	name: 'requestsPerMinute',
	type: 'number',
	typeOptions: { minValue: 0, maxValue: 6000 },
	default: 60,
	description:
		'The rate limit of your account. All workflows that use the same key take turns. 0 sends without waiting.',
} satisfies INodeProperties;

export const retryUnknownOutcomeField: INodeProperties = {
	displayName: 'Retry When Outcome Is Unknown',
	name: 'retryUnknownOutcome',
	type: 'boolean',
	default: false,
	description:
		'Whether to send again when nobody knows if the message went, for example after a timeout. The customer may get it twice.',
};

export const spendingLimitField: INodeProperties = {
	displayName: 'Spending Limit (INR)',
	name: 'spendingLimit',
	type: 'number',
	typeOptions: { minValue: 0, numberPrecision: 4 },
	default: 100,
	description:
		'The most that one run of this node may cost, in INR, with its retries. When the estimate for all items is higher, nothing is sent. During the run, no message goes out that would exceed it. Items in a dry run do not count. Taken from the first item.',
};

export const waitTimeoutField = {
	displayName: 'Wait Timeout (Seconds)',
	name: 'waitTimeout',
	type: 'number',
	typeOptions: { minValue: 1, maxValue: 24 * 60 * 60 },
	default: 60,
	description:
		'How long to wait at most. After that, the item goes on with "timedOut" set. A wait is lost when n8n restarts: from 900 seconds on, use a Wait node and Get Status. Up to 60 seconds, sends leave places for look-ups and take twice as long.',
} satisfies INodeProperties;

export const waitForField: INodeProperties = {
	displayName: 'Wait For',
	name: 'waitFor',
	type: 'options',
	options: [
		{
			name: 'Delivered',
			value: 'delivered',
			description: "The message is on the customer's phone",
		},
		{ name: 'Nothing', value: 'none', description: 'Go on at once' },
		{ name: 'Read', value: 'read', description: 'The customer read the message' },
	],
	default: 'delivered',
	description:
		'What to wait for before the workflow goes on. Sent is not delivered: without waiting you only know that the message was handed over.',
};

export const waitForFields: INodeProperties[] = [waitForField, waitTimeoutField];
