import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import { InputError } from '../../errors/inputError';

/**
 * The field, as the editor calls it, whose expression n8n could not compute: all that n8n may say of
 * it is "invalid syntax". So the fields are computed again, one by one; those in a collection too.
 * @returns undefined for errors of another kind
 */
export function nameField(
	context: IExecuteFunctions,
	itemIndex: number,
	fields: INodeProperties[],
	error: unknown,
): string | undefined {
	if (error instanceof InputError) return undefined;
	const { message } = error as Error;
	const fails = (name: string) => {
		try {
			context.getNodeParameter(name, itemIndex, '');
			return false;
		} catch (thrown) {
			return (thrown as Error).message === message;
		}
	};
	const field = fields.find(({ name }) => fails(name));
	if (field?.type !== 'collection') return field?.displayName;
	const options = field.options as INodeProperties[];
	const option = options.find(({ name }) => fails(`${field.name}.${name}`));
	return option ? `${field.displayName} → ${option.displayName}` : field.displayName;
}
