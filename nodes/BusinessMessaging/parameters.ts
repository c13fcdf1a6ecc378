import type { IDataObject, IExecuteFunctions, INode, INodeProperties } from 'n8n-workflow';
import { InputError, quote } from './inputError';
import type { Source } from './template/textChecks';
import { isBlank, isText, textOf } from './values';

// Reads parameters that may hold an expression, and refuses results that the field itself does not offer.

type Field<Key extends keyof INodeProperties = 'displayName'> = Pick<INodeProperties, Key>;

/**
 * What n8n gives for fields, by their names: so a field that is renamed fails the compiler. It needs fields that are
 * described `as const`. A value may be anything that an expression gives; only groups are always objects, because
 * `checkOptions` and the editor allow no expression in place of one.
 */
export type ValuesOf<Each extends INodeProperties> = { [Name in Each['name']]?: unknown };

/**
 * n8n runs a node of a version that the package does not know as the newest one, and drops the parameters that are new
 * in it.
 * @throws InputError
 */
export function checkVersion({ typeVersion }: Pick<INode, 'typeVersion'>, newest: number): void {
	if (!(typeVersion > newest)) return;
	throw new InputError(
		`This node has version ${typeVersion}, but this package knows none above ${newest}`,
		`If it was saved with a newer version of the package, update the package under Settings → Community nodes. If it was written by hand or by an assistant, set its typeVersion to ${newest}.`,
	);
}

/**
 * @param unset the value of an option that was not added
 * @throws InputError when an expression gives neither true nor false: it must not count as "off"
 */
export function readSwitch<Name extends string>(
	options: { [name in Name]?: unknown },
	{ name, displayName }: Field & { name: Name },
	unset = false,
): boolean {
	if (!(name in options)) return unset;
	const value = options[name];
	const given = typeof value === 'string' ? value.trim().toLowerCase() : value;
	if (given === true || given === 'true') return true;
	if (given === false || given === 'false') return false;
	throw new InputError(
		`${displayName} is ${quote(value)}`,
		'Turn it on or off, or let the expression give true or false.',
	);
}

/**
 * @param fallback for a blank value; without a fallback that is an error as well
 * @throws InputError when the value is outside of the field's own bounds
 */
export function readNumber(
	value: unknown,
	{ displayName, typeOptions }: Field<'displayName' | 'typeOptions'>,
	fallback?: number,
): number {
	const { minValue: min = 0, maxValue: max = Number.MAX_VALUE } = typeOptions ?? {};
	if (isBlank(value) && fallback !== undefined) return fallback;
	const isReadable = typeof value === 'number' || isText(value);
	const number = isReadable ? Number(value) : NaN;
	if (number >= min && number <= max) return number;
	const range = max === Number.MAX_VALUE ? `from ${min} up` : `from ${min} to ${max}`;
	const withoutUnit = displayName.replace(/ \(.*?\)/, '');
	throw new InputError(`${withoutUnit} is ${quote(value)}`, `Enter a number ${range}.`);
}

/** Finds the choice that an expression gives, whatever its capitals and the spaces around it. */
export function findChoice<Choice extends string>(
	value: unknown,
	choices: readonly Choice[],
): Choice | undefined {
	const given = textOf(value).toLowerCase();
	return choices.find((choice) => choice.toLowerCase() === given);
}

/** @throws InputError when an expression gives none of the choices that the field offers */
export function readChoice<Choice extends string>(
	value: unknown,
	{ displayName, options }: Field & { options: ReadonlyArray<{ value: Choice }> },
): Choice {
	const choices = options.map((option) => option.value);
	const choice = findChoice(value, choices);
	if (choice !== undefined) return choice;
	throw new InputError(`${displayName} is ${quote(value)}`, `Choose one of ${choices.join(', ')}.`);
}

/** The values of an option that has fields of its own. @throws InputError when they were not added */
export function readGroup<Values extends INodeProperties>(
	value: unknown,
	{
		displayName,
		options: [{ name }],
	}: Field & { options: readonly [{ name: string; values: readonly Values[] }] },
): ValuesOf<Values> {
	const values = (Object(value) as Record<string, ValuesOf<Values> | undefined>)[name];
	if (values) return values;
	throw new InputError(
		`${displayName} is empty`,
		'Fill it in, or remove the option. An expression can give each of its values, but not all at once.',
	);
}

