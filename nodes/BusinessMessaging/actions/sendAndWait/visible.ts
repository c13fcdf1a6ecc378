import { asciiDigits } from '../../template/phoneNotation';

/** A piece of a text as a person sees it. A mark names what has no ink, or would change how other characters look. */
export interface Piece {
	kind: 'plain' | 'mark';
	text: string;
}

/**
 * A blank or invisible character. Besides those that Unicode calls so, U+2800 (Braille), U+FFFC (an object), empty
 * hieroglyphs and an empty note have no ink.
 */
const UNSEEN = String.raw`[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800\ufffc\u{16fe4}\u{1d159}\u{13441}\u{13442}]`;

/** An emoji, also one of several that are joined. Unassigned ones are not shown by all fonts. */
const PICTURE = String.raw`(?!\p{C})\p{Extended_Pictographic}\ufe0f?\p{Emoji_Modifier}?`;
const EMOJI = String.raw`${PICTURE}(?:\u200d${PICTURE})*`;

/** Scripts whose letters change their form at a joiner. */
const JOINING_SCRIPTS =
	'Arabic|Syriac|Nko|Mongolian|Devanagari|Bengali|Gurmukhi|Gujarati|Oriya|Tamil|Telugu|Kannada|Malayalam|Sinhala|Khmer|Myanmar';
const JOINING = `[${JOINING_SCRIPTS.replace(/(\w+)\|?/g, '\\p{Script=$1}')}]`;
const JOINER = String.raw`(?<=${JOINING})[\u200c\u200d](?=${JOINING})`;

/** Marks that cross out or enclose the character before them. */
const CROSSING = String.raw`[\u0334-\u0338\u1abe\u20d2\u20d3\u20d8-\u20da\u20e5\u20e6\u20ea\u20eb\p{Me}]+`;

/** More marks on a letter than any script needs. They would cover the lines above and below. */
const PILE = String.raw`(?<=\p{M}{4})\p{M}+`;

/** Digits that look like others, as the Arabic five, a small circle; and letters and digits in another dress, as ⓐ. */
const DRESSED = String.raw`(?:(?![0-9])\p{Nd}|[\u2460-\u24ff\uff01-\uff5e\u{1d400}-\u{1d7ff}])+`;

/** Letters that can pass for Latin ones, in one word with them. */
const ALIKE = String.raw`[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}]+`;
const PASSING = String.raw`(?<=\p{Script=Latin})${ALIKE}|${ALIKE}(?=\p{Script=Latin})`;

const TOKENS = new RegExp(
	`(?<shown>${EMOJI}|${JOINER})|(?<unseen>${UNSEEN}+)|(?<marks>${CROSSING}|${PILE})|(?<dressed>${DRESSED})|(?<passing>${PASSING})`,
	'gu',
);

/** The text on one line, with marks in place of all that a person could not see, and beside what looks like something else. */
export function visible(text: string): Piece[] {
	if (text === '') return [mark('empty')];
	const pieces: Piece[] = [];
	let end = 0;
	for (const match of text.matchAll(TOKENS)) {
		const { unseen, marks, dressed, passing } = match.groups ?? {};
		const strange = dressed ?? passing;
		if (strange !== undefined) {
			const shownTo = match.index + strange.length;
			const meaning = dressed ? asciiDigits(dressed.normalize('NFKC')) : codesOf(strange);
			pieces.push(asPlain(text.slice(end, shownTo)), mark(`= ${meaning}`));
			end = shownTo;
			continue;
		}
		const isBetweenWords =
			unseen === ' ' && match.index > 0 && match.index + unseen.length < text.length;
		const run = isBetweenWords ? undefined : (unseen ?? marks);
		if (run === undefined) continue;
		pieces.push(asPlain(text.slice(end, match.index)), mark(nameOf(run)));
		end = match.index + match[0].length;
	}
	return [...pieces, asPlain(text.slice(end))];
}

/** The same for the name of a value: letters that only look like others are marked as well, in place of what they mean. */
export function visibleName(name: string): Piece[] {
	return visible(name).flatMap((piece) => {
		if (piece.kind === 'mark') return piece.text.startsWith('= ') ? [] : piece;
		return piece.text
			.split(/([^\x20-\x7e]+)/)
			.map((part, index) => (index % 2 === 0 ? asPlain(part) : mark(codesOf(part))));
	});
}

/** How much room a text takes, in characters. */
export function roomOf(pieces: Piece[]): number {
	return pieces.reduce((sum, { text }) => sum + text.length, 0);
}

function asPlain(text: string): Piece {
	return { kind: 'plain', text };
}

function mark(text: string): Piece {
	return { kind: 'mark', text };
}

const SIGN_NAMES: Record<string, [one: string, several: string]> = {
	' ': ['space', 'spaces'],
	'\n': ['line break', 'line breaks'],
	'\t': ['tab', 'tabs'],
};

/** Such as "60 spaces", "900 × U+2800" or "12 invisible characters". */
function nameOf(run: string): string {
	const signs = [...run.replaceAll('\r\n', '\n')];
	const count = signs.length.toLocaleString('en');
	if (signs.some((sign) => sign !== signs[0])) {
		return signs.length > 3 ? `${count} invisible characters` : codesOf(run);
	}
	const [one, several] = SIGN_NAMES[signs[0]] ?? [];
	if (one !== undefined) return signs.length === 1 ? one : `${count} ${several}`;
	return signs.length === 1 ? codesOf(run) : `${count} × ${codesOf(signs[0])}`;
}

function codesOf(signs: string): string {
	const codes = [...signs].map((sign) => sign.codePointAt(0)!.toString(16).toUpperCase());
	return codes.map((code) => `U+${code.padStart(4, '0')}`).join(' ');
}
