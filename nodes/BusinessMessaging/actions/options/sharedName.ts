import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';
import { InputError, quote } from '../../inputError';
import { enteredAt } from '../../parameters';
import { checkComputed, checkText } from '../../template/text';
import { isBlank, isExpression, textOf } from '../../values';

/** Of an option that counts. Without a name a node counts alone. */
export const sharedNameField = {
	displayName: 'Shared Name',
	name: 'name',
	type: 'string',
	default: '',
	placeholder: 'e.g. marketing',
	description:
		'Nodes of this workflow with the same name count together, each with limits of its own. Without a name this node counts alone.',
} as const satisfies INodeProperties;

/**
 * Who counts together: the nodes with a name, or one node alone.
 * @param path of the name
 * @param option whose name it is
 * @throws InputError
 */
export function readCounter(
	value: unknown,
	{ context, itemIndex }: { context: IExecuteFunctions; itemIndex: number },
	path: string,
	option: string,
): string {
	const called = `${sharedNameField.displayName} in ${option}`;
	const name = textOf(value);
	const entered = enteredAt(context, itemIndex, path);
	if (!name && !isBlank(value)) {
		throw new InputError(
			`${called} is ${quote(value)}`,
			'Enter a text, or nothing to count the messages of this node only.',
		);
	}
	checkText(name, called);
	checkComputed(name, called, entered);
	if (!name && isExpression(entered)) {
		throw new InputError(
			`The expression in ${called} gives nothing`,
			'Correct the expression, or remove the name to count the messages of this node only.',
		);
	}
	return name ? `name:${name}` : `node:${context.getNode().id}`;
}
