import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import { InputError } from '../../errors/inputError';
import { isRecord } from '../../isRecord';

/**
 * The field, as the editor calls it, whose expression n8n could not compute: all that n8n may say of
 * it is "invalid syntax". So the fields with expressions are computed again, one by one; those in a
 * collection too.
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
	const fails = (path: string) => {
		try {
			context.getNodeParameter(path, itemIndex, '', { skipValidation: true });
			return false;
		} catch (thrown) {
			// n8n's own words, which are all that tells one of its errors from another.
			return (thrown as Error).message === message;
		}
	};
	const find = (among: INodeProperties[], values: object, path = '') =>
		among.find(({ name }) => {
			const value = (values as Record<string, unknown>)[name];
			return hasExpression(value) && fails(path + name);
		});
	const { parameters } = context.getNode();
	const field = find(fields, parameters);
	if (field?.type !== 'collection') return field?.displayName;
	const { name, displayName } = field;
	const option = find(field.options as INodeProperties[], Object(parameters[name]), `${name}.`);
	return option ? `${displayName} → ${option.displayName}` : displayName;
}

function hasExpression(value: unknown): boolean {
	if (typeof value === 'string') return value.startsWith('=');
	return (Array.isArray(value) || isRecord(value)) && Object.values(value).some(hasExpression);
}