/** A field of an option's group, as errors call it. */
export function fieldIn<Each extends INodeProperties>({ displayName }: Field, field: Each): Each {
	return { ...field, displayName: `${field.displayName} in ${displayName}` };
}

/** For a parameter as it was entered, with its expressions. */
export const RAW = { rawExpressions: true };

/** The parameter as it was entered, by which `checkText` recognizes what its expressions left. */
export function enteredAt(context: IExecuteFunctions, itemIndex: number, path: string): unknown {
	return context.getNodeParameter(path, itemIndex, '', RAW);
}

/** The two fields that have options. */
export const OPTIONS = {
	displayName: 'Options',
	name: 'options',
	type: 'collection',
	placeholder: 'Add option',
	default: {},
} as const satisfies INodeProperties;
export const EXPERT_OPTIONS = {
	...OPTIONS,
	displayName: 'Expert Options',
	name: 'expertOptions',
	placeholder: 'Add expert option',
} as const;

/** The paths of the groups in a field that has options. n8n expects an object there. */
function groupsIn({ name, options }: INodeProperties): string[] {
	const withGroups = (options as INodeProperties[]).filter(
		({ type }) => type === 'fixedCollection',
	);
	return withGroups.flatMap((option) => {
		const groups = option.options as INodeProperties[];
		return groups.map((group) => `${name}.${option.name}.${group.name}`);
	});
}

/**
 * n8n drops an expression, a text or a list in place of all options, and an expression in place of a group's fields,
 * before a node can see it: a dry run would send. So two hidden fields stand around those that have options, with the
 * same name. n8n evaluates conditions on what was entered in the first. If that is such a thing, the second one is shown
 * and replaces what n8n made of it, so that `checkOptions` can refuse it.
 * @param fields with what their conditions name before them
 */
export function withLostOptions(fields: INodeProperties[]): INodeProperties[] {
	const collections = fields.filter(({ type }) => type === 'collection');
	const byName = new Map(collections.map((field) => [field.name, field]));
	const entered = [...byName.values()].map(({ displayName, name }): INodeProperties => ({
		displayName,
		name,
		type: 'hidden',
		default: {},
	}));
	const lost = entered.map((field) => {
		const groups = collections.filter(({ name }) => name === field.name).flatMap(groupsIn);
		// n8n shows a field as soon as one of its conditions is on an expression. Without one, all of them have to hold.
		const show = {
			...Object.fromEntries(groups.map((path) => [`/${path}`, [{ _cnd: { not: '' } }]])),
			// Only texts and lists have a length.
			[`/${field.name}.length`]: [{ _cnd: { gt: 0 } }],
		};
		return { ...field, displayOptions: { show } };
	});
	return [...entered, ...fields, ...lost];
}

/**
 * @param fields of the node, with those that have options
 * @param entered gives what was entered in a place, with its expressions
 * @throws InputError when n8n could not read it as options
 */
export function checkOptions(fields: INodeProperties[], entered: (path: string) => unknown): void {
	for (const field of fields.filter(({ type }) => type === 'collection')) {
		const isLost = [field.name, ...groupsIn(field)].map(entered).some(hasLength);
		if (!isLost) continue;
		throw new InputError(
			'n8n ignores one expression, text or list in place of all options, or of all fields of one option',
			`Add each option by itself under ${field.displayName}. Each of its values may be an expression.`,
		);
	}
}

/** Whether it is a text or a list, and not an empty one. */
function hasLength(value: unknown): boolean {
	return (typeof value === 'string' || Array.isArray(value)) && value.length > 0;
}

/** The options of one item by their names, whichever of the two fields has them. */
export function readOptions(context: IExecuteFunctions, itemIndex: number): IDataObject {
	const both = [OPTIONS, EXPERT_OPTIONS].map(({ name }) =>
		context.getNodeParameter(name, itemIndex, {}),
	);
	return Object.assign({}, ...both) as IDataObject;
}

/** The parameter as it was entered, and a way to compute each of its expressions. */
export function sourceAt(context: IExecuteFunctions, itemIndex: number, path: string): Source {
	return {
		entered: enteredAt(context, itemIndex, path),
		compute: (expression) => context.evaluateExpression(expression, itemIndex),
	};
}
