import type { INodeProperties, INodePropertyCollection } from 'n8n-workflow';
import { InputError, quote } from '../../inputError';
import { enteredAt } from '../../parameters';
import { checkComputed, checkText } from '../../template/textChecks';
import { isBlank, isExpression, textOf } from '../../values';
import type { Reading } from '../sendTemplate/sending';

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

interface OptionWithGroup extends INodeProperties {
	options: INodePropertyCollection[];
}

/** Who counts together: the nodes with a name, or one node alone. @throws InputError */
export function readCounter(
	value: unknown,
	{ name: option, displayName, options: [group] }: OptionWithGroup,
	reading: Reading,
): string {
	const called = `${sharedNameField.displayName} in ${displayName}`;
	const path = `options.${option}.${group.name}.${sharedNameField.name}`;
	const remedy = 'Enter a text, or nothing to count the messages of this node only.';
	const name = readName(value, path, called, reading, remedy);
	return name ? `name:${name}` : `node:${reading.context.getNode().id}`;
}

/** A text that tells one thing from another; '' if none was entered. @throws InputError */
export function readName(
	value: unknown,
	path: string,
	called: string,
	{ context, itemIndex }: Reading,
	remedy: string,
): string {
	const name = textOf(value);
	const entered = enteredAt(context, itemIndex, path);
	if (!name && (!isBlank(value) || isExpression(entered))) {
		const what = isBlank(value) ? 'empty, because its expression gives nothing' : quote(value);
		throw new InputError(`${called} is ${what}`, remedy);
	}
	checkText(name, called);
	checkComputed(name, called, entered);
	return name;
}
