import { InputError, quote } from '../errors/inputError';
import { isBlank, isText } from '../isBlank';
import { isRecord } from '../isRecord';
import { nameOf } from './placeholders';
import type { Placeholder } from './placeholders';
import type { Entered } from './text';
import { readValue } from './values';

/** A field in the editor for each position up to this one. */
export const MAX_FIELDS = 20;

/** Values by position, as 4.1 wants them: `{ "1": "Asha", "2": "A-17" }`. */
export type TemplateVariables = Record<string, string>;

/** How the value at a position, or in a row (from 0), was entered. */
type EnteredAt = (place: number) => Entered;
const NOT_KNOWN: EnteredAt = () => () => undefined;

/**
 * Variables from a field for each placeholder.
 * @param valueAt what stands in the field of a position
 * @throws InputError naming the placeholder when a value is missing or unusable
 */
export function variablesFromFields(
	placeholders: readonly Placeholder[],
	valueAt: (position: number) => unknown,
	enteredAt = NOT_KNOWN,
): TemplateVariables {
	const tooMany = placeholders[MAX_FIELDS];
	if (tooMany) {
		throw new InputError(
			`The template text has {{${tooMany.position}}}, but there are only fields for {{1}} to {{${MAX_FIELDS}}}`,
			'Set Variables to JSON or List, and give all values there.',
		);
	}
	const variables: TemplateVariables = {};
	for (const { position } of placeholders) {
		variables[position] = readValue(
			valueAt(position),
			nameOf(position, placeholders),
			enteredAt(position),
		);
	}
	return variables;
}

/**
 * Variables from rows; the order of the rows gives the positions.
 * @param placeholders of the template text, if it is known
 * @throws InputError
 */
export function variablesFromList(
	rows: unknown,
	placeholders: readonly Placeholder[] = [],
	enteredAt = NOT_KNOWN,
): TemplateVariables {
	if (!Array.isArray(rows) || rows.length === 0) {
		throw new InputError(
			'The list of variables is empty',
			'Add a row for each placeholder, or set Variables to None when the template has none.',
		);
	}
	const variables: TemplateVariables = {};
	rows.forEach((row: unknown, index) => {
		const { value, label } = isRecord(row) ? row : { value: row, label: undefined };
		const name = isText(label)
			? `{{${index + 1}}} (${quote(label)})`
			: nameOf(index + 1, placeholders);
		variables[index + 1] = readValue(value, name, enteredAt(index));
	});
	return variables;
}

/**
 * Variables from JSON: `{"1": "Asha"}` or `["Asha"]`, as text or as the value of an expression.
 * @param placeholders of the template text, if it is known
 * @throws InputError
 */
export function variablesFromJson(
	json: unknown,
	placeholders: readonly Placeholder[] = [],
	entered?: Entered,
): TemplateVariables {
	const value = typeof json === 'string' ? parseJson(json) : json;
	if (Array.isArray(value)) {
		return Object.fromEntries(
			value.map((entry: unknown, index) => [
				index + 1,
				readValue(entry, nameOf(index + 1, placeholders), entered),
			]),
		);
	}
	if (!isRecord(value)) {
		throw new InputError(
			'Variables (JSON) is neither an object nor a list',
			'Use {"1": "Asha", "2": "A-17"} or ["Asha", "A-17"].',
		);
	}
	const keys = Object.keys(value);
	const wrongKey = keys.find((key) => !/^[1-9]\d{0,2}$/.test(key));
	if (wrongKey !== undefined) {
		throw new InputError(
			`Variables (JSON) has the key ${quote(wrongKey)}, but placeholders are numbered from "1"`,
			'Use the numbers of the placeholders as keys, for example {"1": "Asha", "2": "A-17"}.',
		);
	}
	const variables: TemplateVariables = {};
	for (let position = 1; position <= keys.length; position++) {
		if (!(position in value)) {
			throw new InputError(
				`Variables (JSON) has {{${keys.find((key) => Number(key) > position)}}} but no {{${position}}}`,
				'Give every placeholder from {{1}} on a value.',
			);
		}
		variables[position] = readValue(value[position], nameOf(position, placeholders), entered);
	}
	return variables;
}

/**
 * @param given what the values come from and how many there are, at the beginning of a sentence
 * @throws InputError when the template text has other placeholders: one of both is wrong
 */
export function checkCount(
	placeholders: readonly Placeholder[],
	variables: TemplateVariables,
	given: string,
): void {
	const count = placeholders.length;
	if (count === Object.keys(variables).length) return;
	const has = ['no placeholders', '{{1}}'][count] ?? `{{1}} to {{${count}}}`;
	throw new InputError(
		`${given}, but the template text has ${has}`,
		'Correct one of them, or clear Template Text.',
	);
}

function parseJson(text: string): unknown {
	if (isBlank(text)) {
		throw new InputError(
			'Variables (JSON) is empty',
			'Enter {"1": "Asha"} or ["Asha"], or set Variables to None.',
		);
	}
	try {
		return JSON.parse(text);
	} catch (error) {
		return invalidJson((error as SyntaxError).message);
	}
}

function invalidJson(reason: string): never {
	throw new InputError(
		`Variables (JSON) is not valid JSON: ${quote(reason.replace(/"/g, "'"))}`,
		'Check quotes, commas and brackets. A value from another node goes in as {{ JSON.stringify($json.name) }}.',
	);
}
