import type { IExecuteFunctions } from 'n8n-workflow';

/** What a node has from n8n: these parameters, by the path that it asks for, and what else is given. */
export function withParameters(values: Record<string, unknown>, more: object = {}) {
	return {
		getNodeParameter: (path: string, _itemIndex: number, fallback?: unknown) =>
			path in values ? values[path] : fallback,
		...more,
	} as unknown as IExecuteFunctions;
}
