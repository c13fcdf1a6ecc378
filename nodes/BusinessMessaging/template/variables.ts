import { containerName, InputError, quote, reasonOf } from '../inputError';
import { isBlank, isRecord } from '../values';
import { namePlaceholder, type Placeholder } from './placeholders';
import {
	checkDigits,
	checkExpressions,
	checkText,
	refuseProgramText,
	type Source,
} from './textChecks';

/** The editor has a field for each position up to this one. */
export const MAX_FIELDS = 20;

/** Values by position, as section 4.1 of the API document has them: `{ "1": "Asha", "2": "A-17" }`. */
export type TemplateVariables = Record<string, string>;

/**
 * Variables from a field for each placeholder.
 * @returns `incomplete`: the names of the placeholders of which some expressions gave nothing
 * @throws InputError naming the placeholder when a value is missing or unusable
 */
export function variablesFromFields(
	placeholders: readonly Placeholder[],
	fieldOf: (position: number) => Source & { value: unknown },
): { variables: TemplateVariables; incomplete: string[] } {
	const tooMany = placeholders[MAX_FIELDS];
	if (tooMany) {
		throw new InputError(
			`The template text has {{${tooMany.position}}}, but there are only fields for {{1}} to {{${MAX_FIELDS}}}`,
			'Set Variables to JSON, and give all values there.',
		);
	}
	const incomplete: string[] = [];
	const variables: TemplateVariables = {};
	for (const { position } of placeholders) {
		const name = namePlaceholder(position, placeholders);
		const field = fieldOf(position);
		const text = readValue(field.value, name, field.entered);
		if (checkExpressions(text, `The variable ${name}`, field)) incomplete.push(name);
		variables[position] = text;
	}
	return { variables, incomplete };
}

/**
 * Variables from JSON: `{"1": "Asha"}` or `["Asha"]`, as text or as the value of an expression.
 * @param placeholders of the template text, if it is known
 * @throws InputError
 */
export function variablesFromJson(
	json: unknown,
	placeholders?: readonly Placeholder[],
	source?: Pick<Source, 'entered'>,
): TemplateVariables {
	const value = typeof json === 'string' ? parseJson(json) : json;
	if (isRecord(value)) {
		checkKeys(Object.keys(value));
	} else if (!Array.isArray(value)) {
		throw new InputError(
			'Variables (JSON) is neither an object nor a list',
			'Use {"1": "Asha", "2": "A-17"} or ["Asha", "A-17"].',
		);
	}
	const entries = isRecord(value) ? Object.values(value) : Array.from<unknown>(value);
	const variables = Object.fromEntries(
		entries.map((entry, index) => [
			index + 1,
			readValue(entry, namePlaceholder(index + 1, placeholders), source?.entered),
		]),
	);
	// Only now, when all keys belong to placeholders and no value has keys of its own.
	if (typeof json === 'string') refuseRepeatedKey(json);
	return variables;
}

export function changedValues(
	variables: TemplateVariables = {},
	change: (value: string) => string,
): TemplateVariables {
	const entries = Object.entries(variables);
	return Object.fromEntries(entries.map(([position, value]) => [position, change(value)]));
}

/**
 * @param given where the values come from and how many there are, at the beginning of a sentence
 * @throws InputError when the template text has more or fewer placeholders than there are values
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

/** @param keys in ascending order, in which JavaScript keeps keys that are numbers */
function checkKeys(keys: string[]): void {
	const wrong = keys.findIndex((key, index) => key !== String(index + 1));
	if (wrong < 0) return;
	throw new InputError(
		`Variables (JSON) has the key ${quote(keys[wrong])} where "${wrong + 1}" should be`,
		'Number the values from "1" on without a gap, for example {"1": "Asha", "2": "A-17"}.',
	);
}

