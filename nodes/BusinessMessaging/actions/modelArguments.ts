import {
	type IExecuteFunctions,
	type INode,
	type INodeParameters,
	type INodeProperties,
	nodeNameToToolName,
} from 'n8n-workflow';
import { InputError, joinSentences, NOTHING_SENT, quote } from '../inputError';
import { askedOfModel, callsOf, isHumanReview, isOfAgent, runsInAgent } from '../n8n';
import { fieldsRead } from '../template/reads';
import { isExpression } from '../values';
import type { Operation } from './operation';

/**
 * n8n puts all arguments of a call into the item of an agent's tool, over the item's own fields, and checks no schema.
 * So a model could replace what the builder of the workflow reads with `$json`.
 * @throws InputError when an argument is not asked for, or reaches another field than the one that asks for it
 */
export function checkModelArguments(
	context: IExecuteFunctions,
	{ fields, sends }: Pick<Operation, 'fields' | 'sends'>,
): void {
	if (!isOfAgent(context)) return;
	const { parameters } = context.getNode();
	const asked = askedOfModel(parameters);
	const given = givenByModel(context);
	const nothing = sends ? NOTHING_SENT : 'Nothing was looked up.';
	if (runsInAgent(context)) {
		refuseReaders(parameters, fields, given, nothing);
	} else {
		refuseUnasked(given, asked, nothing);
		refuseReaders(parameters, fields, asked, nothing);
	}
}

/** The names of the values that a model's call has put into the item. */
function givenByModel(context: IExecuteFunctions): string[] {
	const calls = callsOf(context).map(({ input }) => input);
	// n8n's own Agents keep no record of a call: their item is what the model says.
	const isItem = calls.length === 0 && !runsInAgent(context);
	return (isItem ? [context.getInputData()[0].json] : calls)
		.flatMap((values) => Object.entries(Object(values) as object))
		.filter((each) => !isAddedByN8n(each, context.getNode()))
		.map(([name]) => name);
}

/** To the arguments of a review, and after a review to those of its tool. */
function isAddedByN8n([name, value]: [string, unknown], node: INode): boolean {
	if (isHumanReview(node)) return name === 'tool' || name === 'toolParameters';
	return name === 'tool' && value === nodeNameToToolName(node);
}

/**
 * @param nothing says that nothing was done, where nothing else does
 * @throws InputError, for the model
 */
export function refuseUnasked(names: string[], asked: string[], nothing?: string): void {
	const unasked = names.filter((name) => !asked.includes(name));
	if (unasked.length === 0) return;
	const list = unasked.map(nameAsTold).join(', ');
	const how = asked.length > 0 ? `with these values only: ${asked.join(', ')}` : `without ${list}`;
	throw new InputError(
		`The tool does not ask for ${list}`,
		joinSentences(`Call it again ${how}`, nothing),
		'wrongArguments',
	);
}

/** A model can make up names that are long or have spaces. */
function nameAsTold(name: string): string {
	return /^[\w-]{1,64}$/.test(name) ? name : quote(name);
}

/**
 * @param ofModel the names of the item's fields that a model sets
 * @throws InputError, for the builder of the workflow
 */
function refuseReaders(
	{ options, expertOptions, ...others }: INodeParameters,
	fields: INodeProperties[],
	ofModel: string[],
	nothing: string,
): void {
	const withOptions = fields.filter(({ type }) => type === 'collection');
	const described = [
		...fields,
		...(withOptions.flatMap(({ options }) => options) as typeof fields),
	];
	const entered = Object.assign(others, options, expertOptions) as INodeParameters;
	for (const [name, value] of Object.entries(entered)) {
		// n8n computes it before the model says anything.
		if (name === 'toolDescription') continue;
		const { displayName } = described.find((field) => field.name === name) ?? { displayName: name };
		for (const text of textsIn(value).filter(isExpression)) {
			const askedHere = askedOfModel(text);
			const set = ofModel.filter((each) => !askedHere.includes(each));
			for (const { read, path, field } of fieldsRead(text)) {
				const replaced = set.find((each) => field === undefined || each === field);
				if (replaced === undefined) continue;
				throw new InputError(
					`${displayName} reads ${quote(read)}, but n8n puts there what the agent's model gives as ${nameAsTold(replaced)}`,
					`Ask the model by another name in $fromAI, or read from a node before the agent, such as {{ $('Trigger').first().json${path} }}. ${nothing}`,
				);
			}
		}
	}
}

/** With those of lists and groups. */
function textsIn(value: unknown): string[] {
	if (typeof value === 'string') return [value];
	return Object.values(Object(value) as object).flatMap(textsIn);
}
