import { InputError } from '../inputError';
import { checkText } from './text';

/**
 * The text that fills a placeholder.
 * @param name of the variable, for the error
 * @throws InputError when it is empty, or nothing that a customer can read
 */
export function readValue(value: unknown, name: string): string {
	if (isBlank(value)) {
		throw new InputError(
			`The variable ${name} is empty`,
			'Give it a value. For optional data use a fallback, for example {{ $json.name || "customer" }}.',
		);
	}
	if (typeof value === 'string') {
		checkText(value, `The variable ${name}`);
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
		`The variable ${name} is ${Array.isArray(value) ? 'a list' : typeof value === 'object' ? 'an object' : 'not a text'}`,
		'Map one field of it, or turn it into text, for example {{ $json.date.toFormat("dd MMM yyyy") }}.',
	);
}

export function isBlank(value: unknown): boolean {
	return value === undefined || value === null || (typeof value === 'string' && !value.trim());
}
