import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';
import { InputError, NOTHING_SENT, quote } from '../../inputError';
import { RAW } from '../../parameters';
import { isBlank } from '../../values';
import { displayFor } from '../fields';

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
