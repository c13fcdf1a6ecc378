import { InputError } from '../errors/inputError';

/** How a text was entered, with its expressions. */
export type Entered = () => unknown;

/** What JavaScript makes of an object that is put into a text, as in "Hi {{ $json.customer }}". */
const OBJECT_IN_TEXT = /\[object [a-z]+\]/i;
/** Half of a character of two code units. On its way to the customer it would become U+FFFD. */
const HALF_A_CHARACTER = /\p{Surrogate}/u;
/** The last one is the blank pattern of Braille. */
const INVISIBLE_ONLY = /^[\s\p{Cc}\p{Default_Ignorable_Code_Point}\u2800]+$/u;
/** As a word that no letter precedes or follows, what JavaScript makes of data that is not there. */
const RUIN = /(?<!\p{L})(?:undefined|NaN|Invalid Date(?:Time)?)(?!\p{L})|(?<=^\s*)null(?=\s*$)/u;
const EXPRESSIONS = /\{\{.*?\}\}/gs;

/**
 * @param field what the text is, at the beginning of a sentence
 * @param entered asked only when the text looks like a ruin, which somebody may have typed as well
 * @throws InputError when a customer or the API could not read the text as it is meant
 */
export function checkText(text: string, field: string, entered: Entered = () => undefined): void {
	if (OBJECT_IN_TEXT.test(text)) {
		throw new InputError(
			`${field} has [object Object] in its text`,
			'That is how an object reads. Map one field of it, for example {{ $json.customer.name }}.',
		);
	}
	if (!isWellFormed(text)) {
		throw new InputError(
			`${field} has half a character in it, as when an emoji is cut in two`,
			'Shorten texts by whole characters, for example {{ [...$json.text].slice(0, 20).join("") }}.',
		);
	}
	if (text.includes('\u0000')) {
		throw new InputError(
			`${field} has the character U+0000 in it`,
			'It comes from binary data. Remove it, for example {{ $json.text.replaceAll("\\0", "") }}.',
		);
	}
	if (INVISIBLE_ONLY.test(text)) {
		throw new InputError(
			`${field} has invisible characters only`,
			'Enter a text that can be read. For data that may be like this use a fallback.',
		);
	}
	const ruin = ruinIn(text, entered);
	if (ruin) throw new InputError(`${field} has "${ruin}" in it`, remedyFor(ruin));
}

/**
 * What an expression left in a text instead of data.
 * @param ruins what counts as such
 * @returns undefined when there is none, or somebody typed it
 */
export function ruinIn(text: string, entered: Entered, ruins = RUIN): string | undefined {
	const [ruin] = ruins.exec(text) ?? [];
	if (ruin === undefined) return undefined;
	const typed = textAround(entered());
	return typed === undefined || typed.includes(ruin) ? undefined : ruin;
}

/** What is left of an entered text without its expressions; undefined when it has none. */
export function textAround(entered: unknown): string | undefined {
	if (typeof entered !== 'string' || !/^=.*\{\{/s.test(entered)) return undefined;
	return entered.slice(1).replace(EXPRESSIONS, '').trim();
}

/** The expressions of an entered text, each in its braces. */
export function expressionsIn(entered: unknown): string[] {
	return typeof entered === 'string' && entered.startsWith('=')
		? (entered.match(EXPRESSIONS) ?? [])
		: [];
}

/** What to do about a text; undefined when it has no ruin in it. */
export function remedyForRuin(text: string): string | undefined {
	const [ruin] = RUIN.exec(text) ?? [];
	return ruin && remedyFor(ruin);
}

function remedyFor(ruin: string): string {
	return ruin.startsWith('Invalid')
		? 'That is what an expression gives for a date that it can\'t read. Say how the date is written, for example {{ DateTime.fromFormat($json.date, "dd.MM.yyyy") }}.'
		: 'That is what an expression gives for data that is not there. Correct the expression, or use a fallback, for example {{ $json.name || "customer" }}.';
}

/** Whether the text has whole characters only: others have no UTF-8. */
export function isWellFormed(text: string): boolean {
	return !HALF_A_CHARACTER.test(text);
}
