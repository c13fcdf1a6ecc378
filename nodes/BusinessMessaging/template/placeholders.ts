import { InputError, quote } from '../errors/inputError';
import {
	BROKEN,
	HOW_TO_NUMBER,
	NAMED,
	NUMBER,
	placeholder,
	PLACEHOLDER,
	SPACE,
} from './placeholderPatterns';

export interface Placeholder {
	position: number;
	/** The placeholder with the words around it, as the user knows them. */
	label: string;
}

const ALL = new RegExp(PLACEHOLDER, 'g');
const ALL_OR_CLOSING = new RegExp(`${PLACEHOLDER}| ?\\}\\}`, 'g');
const NONE_BETWEEN = new RegExp(placeholder(NUMBER));
const named = new RegExp(NAMED);
const broken = new RegExp(BROKEN);
/** With a brace too few on each side, or with brackets. */
const ALMOST = new RegExp(
	`(?<!\\{)\\{${SPACE}${NUMBER}${SPACE}\\}(?!\\})|\\[${SPACE}${NUMBER}${SPACE}\\]`,
);
const WORDS_AROUND = 2;
/** Enough to find the place in the text. */
const MAX_BEFORE = 18;
const PASTE_REMEDY =
	'Paste the text of the approved template as it is, with {{1}}, {{2}} and so on.';

/** A run reads the same text for each of its items. */
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
	const labels = new Map<number, string>();
	for (const match of templateText.matchAll(ALL)) {
		const position = Number(match[1]);
		if (!labels.has(position)) labels.set(position, labelOf(templateText, match));
	}
	const placeholders = [...labels]
		.map(([position, label]) => ({ position, label }))
		.sort((a, b) => a.position - b.position);
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

/** What is no placeholder, but may be meant as one: it is sent without a value. */
export function almostPlaceholder(templateText: string): string | undefined {
	return ALMOST.exec(templateText)?.[0];
}

/** A placeholder as an error names it: its position, with the words around it if there are any. */
export function nameOf(position: number, placeholders: readonly Placeholder[]): string {
	const { label } = placeholders[position - 1] ?? {};
	const number = `{{${position}}}`;
	return label === undefined || label === number ? number : `${number} (${quote(label)})`;
}

/**
 * The template text with the values of its placeholders, by position; others stay as they are.
 * Without the braces by which the editor closed what was typed.
 */
export function renderTemplate(templateText: string, values: Record<string, string>): string {
	return templateText.replace(ALL_OR_CLOSING, (braces, position?: string) =>
		position === undefined ? '' : (values[position] ?? braces),
	);
}

/** As in the text: "Hi {{1}}, your order", without a space before the comma. */
function labelOf(text: string, match: RegExpExecArray): string {
	const [before] = text.slice(0, match.index).split(NONE_BETWEEN).reverse();
	const [after] = text.slice(match.index + match[0].length).split(NONE_BETWEEN);
	return [
		shortened(words(before).slice(-WORDS_AROUND).join(' ')),
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

/** As a reader counts them: an emoji, or a letter with its marks, is one. */
const segmenter = new Intl.Segmenter();

function shortened(text: string): string {
	const characters = [...segmenter.segment(text)].map(({ segment }) => segment);
	return characters.length > MAX_BEFORE ? `…${characters.slice(1 - MAX_BEFORE).join('')}` : text;
}
