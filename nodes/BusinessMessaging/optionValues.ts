import type { IDataObject } from 'n8n-workflow';

import { InputError, quote } from './errors/inputError';
import { isBlank } from './isBlank';

/**
 * An option that is on or off.
 * @param unset what counts when it was not added
 * @throws InputError when an expression gives something else, which must not pass for "off"
 */
export function readSwitch(
	options: IDataObject,
	name: string,
	field: string,
	unset = false,
): boolean {
	if (!(name in options)) return unset;
	const value = options[name];
	const answer = typeof value === 'string' ? value.trim().toLowerCase() : value;
	if (answer === true || answer === 'true') return true;
	if (answer === false || answer === 'false') return false;
	throw new InputError(
		`${field} is ${quote(value)}`,
		'Open Options and switch it on or off, or let the expression give true or false.',
	);
}

/**
 * @param fallback for what is blank; without one, that is wrong as well
 * @throws InputError
 */
export function readNumber(
	value: unknown,
	field: string,
	fallback: number | undefined,
	min: number,
	max = Infinity,
): number {
	if (isBlank(value) && fallback !== undefined) return fallback;
	const isReadable = typeof value === 'number' || (typeof value === 'string' && !isBlank(value));
	const number = isReadable ? Number(value) : NaN;
	if (number >= min && number <= max && number !== Infinity) return number;
	const range = max === Infinity ? `from ${min} up` : `from ${min} to ${max}`;
	throw new InputError(`${field} is ${quote(value)}`, `Open Options and enter a number ${range}.`);
}

/** @throws InputError when an expression gives something else */
export function readChoice<Choice extends string>(
	value: unknown,
	field: string,
	choices: readonly Choice[],
): Choice {
	const choice = choices.find((known) => known === value);
	if (choice !== undefined) return choice;
	throw new InputError(`${field} is ${quote(value)}`, `Choose one of ${choices.join(', ')}.`);
}
