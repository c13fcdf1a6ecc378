import type { IDisplayOptions, IExecuteFunctions, INodeProperties } from 'n8n-workflow';
import { EXPERT_OPTIONS, OPTIONS, optionsCollection, RAW } from '../parameters';
import type { OperationName } from './operation';
import { defaultCountryField } from './options/defaultCountry';

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
	budget: 'Over all runs: { budget: { amount: 100, period: "day" } }, in INR',
	defaultCountry: 'Such as IN, for numbers without country code',
	doNotSendTo: 'Numbers that get nothing: a column of opt-outs',
	dryRun: 'Skips all items, and shows texts and price. Off unless set.',
	frequencyCap: 'For each number: { cap: { messages: 1, period: 24, unit: "hours" } }',
	sendBetween: 'As { hours: { from: "09:00", until: "20:00", timeZone: "recipient" } }',
	sendOnlyTo: 'As { only: { who: "whoWrote" } }, or who: "list" with numbers',
	sendOnceKey: 'One message per key and number; later items have sentBefore',
	spendingLimit: 'The most that a run may cost, in INR',
	testRecipient: 'Your own number: manual runs send 3 messages there',
	waitFor: 'Before the workflow continues',
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
	// A list of all countries would be as long as everything else, and an example is shorter than the fields of a group.
	if (option === defaultCountryField) return { ...brief, type: 'string', options: undefined };
	return option.type === 'fixedCollection' ? { ...brief, options: undefined } : brief;
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

/** No expression can give this value. */
const NOT_ADDED: unknown = Symbol('not added');

/** Whether the user added one of the Options, whatever its value is. */
export function hasOption(context: IExecuteFunctions, { name }: INodeProperties): boolean {
	return context.getNodeParameter(`options.${name}`, 0, NOT_ADDED, RAW) !== NOT_ADDED;
}
