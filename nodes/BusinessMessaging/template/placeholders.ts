import { InputError, quote } from '../inputError';

// The notation of placeholders: regular expressions as texts, by which n8n's editor decides what fields and notices
// it shows, and by which a run reads the same template text.

export const HOW_TO_NUMBER = 'Write {{1}} for the first, {{2}} for the second and so on.';

/** Pasted along with a placeholder: a no-break space, and marks without a width. */
const MARKS = ['\u00a0', '\u200b', '\u200e', '\u200f', '\u2060', '\ufeff'];
const SPACE = `[ ${MARKS.join('')}]*`;
/** A placeholder's number, without leading zeros. */
const UP_TO_999 = '[1-9]\\d{0,2}';

/** @param number a regular expression as well */
export function placeholder(number: string): string {
	return `\\{\\{${SPACE}${number}(?: *|[${MARKS.join('')}]*)\\}\\}`;
}

/** Nearly all placeholders of this number are written in one of these ways. */
export function spellings(number: number): string[] {
	return [`{{${number}}}`, `{{ ${number} }}`, `{{ ${number}}}`, `{{${number} }}`];
}

/** Every text with the placeholder of this number has one of these, and few other texts do. */
export function ends(number: number): string[] {
	return ['}', ' }', '  ', ...MARKS].map((end) => `${number}${end}`);
}

/** Any placeholder, with its number as the first group. */
export const PLACEHOLDER = placeholder(`(${UP_TO_999})`);

/** Double braces around a name, or around anything else that is not a number. */
export const NAMED = `(?!${placeholder(UP_TO_999)})\\{\\{[^{}]*\\}\\}`;

/**
 * `{{` without `}}`, or a number with one brace too few before it. `}}` alone is fine, because the editor adds it
 * to each `{{` that is typed.
 */
const BROKEN = `\\{\\{(?!\\{?[^{}]*\\}\\})|(?<!\\{)\\{${SPACE}\\d+${SPACE}\\}\\}`;

/** Matches the texts that the pattern does not match. */
export function without(pattern: string): string {
	return `^(?![\\s\\S]*(?:${pattern}))`;
}

export interface Placeholder {
	position: number;
	/** The placeholder with the words around it. */
	label: string;
}

const ALL = new RegExp(PLACEHOLDER, 'g');
const ALL_OR_CLOSING = new RegExp(`${PLACEHOLDER}| ?\\}\\}`, 'g');
const NONE_BETWEEN = new RegExp(placeholder(UP_TO_999));
const named = new RegExp(NAMED);
const broken = new RegExp(BROKEN);
/** A number in another kind of brackets, a %s or $1, or {#var#}, as registers of templates have it. */
const ALMOST = new RegExp(
	[
		`(?<!\\{)\\{${SPACE}${UP_TO_999}${SPACE}\\}(?!\\})`,
		`[｛﹛]{1,2}${SPACE}${UP_TO_999}${SPACE}[｝﹜]{1,2}`,
		`\\[${SPACE}${UP_TO_999}${SPACE}\\]`,
		`<{1,2}${SPACE}${UP_TO_999}${SPACE}>{1,2}`,
		`\\(\\(${SPACE}${UP_TO_999}${SPACE}\\)\\)`,
		'\\{#\\s{0,9}\\w{1,20}\\s{0,9}#\\}',
		'\\$1(?![\\d%]|[.,]\\d)',
		'%(?:\\d{1,3}\\$)?[sd](?!\\w)',
	].join('|'),
);
const WORDS_AROUND = 2;
/** In characters, of the words before. */
const MAX_BEFORE = 18;
const PASTE_REMEDY =
	'Paste the text of the approved template as it is, with {{1}}, {{2}} and so on.';

/** The latest result, because a run reads the same text for each of its items. */
let latest: { text: string; placeholders: readonly Placeholder[] } | undefined;

/**
 * The placeholders of a pasted template text, by position.
 * @throws InputError when one is broken, has a name instead of a number, or a position is left out
 */
export function readPlaceholders(templateText: string): readonly Placeholder[] {
	if (latest?.text !== templateText) {
		latest = { text: templateText, placeholders: findPlaceholders(templateText) };
	}
	return latest.placeholders;
}

/** @throws InputError */
function findPlaceholders(templateText: string): Placeholder[] {
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
	const [loose] = broken.exec(templateText) ?? [];
	if (loose) {
		const braces = loose === '{{' ? '{{' : '}}';
		throw new InputError(`The template text has ${braces} without its counterpart`, PASTE_REMEDY);
	}
	const [other] = named.exec(templateText) ?? [];
	if (other) {
		throw new InputError(
			`The template text has the placeholder ${other}, but placeholders are numbered`,
			`${HOW_TO_NUMBER} Values go into the fields below the text.`,
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
export function namePlaceholder(position: number, placeholders: readonly Placeholder[]): string {
	const { label } = placeholders[position - 1] ?? {};
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

/** As in the text: "Hi {{1}}, your order" has no space before its comma. */
function labelOf(text: string, match: RegExpExecArray): string {
	const [before] = text.slice(0, match.index).split(NONE_BETWEEN).reverse();
	const [after] = text.slice(match.index + match[0].length).split(NONE_BETWEEN);
	return [
		endOf(words(before).slice(-WORDS_AROUND).join(' ')),
		/\s$/.test(before) ? ' ' : '',
		`{{${match[1]}}}`,
		/^\s/.test(after) ? ' ' : '',
		words(after).slice(0, WORDS_AROUND).join(' '),
	]
		.join('')
		.trim();
}

function words(text: string): string[] {
	return text.match(/\S+/g) ?? [];
}

/** Counts as a reader does: an emoji, or a letter with its marks, is one character. */
const segmenter = new Intl.Segmenter();

function endOf(text: string): string {
	const characters = [...segmenter.segment(text)].map(({ segment }) => segment);
	return characters.length > MAX_BEFORE ? `…${characters.slice(1 - MAX_BEFORE).join('')}` : text;
}
