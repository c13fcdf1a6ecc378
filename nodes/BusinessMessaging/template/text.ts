import { InputError } from '../errors/inputError';

/** What JavaScript makes of an object that is put into a text, as in "Hi {{ $json.customer }}". */
const OBJECT_IN_TEXT = /\[object [a-z]+\]/i;
/** Half of a character of two code units. On its way to the customer it would become U+FFFD. */
const HALF_A_CHARACTER = /\p{Surrogate}/u;

/**
 * @param field what the text is, at the beginning of a sentence
 * @throws InputError when a customer or the API could not read the text as it is meant
 */
export function checkText(text: string, field: string): void {
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
}

/** Whether the text has whole characters only: others have no UTF-8. */
export function isWellFormed(text: string): boolean {
	return !HALF_A_CHARACTER.test(text);
}
