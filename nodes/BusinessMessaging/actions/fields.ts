import type { IDisplayOptions, IExecuteFunctions, INodeProperties } from 'n8n-workflow';
import { EXPERT_OPTIONS, OPTIONS, RAW } from '../parameters';
import type { OperationName } from './operation';

/** Shows a field for these operations only. What differs comes first, because n8n stops at the first that fails. */
export function displayFor(...operations: OperationName[]): IDisplayOptions {
	return { show: { operation: operations, resource: ['message'] } };
}

/** Shows a field there only if another field has the value. */
export function where(
	{ show }: IDisplayOptions,
	field: string,
	value: string | boolean,
): IDisplayOptions {
	return { show: { ...show, [field]: [value] } };
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
	return [
		{
			displayName: 'Tool Description',
			name: 'toolDescription',
			type: 'string',
			typeOptions: { rows: 3 },
			required: true,
			default: toolDescription,
			description: 'What the AI agent is told about this tool',
			displayOptions: where(displayFor(value), '@tool', true),
		},
	];
}

export function optionsFields(
	options: INodeProperties[],
	expertOptions: INodeProperties[],
	displayOptions: IDisplayOptions,
): INodeProperties[] {
	return [
		{ ...OPTIONS, options, displayOptions },
		{ ...EXPERT_OPTIONS, options: expertOptions, displayOptions },
	];
}

/** No expression can give this value. */
const NOT_ADDED: unknown = Symbol('not added');

/** Whether the user added one of the Options, whatever its value is. */
export function hasOption(context: IExecuteFunctions, { name }: INodeProperties): boolean {
	return context.getNodeParameter(`options.${name}`, 0, NOT_ADDED, RAW) !== NOT_ADDED;
}
