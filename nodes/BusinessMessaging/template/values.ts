import { containerName, InputError, quote } from '../errors/inputError';
import { isBlank } from '../isBlank';
import { PLACEHOLDER } from './placeholderPatterns';
import { checkText } from './text';
import type { Entered } from './text';

const ONE_PLACEHOLDER = new RegExp(`^${PLACEHOLDER}$`);

/**
 * Far above any template. The API document shows no limit (8.1): what is longer is another field than
 * was meant, such as a whole document.
 */
const MAX_LENGTH = 4096;

/**
 * The text that fills a placeholder.
 * @param name of the variable, for the error
 * @throws InputError when it is empty, or nothing that a customer can read
 */
export function readValue(value: unknown, name: string, entered?: Entered): string {
	if (isBlank(value)) {
		throw new InputError(
			`The variable ${name} is empty`,
			'Give it a value. For optional data use a fallback, for example {{ $json.name || "customer" }}.',
		);
	}
	if (typeof value === 'string') {
		checkText(value, `The variable ${name}`, entered);
		refuseLong(value, name);
		refuseBraces(value, name);
		return value;
	}
	if (Number.isInteger(value) && !Number.isSafeInteger(value)) {
		throw new InputError(
			`The variable ${name} is a number with more digits than n8n keeps`,
			'Give it as text, in JSON with quotes around it: "12345678901234567890".',
		);
	}
	if (typeof value === 'boolean' || typeof value === 'bigint' || Number.isFinite(value)) {
		return String(value);
	}
	throw new InputError(
		`The variable ${name} is ${containerName(value) ?? 'not a text'}`,
		'Map one field of it, or turn it into text, for example {{ $json.date.toFormat("dd MMM yyyy") }}.',
	);
}

function refuseLong({ length }: string, name: string): void {
	if (length <= MAX_LENGTH) return;
	const [count, max] = [length, MAX_LENGTH].map((number) => number.toLocaleString('en-US'));
	throw new InputError(
		`The variable ${name} has ${count} characters, and this node sends up to ${max} in one`,
		'Check that it is the field that you meant, or shorten it, for example {{ [...$json.text].slice(0, 200).join("") }}.',
	);
}

/**
 * An expression in a field that is set to Fixed, or a placeholder in the field of its value: the
 * customer would read it as it is.
 */
function refuseBraces(value: string, name: string): void {
	const start = value.indexOf('{{');
	if (start < 0 || !value.includes('}}', start)) return;
	const braces = value.slice(start, value.indexOf('}}', start) + 2);
	const [, position] = ONE_PLACEHOLDER.exec(braces) ?? [];
	throw new InputError(
		`The variable ${name} has ${quote(braces)} in its text`,
		position
			? `Enter what the customer should read in place of {{${position}}}.`
			: 'Switch its field from Fixed to Expression, so that n8n computes it. If your data has the braces, remove them there.',
	);
}
