import { InputError, quote } from '../inputError';
import { isRecord } from '../isRecord';
import { BRACES, fieldId, readPlaceholders } from './placeholders';
import { isBlank, readValue } from './values';

/** Values by position, as 4.1 wants them: `{ "1": "Asha", "2": "A-17" }`. */
export type TemplateVariables = Record<string, string>;

/**
 * Variables from the fields made of a pasted text.
 * @param fields the resource mapper's values by field id
 * @throws InputError naming the placeholder when a value is missing, unusable or superfluous
 */
export function variablesFromText(templateText: string, fields: unknown): TemplateVariables {
	if (!templateText.trim()) {
		throw new InputError(
			'Template Text is empty',
			'Paste the text of the approved template, or set Variables to None when it has no placeholders.',
		);
	}
	const placeholders = readPlaceholders(templateText);
	const values = isRecord(fields) ? fields : {};
	const known = new Set(placeholders.map(({ position }) => fieldId(position)));
	for (const [id, value] of Object.entries(values)) {
		if (known.has(id) || isBlank(value)) continue;
		throw new InputError(
			`Template Variables has a value for ${shownField(id)}, but the template text has ${count(placeholders.length)}`,
			'Open the node, check Template Text, and remove the value or refresh the fields.',
		);
	}
	const variables: TemplateVariables = {};
	for (const { position, label } of placeholders) {
		const name = label === `{{${position}}}` ? label : `{{${position}}} (${quote(label)})`;
		variables[position] = readValue(values[fieldId(position)], name);
	}
	return variables;
}

/** Variables from rows; the order of the rows gives the positions. */
export function variablesFromList(rows: unknown): TemplateVariables {
	if (!Array.isArray(rows) || rows.length === 0) {
		throw new InputError(
			'The list of variables is empty',
			'Add a row for each placeholder, or set Variables to None when the template has none.',
		);
	}
	const variables: TemplateVariables = {};
	rows.forEach((row: unknown, index) => {
		const { value, label } = isRecord(row) ? row : { value: row, label: undefined };
		const name = `{{${index + 1}}}`;
		const labelled = typeof label === 'string' && label.trim() ? `${name} (${quote(label)})` : name;
		variables[index + 1] = readValue(value, labelled);
	});
	return variables;
}

/** Variables from JSON: `{"1": "Asha"}` or `["Asha"]`, as text or as the value of an expression. */
export function variablesFromJson(json: unknown): TemplateVariables {
	const value = typeof json === 'string' ? parseJson(json) : json;
	if (Array.isArray(value)) {
		return Object.fromEntries(
			value.map((entry: unknown, index) => [index + 1, readValue(entry, `{{${index + 1}}}`)]),
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
		variables[position] = readValue(value[position], `{{${position}}}`);
	}
	return variables;
}

/** The template text with its values filled in. */
export function renderTemplate(templateText: string, variables: TemplateVariables): string {
	return templateText.replace(BRACES, (braces, name: string) => variables[name.trim()] ?? braces);
}

function parseJson(text: string): unknown {
	if (!text.trim()) {
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

function shownField(id: string): string {
	const position = /^variable_(\d+)$/.exec(id)?.[1];
	return position ? `{{${position}}}` : quote(id);
}

function count(placeholders: number): string {
	if (placeholders === 0) return 'no placeholders';
	return placeholders === 1 ? 'only {{1}}' : `only {{1}} to {{${placeholders}}}`;
}
