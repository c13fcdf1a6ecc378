import type { IExecuteFunctions, INodeParameters } from 'n8n-workflow';

import { InputError } from '../../errors/inputError';
import { isText } from '../../isBlank';
import { isTool } from '../../isTool';
import { nameOf, readPlaceholders } from '../../template/placeholders';
import type { Placeholder } from '../../template/placeholders';
import { variablesInputField } from './variableFields';

/** What stood in a node when it was run by hand. */
interface Filled {
	placeholders: readonly Placeholder[];
	/** As they were entered, expressions too. */
	values: unknown[];
	/** The execution that was stopped by it. n8n's Retry On Fail runs the node again in the same one. */
	stopped?: { executionId: string; moved: string[] };
}

/** Runs by hand of this process, by node. */
const latest = new Map<string, Filled>();
const MAX_NODES = 1000;

/**
 * Stops a run by hand, once, when the template text was exchanged since the last one and no value with it: pasted
 * over, another text keeps the values of the old one, and a customer would read them in the wrong places.
 * @throws InputError
 */
export function checkOldValues(context: IExecuteFunctions): void {
	const node = context.getNode();
	if (context.getMode() !== 'manual' || isTool(node)) return;
	const filled = filledIn(node.parameters);
	if (!filled) return;
	const key = `${context.getWorkflow().id}/${node.id}`;
	const executionId = context.getExecutionId();
	const moved = movedSince(latest.get(key), filled, context);
	remember(key, moved.length > 0 ? { ...filled, stopped: { executionId, moved } } : filled);
	if (moved.length === 0) return;
	throw new InputError(
		'Template Text was changed since the last run by hand, but none of its values were',
		`Nothing was sent. Check the values of ${moved.join(', ')}. If they are right, run the node again.`,
	);
}

/** @returns undefined where the values do not come from the text, or nothing can be read of it */
function filledIn(parameters: INodeParameters): Filled | undefined {
	const { variablesInput = variablesInputField.default, templateText } = parameters;
	if (variablesInput !== variablesInputField.default || !isText(templateText)) return undefined;
	try {
		const placeholders = readPlaceholders(templateText);
		return {
			placeholders,
			values: placeholders.map(({ position }) => parameters[`variable${position}`]),
		};
	} catch {
		// Reading the items says what is wrong with it.
		return undefined;
	}
}

function reachesCustomers({ options }: INodeParameters): boolean {
	const { dryRun, testRecipient } = Object(options) as INodeParameters;
	return dryRun !== true && testRecipient === undefined;
}

/** @returns the placeholders whose values have to be checked */
function movedSince(
	before: Filled | undefined,
	filled: Filled,
	context: IExecuteFunctions,
): string[] {
	if (!before || !reachesCustomers(context.getNode().parameters)) return [];
	if (before.stopped?.executionId === context.getExecutionId()) return before.stopped.moved;
	return movedValues(before, filled);
}

/** The placeholders that have other words around them; none when a value was changed or added. */
function movedValues(before: Filled, { placeholders, values }: Filled): string[] {
	if (values.some((value, index) => value !== before.values[index])) return [];
	return placeholders
		.filter(({ label }, index) => label !== before.placeholders[index]?.label)
		.map(({ position }) => nameOf(position, placeholders));
}

function remember(key: string, filled: Filled): void {
	// A node that was run is the last to be forgotten.
	latest.delete(key);
	latest.set(key, filled);
	const [oldest] = latest.keys();
	if (latest.size > MAX_NODES) latest.delete(oldest);
}
