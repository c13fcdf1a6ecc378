import type { IDisplayOptions, INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { getCountries, getCountryCallingCode } from '../template/libphonenumber';
import type { OperationName } from './operation';
import {
	DEFAULT_CONCURRENCY,
	DEFAULT_REQUESTS_PER_MINUTE,
	DEFAULT_TIMEOUT_S,
	DEFAULT_WAIT_S,
	MAX_CONCURRENCY,
	MAX_REQUESTS_PER_MINUTE,
	MAX_TIMEOUT_S,
	MAX_WAIT_S,
} from './options';

/** Shows a field for one operation only. */
export function showFor(operation: OperationName): IDisplayOptions {
	return { show: { resource: ['message'], operation: [operation] } };
}

/** Shows it there only where another field has the value. */
export function where(
	{ show }: IDisplayOptions,
	field: string,
	value: string | boolean,
): IDisplayOptions {
	return { show: { ...show, [field]: [value] } };
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

export const timeoutField: INodeProperties = {
	displayName: 'Timeout (Seconds)',
	name: 'timeout',
	type: 'number',
	typeOptions: { minValue: 1, maxValue: MAX_TIMEOUT_S },
	default: DEFAULT_TIMEOUT_S,
	description: "How long to wait for the API's answer",
};

export const concurrencyField: INodeProperties = {
	displayName: 'Requests in Parallel',
	name: 'concurrency',
	type: 'number',
	typeOptions: { minValue: 1, maxValue: MAX_CONCURRENCY },
	default: DEFAULT_CONCURRENCY,
	description: 'How many requests may be under way at the same time. Taken from the first item.',
};

export const requestsPerMinuteField: INodeProperties = {
	displayName: 'Requests per Minute',
	name: 'requestsPerMinute',
	type: 'number',
	typeOptions: { minValue: 0, maxValue: MAX_REQUESTS_PER_MINUTE },
	default: DEFAULT_REQUESTS_PER_MINUTE,
	description:
		'The rate limit of your account. All workflows that use the same key take turns. 0 sends without waiting.',
};

export const waitForFields: INodeProperties[] = [
	{
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
	},
	{
		displayName: 'Wait Timeout (Seconds)',
		name: 'waitTimeout',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: MAX_WAIT_S },
		default: DEFAULT_WAIT_S,
		description:
			'How long to wait at most. After that, the item goes on with "timedOut" set. A wait is lost when n8n restarts: from 900 seconds on, use a Wait node and Get Status. Up to 60 seconds, sends leave places for look-ups and take twice as long.',
	},
];
