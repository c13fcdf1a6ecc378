import { InputError } from '../inputError';

export interface Placeholder {
	position: number;
	/** The placeholder with the words around it, as the user knows them. */
	label: string;
}

/** A placeholder; its name is the first group. */
export const BRACES = /\{\{([^{}]*)\}\}/g;
const ANY_PLACEHOLDER = /\{\{[^{}]*\}\}/;
const WORDS_AROUND = 2;
/** So that the editor, which cuts off what is long, still shows the placeholder. */
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
	const loose = /\{\{|\}\}/.exec(templateText.replace(BRACES, ' '));
	if (loose) {
		throw new InputError(`The template text has ${loose[0]} without its counterpart`, PASTE_REMEDY);
	}
	const labels = new Map<number, string>();
	for (const match of templateText.matchAll(BRACES)) {
		const name = match[1].trim();
		if (!/^[1-9]\d{0,2}$/.test(name)) {
			throw new InputError(
				`The template text has the placeholder ${match[0]}, but placeholders are numbered`,
				`${PASTE_REMEDY} To fill in a value, use the fields below the text.`,
			);
		}
		const position = Number(name);
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

/** As in the text: "Hi {{1}}, your order", without a space before the comma. */
function labelOf(text: string, match: RegExpExecArray): string {
	const before = text.slice(0, match.index).split(ANY_PLACEHOLDER).at(-1) ?? '';
	const [after] = text.slice(match.index + match[0].length).split(ANY_PLACEHOLDER);
	return [
		shortened(words(before).slice(-WORDS_AROUND).join(' ')),
		/\s$/.test(before) ? ' ' : '',
		`{{${match[1].trim()}}}`,
		/^\s/.test(after) ? ' ' : '',
		words(after).slice(0, WORDS_AROUND).join(' '),
	]
		.join('')
		.trim();
}

function words(text: string): string[] {
	return text.split(/\s+/).filter((word) => word !== '');
}

/** As a reader counts them: an emoji, or a letter with its marks, is one. */
const segmenter = new Intl.Segmenter();

function shortened(text: string): string {
	const characters = [...segmenter.segment(text)].map(({ segment }) => segment);
	return characters.length > MAX_BEFORE ? `…${characters.slice(1 - MAX_BEFORE).join('')}` : text;
}

/** The id of the editor's field for a placeholder; stored in workflows. */
export function fieldId(position: number): string {
	return `variable_${position}`;
}
