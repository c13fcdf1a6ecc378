import type {
	IDisplayOptions,
	IExecuteFunctions,
	INodeProperties,
	INodePropertyOptions,
} from 'n8n-workflow';
import { getCountries, getCountryCallingCode } from '../bundled/libphonenumber';
import { InputError, NOTHING_SENT, quote } from '../inputError';
import {
	enteredAt,
	EXPERT_OPTIONS,
	OPTIONS,
	optionsCollection,
	RAW,
	readNumber,
	type ValuesOf,
} from '../parameters';
import type { Call } from '../transport/client';
import { isBlank, isExpression } from '../values';
import type { OperationName } from './operation';

/** Shows a field for these operations only. */
export function displayFor(...operations: OperationName[]): IDisplayOptions {
	return { show: { resource: ['message'], operation: operations } };
}

/** Shows a field there only if another field has the value. */
export function where(
	{ show }: IDisplayOptions,
	field: string,
	value: string | boolean,
): IDisplayOptions {
	return { show: { ...show, [field]: [value] } };
}

/** Short descriptions of the options that n8n's AI workflow builder is told about. The editor shows all options. */
const OPTIONS_IN_BRIEF: Partial<Record<string, string>> = {
	defaultCountry: 'Such as IN, for numbers without country code',
	dryRun: 'Set it first: skips all items, and shows texts and price. Off unless set.',
	sendOnceKey: 'In this workflow, a number gets one message per key; later items have sentBefore',
	spendingLimit: 'The most that a run may cost, in INR',
	testRecipient: 'Your own number: manual runs send there instead, at most 3 messages',
	waitFor: 'Before the workflow continues. Nothing unless set.',
	waitTimeout: 'Seconds, 60 unless set',
};

/**
 * Adds short descriptions for n8n's AI for building workflows. It reads the first of several fields with one name. So
 * the short one is put first; users never see it, because it is for a version of the node that does not exist.
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
		// The description of a fixed collection has an example, which is shorter than its fields.
		...(field.type === 'fixedCollection' ? { options: undefined, default: undefined } : {}),
		displayOptions: { show: { '@version': [-1], resource, operation } },
	};
}

function briefOption(option: INodeProperties): INodeProperties {
	const description = OPTIONS_IN_BRIEF[option.name];
	// n8n takes what is missing from the next field with this name, but leaves notices out.
	if (description === undefined) return { ...option, type: 'notice' };
	// The default is the value that an option has when a user adds it, not when it is missing.
	const brief: INodeProperties = { ...option, description, default: undefined };
	// A list of all countries would be as long as everything else.
	return option === defaultCountryField ? { ...brief, type: 'string', options: undefined } : brief;
}

/** Shown only if the node is a tool. Without this field n8n adds two of its own. */
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
		displayOptions: where(displayFor(value), '@tool', true),
	};
	return [briefField({ ...field, default: undefined }, 'What an agent is told'), field];
}

export function optionsFields(
	options: INodeProperties[],
	expertOptions: INodeProperties[],
	displayOptions: IDisplayOptions,
): INodeProperties[] {
	return [
		...withBrief(optionsCollection(OPTIONS, options, displayOptions), options),
		...withBrief(optionsCollection(EXPERT_OPTIONS, expertOptions, displayOptions), expertOptions),
	];
}

function withBrief(fields: INodeProperties[], options: INodeProperties[]): INodeProperties[] {
	const [, field] = fields;
	return [
		briefField({ ...field, default: undefined, options: options.map(briefOption) }),
		...fields,
	];
}

const countryNames = new Intl.DisplayNames(['en'], { type: 'region' });

const countries: INodePropertyOptions[] = getCountries()
	.map((code) => ({
		name: `${countryNames.of(code) ?? code} (+${getCountryCallingCode(code)})`,
		value: code,
	}))
	.sort((a, b) => a.name.localeCompare(b.name, 'en'));

export const defaultCountryField = {
	displayName: 'Default Country',
	name: 'defaultCountry',
	type: 'options',
	options: [{ name: 'None', value: '' }, ...countries],
	default: '',
	description: 'The country of numbers without plus sign and country code',
} as const satisfies INodeProperties;

/** @returns null if it is an expression that gives nothing: a number could then be taken for one of another country */
export function readDefaultCountry(
	value: unknown,
	context: IExecuteFunctions,
	itemIndex: number,
): string | null {
	if (!isBlank(value)) return String(value);
	const entered = enteredAt(context, itemIndex, `options.${defaultCountryField.name}`);
	return isExpression(entered) ? null : '';
}

export const includeInputField = {
	displayName: 'Include Input Fields',
	name: 'includeInputFields',
	type: 'boolean',
	default: true,
	description:
		'Whether to add the fields of the input item, such as a row number, to its output item, under "input". The value of the first item applies to all items.',
} as const satisfies INodeProperties;

