import type { IExecuteFunctions } from 'n8n-workflow';

import type { Entered } from '../template/text';

const RAW = { rawExpressions: true };

/** How a parameter was entered, for the check of what its expressions gave. */
export function enteredAt(context: IExecuteFunctions, itemIndex: number, path: string): Entered {
	return () => context.getNodeParameter(path, itemIndex, '', RAW);
}
