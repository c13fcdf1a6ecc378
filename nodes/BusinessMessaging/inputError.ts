import { isText, truncate } from './values';

/** Wrong input, by where it stands. Public as well: none changes once it is published. */
export const INPUT_CODES = [
	'wrongRecipient',
	'wrongTemplateName',
	'wrongCategory',
	'wrongVariable',
	'wrongQuestion',
	'wrongMessageId',
	'wrongOption',
	'notAllowed',
	'wrongArguments',
	'wrongCredential',
	'wrongInput',
] as const;

export type InputCode = (typeof INPUT_CODES)[number];

/** An error for wrong input: `message` says what is wrong, `remedy` what to do about it. */
export class InputError extends Error {
	/**
	 * @param code `wrongInput` when only the reader of the field knows it: see `refuseAs`. The last two are failures of a
	 * run that can be known before its first request.
	 */
	constructor(
		message: string,
		readonly remedy: string,
		readonly code: InputCode | 'memoryUnusable' | 'overLimit' = 'wrongInput',
	) {
		super(message);
		this.name = 'InputError';
	}

	/** Message and remedy, for places that show one text. */
	get sentences(): string {
		return `${this.message}. ${this.remedy}`;
	}
}

/**
 * Reads a field, and says by the code which one was wrong.
 * @throws InputError
 */
export function refuseAs<T>(code: InputError['code'], read: () => T): T {
	try {
		return read();
	} catch (error) {
		throw namedAs(code, error);
	}
}

function namedAs(code: InputError['code'], error: unknown): unknown {
	if (!(error instanceof InputError) || error.code !== 'wrongInput') return error;
	return new InputError(error.message, error.remedy, code);
}

const SHOWN_LENGTH = 40;

/** A value in quotes for a message: on one line, and shortened. */
export function quote(value: unknown): string {
	const line = asPrinted(value).replace(/\s+/g, ' ').trim();
	return line.length <= SHOWN_LENGTH ? `"${line}"` : `"${truncate(line, SHOWN_LENGTH)}…"`;
}

function asPrinted(value: unknown): string {
	if (typeof value === 'string') return value;
	try {
		return JSON.stringify(value) ?? String(value);
	} catch {
		// Cyclic values and BigInt have no JSON.
		return String(value);
	}
}

/** A list or an object in the words of a message; undefined for other values. */
export function containerName(value: unknown): 'a list' | 'an object' | undefined {
	if (Array.isArray(value)) return 'a list';
	return typeof value === 'object' ? 'an object' : undefined;
}

/** The message of whatever was thrown. */
export function reasonOf(error: unknown): string {
	return error instanceof Error ? error.message : String(error);
}

/** The sentences in one text, each with a period at its end. */
export function joinSentences(...sentences: Array<string | false | undefined>): string {
	return sentences
		.filter(isText)
		.map((sentence) => (/[.!?…:]["”)]?$/.test(sentence) ? sentence : `${sentence}.`))
		.join(' ');
}

export const NOTHING_SENT = 'Nothing was sent.';