export const rawResponseField = {
	displayName: 'Raw Response',
	name: 'rawResponse',
	type: 'boolean',
	default: false,
	description:
		'Whether to output the whole response of the API, with its HTTP status and rate limit, instead of the message fields',
} as const satisfies INodeProperties;

export const timeoutField = {
	displayName: 'Timeout (Seconds)',
	name: 'timeout',
	type: 'number',
	typeOptions: { minValue: 1, maxValue: 300 },
	default: 30,
	description: 'How long to wait for a response of the API',
} as const satisfies INodeProperties;

export const concurrencyField = {
	displayName: 'Requests in Parallel',
	name: 'concurrency',
	type: 'number',
	typeOptions: { minValue: 1, maxValue: 100 },
	default: 10,
	description:
		'How many requests may be in flight at the same time. The value of the first item applies to all items.',
} as const satisfies INodeProperties;

export const requestsPerMinuteField = {
	displayName: 'Requests per Minute',
	name: 'requestsPerMinute',
	type: 'number',
	typeOptions: { minValue: 0, maxValue: 6000 },
	default: 60,
	description:
		'The rate limit of your account. All workflows that use the same key take turns. 0 sends without waiting.',
} as const satisfies INodeProperties;

export const spendingLimitField = {
	displayName: 'Spending Limit (INR)',
	name: 'spendingLimit',
	type: 'number',
	typeOptions: { minValue: 0, numberPrecision: 4 },
	default: 100,
	description:
		'The most that one run of this node may cost, in INR, by the price list or the highest cost that the API has told in the run, including its retries; in a loop, each round. If the estimate of what may go out now is higher, nothing is sent. During the run, a message that would exceed the limit is not sent. Items in a dry run do not count. The value of the first item applies to all items.',
} as const satisfies INodeProperties;

export const testRecipientField = {
	displayName: 'Test Recipient',
	name: 'testRecipient',
	type: 'string',
	default: '',
	placeholder: 'e.g. +14155552671',
	description:
		'Your own number. In manual runs messages go there instead, also from sub-workflows. Send Template sends the first 3 of each execution, or as many as you enter in Test Messages. To is still checked. Production runs ignore it. If n8n gives no sign how a run was started, nothing is sent. The value of the first item applies to all items.',
} as const satisfies INodeProperties;

export const testMessagesField = {
	displayName: 'Test Messages',
	name: 'testMessages',
	type: 'number',
	typeOptions: { minValue: 1, maxValue: 100 },
	default: 3,
	description:
		'How many messages the Test Recipient gets from a manual run, in all rounds of a loop together; a sub-workflow counts anew each time it is called. The other items are checked, and leave as skipped. The value of the first item applies to all items.',
} as const satisfies INodeProperties;

/**
 * From versions of this package that do not know them, n8n drops new options, but not new values of a field. So a later
 * option that keeps messages from being sent is a value of this one, which is hidden until it has any.
 */
export const holdBackField = {
	displayName: 'Hold Back',
	name: 'holdBack',
	type: 'hidden',
	default: undefined,
	noDataExpression: true,
	displayOptions: displayFor('sendTemplate', 'sendAndWait'),
} as const satisfies INodeProperties;

/** @throws InputError when a newer version of this package is to hold messages back */
export function checkHoldBack(context: IExecuteFunctions): void {
	const { name, displayName } = holdBackField;
	const given = [context.getNodeParameter(name, 0, [], RAW)].flat();
	if (given.every(isBlank)) return;
	throw new InputError(
		`${displayName} has ${quote(given)}, which this version of the package does not know`,
		`${NOTHING_SENT} The node was saved with a newer version: update the package under Settings → Community nodes.`,
	);
}

/** No expression can give this value. */
const NOT_ADDED: unknown = Symbol('not added');

/** Whether the user added one of the Options, whatever its value is. */
export function hasOption(context: IExecuteFunctions, { name }: INodeProperties): boolean {
	return context.getNodeParameter(`options.${name}`, 0, NOT_ADDED, RAW) !== NOT_ADDED;
}

/** How the requests of one item are made. */
export type CallLimits = Pick<Call<unknown>, 'timeoutMs' | 'requestsPerMinute'>;

/** @throws InputError */
export function readCallLimits(
	options: ValuesOf<typeof timeoutField | typeof requestsPerMinuteField>,
): CallLimits {
	return {
		timeoutMs: readNumber(options.timeout, timeoutField, timeoutField.default) * 1000,
		requestsPerMinute: readRequestsPerMinute(options.requestsPerMinute),
	};
}

/** Whole; 0 is no limit, so 0.5 must not be rounded to it. */
function readRequestsPerMinute(value: unknown): number {
	const limit = readNumber(value, requestsPerMinuteField, requestsPerMinuteField.default);
	if (limit === 0 || limit >= 1) return Math.floor(limit);
	throw new InputError(
		`${requestsPerMinuteField.displayName} is ${quote(value)}`,
		`Enter a number from 1 to ${requestsPerMinuteField.typeOptions.maxValue}, or 0 to send without waiting.`,
	);
}