/** Read from the beginning of a JSON text: a string, and the colon behind it if it is a key. */
const JSON_STRING = /("[^"\\]*(?:\\.[^"\\]*)*")\s*(:?)/g;

/** A value with quotes in it, put between quotes, can replace another: `{"1": "code", "2": "Bob", "1": "other"}`. */
function refuseRepeatedKey(json: string): void {
	const keys = [...json.matchAll(JSON_STRING)].flatMap(([, key, colon]) =>
		colon ? (JSON.parse(key) as string) : [],
	);
	const repeated = keys.find((key, index) => keys.indexOf(key) < index);
	if (repeated === undefined) return;
	throw new InputError(
		`Variables (JSON) has the key ${quote(repeated)} twice`,
		'Give each placeholder one value. A value from another node goes in as {{ JSON.stringify($json.name) }}, without quotes around it.',
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
		return invalidJson(reasonOf(error));
	}
}

function invalidJson(reason: string): never {
	throw new InputError(
		`Variables (JSON) is not valid JSON: ${quote(reason.replace(/"/g, "'"))}`,
		'Check quotes, commas and brackets. A value from another node goes in as {{ JSON.stringify($json.name) }}.',
	);
}

/**
 * The text that replaces a placeholder.
 * @param name of the variable, for the error
 * @throws InputError when the value is empty, or nothing that a customer can read
 */
function readValue(value: unknown, name: string, entered?: unknown): string {
	if (isBlank(value)) {
		throw new InputError(
			`The variable ${name} is empty`,
			'Give it a value. For optional data use a fallback, for example {{ $json.name || "customer" }}.',
		);
	}
	if (typeof value === 'string') {
		checkText(value, `The variable ${name}`, entered);
		refuseLong(value, name);
		refuseProgramText(value, `The variable ${name}`);
		return value;
	}
	checkDigits(value, `The variable ${name}`);
	if (typeof value === 'boolean' || typeof value === 'bigint' || Number.isFinite(value)) {
		return String(value);
	}
	throw new InputError(
		`The variable ${name} is ${containerName(value) ?? 'not a number'}`,
		remedyForValue(value),
	);
}

function remedyForValue(value: unknown): string {
	if (Array.isArray(value)) {
		return 'Map one entry of it, for example {{ $json.tags[0] }}, or all of them as text: {{ $json.tags.join(", ") }}.';
	}
	return typeof value === 'number'
		? 'Its expression calculates with something that is missing, is a text, or is zero. Check the fields that it reads.'
		: 'Map one field of it, or turn it into text, for example {{ $json.date.toFormat("dd MMM yyyy") }}.';
}

/** A date as JSON or JavaScript writes it, and what other raw data customers do not expect in a text. */
const RAW_DATA: Array<[RegExp, string]> = [
	[/\d{4}-\d\d-\d\dT\d\d:\d\d|\d\d:\d\d:\d\d GMT[+-]\d{4}/, 'a date'],
	[/\d\.\d{10}|(?<!\w)\d[\d.]*e-\d+(?!\w)/, 'a number with many decimals'],
	[/^(?:true|false)$/i, 'true or false'],
	[/<\/?[a-z][^<>@]*>|&#?\w+;/i, 'HTML'],
	[/[[{]\s*"/, 'JSON'],
	[/^(?:None|NULL|\\N|N\/A|#N\/A|nil|n\.a\.)$/, 'a word for nothing'],
	// UTF-8 that was read as another encoding: "JosÃ©", "â€™".
	[/[ÃÂ][\u0080-\u00bf]|â€|à¤|Ð[\u0080-\u00bf]/, 'letters in a wrong encoding'],
];

/** What raw data the values have, and in which placeholders, such as `a date in {{1}}`. */
export function rawDataIn(
	variables: TemplateVariables,
	placeholders: readonly Placeholder[],
): string[] {
	return Object.entries(variables).flatMap(([position, value]) =>
		RAW_DATA.filter(([pattern]) => pattern.test(value.trim())).map(
			([, kind]) => `${kind} in ${namePlaceholder(Number(position), placeholders)}`,
		),
	);
}

/** Far above any template, for the API document has no limit (8.1). A longer value is the wrong field, such as a whole document. */
const MAX_VALUE_LENGTH = 4096;

function refuseLong({ length }: string, name: string): void {
	if (length <= MAX_VALUE_LENGTH) return;
	const [count, max] = [length, MAX_VALUE_LENGTH].map((number) => number.toLocaleString('en-US'));
	throw new InputError(
		`The variable ${name} has ${count} characters, and this node sends up to ${max} in one`,
		'Check that it is the field that you meant, or shorten it, for example {{ [...$json.text].slice(0, 200).join("") }}.',
	);
}
