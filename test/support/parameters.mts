import type { IExecuteFunctions } from 'n8n-workflow';
import { inTheirFields } from './inTheirFields.mts';

/**
 * What a node has from n8n: these parameters, by the path that it asks for, and what else is given.
 * @param entered how the parameters were entered, if that is another text
 */
export function withParameters(
	parameters: Record<string, unknown>,
	more: object = {},
	entered: Record<string, unknown> = {},
) {
	const values = inTheirFields(parameters);
	return {
		getNodeParameter: (
			path: string,
			_itemIndex: number,
			fallback?: unknown,
			{ rawExpressions = false } = {},
		) => {
			const given = rawExpressions ? { ...values, ...entered } : values;
			return path in given ? given[path] : fallback;
		},
		getMode: () => 'trigger',
		...more,
	} as unknown as IExecuteFunctions;
}
