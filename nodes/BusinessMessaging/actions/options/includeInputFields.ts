import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';
import { readSwitch } from '../../parameters';

export const includeInputField = {
	displayName: 'Include Input Fields',
	name: 'includeInputFields',
	type: 'boolean',
	default: true,
	description:
		'Whether to add the fields of the input item, such as a row number, to its output item, under "input". The value of the first item applies to all items.',
} as const satisfies INodeProperties;

/** Whether each output item has the fields of its input item. @throws InputError */
export function readIncludesInput(context: IExecuteFunctions): boolean {
	const { name } = includeInputField;
	const value = context.getNodeParameter(`options.${name}`, 0, false);
	return readSwitch({ [name]: value }, includeInputField);
}

/** Also in a run that could not start. */
export function includesInput(context: IExecuteFunctions): boolean {
	try {
		return readIncludesInput(context);
	} catch {
		// This is why the run could not start.
		return false;
	}
}
