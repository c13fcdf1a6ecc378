import type { IExecuteFunctions } from 'n8n-workflow';

import type { Entered } from '../template/text';

const RAW = { rawExpressions: true };

/**
 * How a parameter was entered, with its expressions. Where that is a part of one that is an expression as
 * a whole, such as a row of a list, the whole counts.
 * @param path with dots, also before the number of a row
 */
export function enteredAt(context: IExecuteFunctions, itemIndex: number, path: string): Entered {
	const names = path.split('.');
	const wholes = names.map((_, index) => names.slice(0, names.length - index).join('.'));
	return () =>
		wholes
			.map((whole): unknown => context.getNodeParameter(whole, itemIndex, '', RAW))
			.find((entered) => typeof entered === 'string' && entered !== '');
}
