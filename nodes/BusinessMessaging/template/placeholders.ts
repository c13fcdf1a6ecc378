import { InputError, quote } from '../inputError';

/** A regular expression. @param number one as well */
function placeholder(number: string): string {
	return `\\{\\{ ?${number} ?\\}\\}`;
}

/** Every text with the placeholder of this number has one of these. */
export function spellings(number: number): string[] {
	return [`{{${number}}}`, `{{ ${number} }}`, `{{ ${number}}}`, `{{${number} }}`];
}

/** Without leading zeros. */
const UP_TO_999 = '[1-9]\\d{0,2}';
/** Any placeholder, with its number as the first group. */
export const PLACEHOLDER = placeholder(`(${UP_TO_999})`);
/** Double braces around a name, or around anything else that is not a number. */
const NAMED = new RegExp(`(?!${placeholder(UP_TO_999)})\\{\\{[^{}]*\\}\\}`);
/**
 * `{{` without `}}`, or a number with one brace too few before it. `}}` alone is fine, because older editors add it
 * to each `{{` that is typed.
 */
const BROKEN = /\{\{(?!\{?[^{}]*\}\})|(?<!\{)\{ ?\d+ ?\}\}/;

export interface Placeholder {
	position: number;
	/** The placeholder with the words around it. */
	label: string;
}

const ALL = new RegExp(PLACEHOLDER, 'g');
const ALL_OR_CLOSING = new RegExp(`${PLACEHOLDER}| ?\\}\\}`, 'g');
const NONE_BETWEEN = new RegExp(placeholder(UP_TO_999));
/** A number in other brackets, a %s, or {#var#}, as registers of templates have it. */
const ALMOST = /(?<!\{)\{ ?[1-9]\d? ?\}(?!\})|\[ ?[1-9]\d? ?\]|\{#\w{1,20}#\}|%s(?!\w)/;
const PASTE_REMEDY =
	'Paste the text of the approved template as it is, with {{1}}, {{2}} and so on.';

/**
 * The placeholders of a pasted template text, by position.
 * @throws InputError when one is broken, has a name instead of a number, or a position is left out
 */
export function readPlaceholders(templateText: string): Placeholder[] {
	refuseUnreadable(templateText);
	const labels: Record<string, string> = {};
	for (const match of templateText.matchAll(ALL)) labels[match[1]] ??= labelOf(templateText, match);
	// In ascending order, in which JavaScript keeps keys that are numbers.
	const placeholders = Object.entries(labels).map(([position, label]) => ({
		position: Number(position),
		label,
	}));
	placeholders.forEach(({ position }, index) => {
		if (position === index + 1) return;
		throw new InputError(
			`The template text has {{${position}}} but no {{${index + 1}}}`,
			PASTE_REMEDY,
		);
	});
	return placeholders;
}

/** @throws InputError */
function refuseUnreadable(templateText: string): void {
	const [loose] = BROKEN.exec(templateText) ?? [];
	if (loose) {
		const braces = loose === '{{' ? '{{' : '}}';
		throw new InputError(`The template text has ${braces} without its counterpart`, PASTE_REMEDY);
	}
	const [other] = NAMED.exec(templateText) ?? [];
	if (other) {
		throw new InputError(
			`The template text has the placeholder ${other}, but placeholders are written as {{1}}`,
			'Write {{1}} for the first, {{2}} for the second and so on. Values go into the fields below the text.',
		);
	}
}

/**
 * Why a template text may be wrong, though a run can read it: it has what looks like a placeholder but gets no value,
 * such as {1}, or it is the template's name.
 */
export function doubtAbout(templateText: string, templateName: string): string | undefined {
	const [text, name] = [templateText, templateName].map((each) => each.trim().toLowerCase());
	if (text && text === name) {
		return 'The template text is the name of the template: paste the approved text instead';
	}
	const [almost] = ALMOST.exec(templateText) ?? [];
	if (almost === undefined) return undefined;
	const [number] = /\d+/.exec(almost) ?? [];
	const written = number === undefined ? '{{1}}, {{2}} and so on' : `{{${number}}}`;
	return `The template text has ${almost}, which is not a placeholder: write ${written} if it is meant as one`;
}

/** A placeholder as errors name it: its position, and the words around it if there are any. */
export function namePlaceholder(position: number, placeholders?: readonly Placeholder[]): string {
	const label = placeholders?.[position - 1]?.label;
	const number = `{{${position}}}`;
	return label === undefined || label === number ? number : `${number} (${quote(label)})`;
}

/**
 * The template text with its values. Placeholders without a value stay, and closing braces that the editor added
 * go.
 * @param values by position
 */
export function renderTemplate(templateText: string, values: Record<string, string>): string {
	return templateText.replace(ALL_OR_CLOSING, (braces, position?: string) =>
		position === undefined ? '' : (values[position] ?? braces),
	);
}

/** In characters, on each side of a placeholder. */
const NEAR = 40;

/** The placeholder with up to two words on each side. */
function labelOf(text: string, { 0: found, 1: position, index }: RegExpExecArray): string {
	const end = index + found.length;
	const before = text.slice(Math.max(0, index - NEAR), index).split(NONE_BETWEEN);
	const [after] = text.slice(end, end + NEAR).split(NONE_BETWEEN);
	const twoBefore = before[before.length - 1].replace(/.*?((?:\S+\s*){0,2})$/s, '$1');
	const twoAfter = after.replace(/(\s*(?:\S+\s*){0,2}).*/s, '$1');
	return `${twoBefore}{{${position}}}${twoAfter}`.trim();
}
