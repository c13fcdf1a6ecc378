import { asciiDigits } from '../../template/phoneNotation';

/** Blank or invisible: what Unicode calls so, and U+2800 (Braille), U+FFFC (an object), empty hieroglyphs and an empty note. */
const UNSEEN = String.raw`\u{16fe4}\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800\ufffc\u{1d159}\u{13441}\u{13442}`;
const SPACE_BETWEEN_WORDS = `(?<=[^${UNSEEN}]) (?=[^${UNSEEN}])`;

/** An emoji, also one of several that are joined. Unassigned ones are not shown by all fonts. */
const PICTURE = String.raw`(?!\p{C})\p{Extended_Pictographic}\ufe0f?\p{Emoji_Modifier}?`;
const EMOJI = String.raw`${PICTURE}(?:\u200d${PICTURE})*`;

/** It changes the form of Arabic, Indian, Khmer and other letters. */
const JOINER = String.raw`(?<=[\u0600-\u18af])[\u200c\u200d](?=[\u0600-\u18af])`;

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
	`${SPACE_BETWEEN_WORDS}|${EMOJI}|${JOINER}|(?<hidden>[${UNSEEN}]+|${CROSSING}|${PILE})|(?<dressed>${DRESSED})|(?<passing>${PASSING})`,
	'gu',
);

/** Letters that are written from right to left. */
const RIGHT_TO_LEFT =
	/[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;
/** Beside such letters, browsers show the groups of a phone number in reverse order. */
const NUMBER = /\+?\d[\d ().:,/-]*\d/g;

/**
 * The text as HTML on one line, with marks in place of all that a person could not see, and behind what looks like
 * something else.
 */
export function visible(text: string): string {
	if (text === '') return mark('empty');
	const html = asHtml(text);
	const straight = RIGHT_TO_LEFT.test(text)
		? html.replace(NUMBER, '<bdi dir="ltr">$&</bdi>')
		: html;
	return straight.replace(TOKENS, (found: string, ...others: unknown[]) => {
		const { hidden, dressed, passing } = others.at(-1) as Record<string, string | undefined>;
		if (hidden) return mark(nameOf(hidden));
		if (dressed) return found + mark(`= ${asciiDigits(dressed.normalize('NFKC'))}`);
		return passing ? found + mark(`= ${codesOf(passing)}`) : found;
	});
}

function mark(text: string): string {
	return `<mark>${asHtml(text)}</mark>`;
}

/** None has a digit, which could be a part of a number. */
const HTML_ENTITIES: Record<string, string> = {
	'&': '&amp;',
	'<': '&lt;',
	'>': '&gt;',
	'"': '&quot;',
	"'": '&apos;',
};

/** For text between tags, and in attributes with quotes. */
export function asHtml(text: string): string {
	return text.replace(/[&<>"']/g, (sign) => HTML_ENTITIES[sign]);
}

const SIGN_NAMES: Record<string, string> = { ' ': 'space', '\n': 'line break', '\t': 'tab' };

/** Such as "space", "900 × U+2800" or "12 invisible characters". */
function nameOf(run: string): string {
	const signs = [...run.replaceAll('\r\n', '\n')];
	const count = signs.length.toLocaleString('en');
	if (signs.some((sign) => sign !== signs[0])) {
		return signs.length > 3 ? `${count} invisible characters` : codesOf(run);
	}
	const name = SIGN_NAMES[signs[0]] ?? codesOf(signs[0]);
	return signs.length === 1 ? name : `${count} × ${name}`;
}

function codesOf(signs: string): string {
	const codes = [...signs].map((sign) => sign.codePointAt(0)!.toString(16).toUpperCase());
	return codes.map((code) => `U+${code.padStart(4, '0')}`).join(' ');
}
