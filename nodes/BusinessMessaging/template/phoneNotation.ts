import { containerName, InputError, quote } from '../inputError';
import { withoutInvisible } from './textChecks';

/** Longer than any notation. Keeps the patterns fast. */
const MAX_NOTATION_LENGTH = 1000;

/**
 * The value in ASCII digits and punctuation, without what may surround a number. It need not be a phone number.
 * @param name what the value is in an error
 * @throws InputError when it is neither text nor a whole number, or lost digits in a spreadsheet
 */
export function plainNotation(value: unknown, name: string): string {
	const given = value ?? '';
	const isShort = typeof given === 'string' && given.length <= MAX_NOTATION_LENGTH;
	if (typeof given !== 'number' && !isShort) {
		const what =
			typeof given === 'string' ? 'a long text' : (containerName(given) ?? `a ${typeof given}`);
		throw new InputError(
			`${name} is not a phone number but ${what}`,
			'Map the one field that holds the phone number.',
		);
	}
	const text = clean(String(given));
	if (!text) {
		throw new InputError(
			`${name} is empty`,
			'Enter or map a phone number with its country code, for example +14155552671.',
		);
	}
	const notation = text
		.replace(THOUSANDS, (digits) => digits.replace(/,/g, ''))
		.replace(DECIMAL_ZEROS, '$1');
	const lostDigits = LOST_DIGITS.find(([pattern]) => pattern.test(notation))?.[1];
	const isWhole = typeof given !== 'number' || Number.isSafeInteger(given);
	const problem = lostDigits ?? (isWhole ? undefined : NOT_WHOLE);
	if (problem === undefined) return notation;
	throw new InputError(
		`${name} ${quote(String(given))} ${problem}`,
		'Map the field that holds the phone number, and format its spreadsheet column as text before pasting the numbers. If the number is right, write it with a plus sign.',
	);
}

/** As in 919,876,543,210: groups of three digits, or of two before the last three, as in India. */
const THOUSANDS = /^\+?\d{1,3}(?:,\d{2,3})+,\d{3}(?=\.0+$|$)/;
/** As in 919876543210.0 */
const DECIMAL_ZEROS = /^(\+?\d{7,})[.,]0+$/;
const NOT_WHOLE = 'is not a whole number, or lost digits';
const LOST_DIGITS: Array<[RegExp, string]> = [
	[/^[+\d.,]+e\+?\d+$/i, 'is in scientific notation, which may have lost digits'],
	// People put points between shorter or longer groups, as in 06.12.34.56.78 and 98765.43210.
	[/^[^.]*\d{5}\.\d{1,2}$/, NOT_WHOLE],
	// A spreadsheet exports 919876543210 as 9.19877E+11, and reads that as 919877000000.
	[/^[1-9]\d{4,}0{6}$/, 'ends in zeros, like a number that a spreadsheet rounded'],
];

const DASHES = /[\u2010-\u2015\u2212\u30fc_]/g;
const FULL_WIDTH = /[\uff01-\uff5e]/g;
const MARKS_BEFORE = /^[\s'"‘’“”=]+/;
const MARKS_AFTER = /[\s'"‘’“”,;.]+$/;
const SCHEME = /^(?:tel|sms|whatsapp):\s*/i;
const PLUS_SIGNS = /\+[\s+]*\+/;

function clean(text: string): string {
	return asciiDigits(withoutInvisible(text))
		.replace(DASHES, '-')
		.replace(FULL_WIDTH, (form) => form.normalize('NFKC'))
		.replace(MARKS_BEFORE, '')
		.replace(MARKS_AFTER, '')
		.replace(SCHEME, '')
		.replace(PLUS_SIGNS, '+');
}

/** Digits of all scripts (Arabic, Devanagari …) as 0-9. Unicode has each script's digits in order from zero. */
export function asciiDigits(text: string): string {
	return text.replace(/[^\P{Nd}0-9]/gu, (digit) => {
		const code = digit.codePointAt(0) ?? 0;
		let zero = code;
		while (/\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero--;
		return String((code - zero) % 10);
	});
}
