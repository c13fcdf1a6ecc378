/**
 * How placeholders are written: regular expressions as texts, which n8n's editor takes to decide what
 * fields and notices it shows, and by which a run reads the same template text.
 */

export const HOW_TO_NUMBER = 'Write {{1}} for the first, {{2}} for the second and so on.';

/** Pasting leaves these beside the number: a space that does not break, and marks without a width. */
const MARKS = ['\u00a0', '\u200b', '\u200e', '\u200f', '\u2060', '\ufeff'];
export const SPACE = `[ ${MARKS.join('')}]*`;
/** Of a placeholder, without leading zeros. */
export const NUMBER = '[1-9]\\d{0,2}';

/** Placeholders with such a number, a regular expression itself. */
export function placeholder(number: string): string {
	return `\\{\\{${SPACE}${number}(?: *|[${MARKS.join('')}]*)\\}\\}`;
}

/** How nearly all placeholders of that number are written. */
export function spellings(number: number): string[] {
	return [`{{${number}}}`, `{{ ${number} }}`, `{{ ${number}}}`, `{{${number} }}`];
}

/** One of these is in every text with the placeholder of that number, and in few others. */
export function ends(number: number): string[] {
	return ['}', ' }', '  ', ...MARKS].map((end) => `${number}${end}`);
}

/** Any placeholder; its number is the first group. */
export const PLACEHOLDER = placeholder(`(${NUMBER})`);

/** A name, or anything else that is no number, in the braces of a placeholder. */
export const NAMED = `(?!${placeholder(NUMBER)})\\{\\{[^{}]*\\}\\}`;

/**
 * `{{` that nothing closes, or a number with one brace too few before it. Closing braces alone are
 * left by the editor, which closes by itself what is typed.
 */
export const BROKEN = `\\{\\{(?!\\{?[^{}]*\\}\\})|(?<!\\{)\\{${SPACE}\\d+${SPACE}\\}\\}`;

/** Texts without any match of a pattern. */
export function without(pattern: string): string {
	return `^(?![\\s\\S]*(?:${pattern}))`;
}
