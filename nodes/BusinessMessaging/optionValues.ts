import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { InputError, quote } from './errors/inputError';
import { isBlank, isText } from './isBlank';
import { textOf } from './textOf';

type Field<Key extends keyof INodeProperties = 'displayName'> = Pick<INodeProperties, Key>;

/**
 * An option that is on or off.
 * @param unset what counts when it was not added
 * @throws InputError when an expression gives something else, which must not pass for "off"
 */
export function readSwitch(
	options: IDataObject,
	{ name, displayName }: Field<'name' | 'displayName'>,
	unset = false,
): boolean {
	if (!(name in options)) return unset;
	const value = options[name];
	const answer = typeof value === 'string' ? value.trim().toLowerCase() : value;
	if (answer === true || answer === 'true') return true;
	if (answer === false || answer === 'false') return false;
	throw new InputError(
		`${displayName} is ${quote(value)}`,
		'Open Options and switch it on or off, or let the expression give true or false.',
	);
}

/**
 * A number within the field's own bounds.
 * @param fallback for what is blank; without one, that is wrong as well
 * @throws InputError
 */
export function readNumber(
	value: unknown,
	{ displayName, typeOptions }: Field<'displayName' | 'typeOptions'>,
	fallback?: number,
): number {
	const { minValue: min = 0, maxValue: max = Infinity } = typeOptions ?? {};
	if (isBlank(value) && fallback !== undefined) return fallback;
	const isReadable = typeof value === 'number' || isText(value);
	const number = isReadable ? Number(value) : NaN;
	if (number >= min && number <= max && number !== Infinity) return number;
	const range = max === Infinity ? `from ${min} up` : `from ${min} to ${max}`;
	// Without its unit.
	const [name] = displayName.split(' (');
	throw new InputError(`${name} is ${quote(value)}`, `Open Options and enter a number ${range}.`);
}

/** The choice that an expression gives: with capitals and spaces it is still the same. */
export function findChoice<Choice extends string>(
	value: unknown,
	choices: readonly Choice[],
): Choice | undefined {
	const given = textOf(value).toLowerCase();
	return choices.find((choice) => choice.toLowerCase() === given);
}

/** @throws InputError when an expression gives something else */
export function readChoice<Choice extends string>(
	value: unknown,
	{ displayName }: Field,
	choices: readonly Choice[],
): Choice {
	const choice = findChoice(value, choices);
	if (choice !== undefined) return choice;
	throw new InputError(`${displayName} is ${quote(value)}`, `Choose one of ${choices.join(', ')}.`);
}
