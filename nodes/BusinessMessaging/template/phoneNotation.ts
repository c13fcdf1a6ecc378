import { containerName, InputError, quote } from '../inputError';
import { checkText, withoutInvisible } from './text';

const ADDRESS_PREFIX = /^(?:tel|sms|callto|whatsapp):\s*(?!\/\/)/i;
/** Links and IDs of chats have the country code, but no plus sign. */
const CHAT_LINK =
	/^(?:https?:\/\/)?(?:wa\.me\/|(?:(?:api|web)\.whatsapp\.com\/send|whatsapp:\/\/send)\/?\?(?:[^#]*&)?phone=)(?:\+|%2b)?(\d+)(?:[/?&#].*)?$/i;
const CHAT_ID = /^\+?(\d+)(?::\d+)?@(?:s\.whatsapp\.net|c\.us)$/i;

/**
 * The value in ASCII digits and punctuation, without what may surround a number, and with a plus sign if its
 * country code is certain. It need not be a phone number.
 * @param name what the value is in an error
 * @throws InputError when it is neither text nor a whole number, or lost digits in a spreadsheet
 */
export function plainNotation(value: unknown, name: string): string {
	const notation = readNotation(value, name);
	if (!ROUNDED.test(notation)) return notation;
	throw new InputError(
		`${name} ${quote(String(value))} ends in zeros, like a number that a spreadsheet rounded`,
		'Format the spreadsheet column as text before pasting the numbers. If the number is right, write it with a plus sign.',
	);
}

/** A spreadsheet exports 919876543210 as 9.19877E+11, and reads that as 919877000000. */
const ROUNDED = /^[1-9]\d{4,}0{6}$/;

function readNotation(value: unknown, name: string): string {
	if (typeof value === 'number') return wholeNumber(value, name);
	if (typeof value === 'bigint') return String(value);
	const raw = rawText(value, name);
	const text = clean(raw);
	if (!text) {
		throw new InputError(
			`${name} is empty`,
			'Enter or map a phone number with its country code, for example +14155552671.',
		);
	}
	checkText(raw, name);
	const chat = CHAT_LINK.exec(text) ?? CHAT_ID.exec(text);
	return chat ? `+${chat[1]}` : fromSpreadsheet(text.replace(ADDRESS_PREFIX, ''), name);
}

/** Longer than any notation, also than a link with a text. Keeps the patterns fast. */
const MAX_NOTATION_LENGTH = 1000;

function rawText(value: unknown, name: string): string {
	if (value === undefined || value === null) return '';
	if (typeof value === 'string' && value.length <= MAX_NOTATION_LENGTH) return value;
	const what =
		typeof value === 'string' ? 'a long text' : (containerName(value) ?? `a ${typeof value}`);
	throw new InputError(
		`${name} is not a phone number but ${what}`,
		'Map the one field that holds the phone number.',
	);
}

function wholeNumber(value: number, name: string): string {
	if (Number.isSafeInteger(value) && value >= 0) return String(value);
	throw notWhole(String(value), name);
}

function notWhole(value: string, name: string): InputError {
	return new InputError(
		`${name} ${quote(value)} is a number that lost digits or is not whole`,
		'Format the spreadsheet column as text before pasting the numbers.',
	);
}

const DASHES = /[\u2010-\u2015\u2212\u30fc_]/g;
const FULL_WIDTH = /[\uff01-\uff5e]/g;
/** From an ASCII character to its full-width form. */
const FULL_WIDTH_OFFSET = 0xfee0;
const QUOTES_BEFORE = /^[\s'"‘’“”=]+/;
const QUOTES_AFTER = /[\s'"‘’“”,;.]+$/;
const PLUS_SIGNS = /^\+(?:\s*\+)+/;
/** No other word: it may say that the customer wants no messages. */
const USE = /\s*\((?:whats\s?app|wa|mob(?:ile)?|cell|phone|home|work|office)\)$/i;

function clean(text: string): string {
	return asciiDigits(withoutInvisible(text))
		.replace(DASHES, '-')
		.replace(FULL_WIDTH, (form) => String.fromCharCode(form.charCodeAt(0) - FULL_WIDTH_OFFSET))
		.replace(QUOTES_BEFORE, '')
		.replace(QUOTES_AFTER, '')
		.replace(PLUS_SIGNS, '+')
		.replace(USE, '');
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

const SCIENTIFIC = /^\+?(\d+)(?:[.,](\d+))?e\+?(\d+)$/i;
/** Groups of three digits, or of two before the last three, as in India. */
const THOUSANDS = /^\+?\d{1,3}(?:,\d{2,3})+,\d{3}(?=\.0+$|$)/;
/** Behind a short group of digits, several zeros may be a group as well: 06 12 34 56.00 or 98765.00000. */
const DECIMAL_ZEROS = /^([^.,]*(?:\d(?=.0$)|\d{4}(?=.00$)|\d{6}))[.,]0+$/;
const DECIMALS = /^[^.]*\d{5}\.\d{1,2}$/;

/** Spreadsheets export numbers as 919876543210.0, 919,876,543,210 or 9.19876543210E+11. */
function fromSpreadsheet(text: string, name: string): string {
	const scientific = SCIENTIFIC.exec(text);
	if (!scientific) {
		const whole = text
			.replace(THOUSANDS, (digits) => digits.replace(/,/g, ''))
			.replace(DECIMAL_ZEROS, '$1');
		if (DECIMALS.test(whole)) throw notWhole(text, name);
		return whole;
	}
	const [, whole, fraction = '', exponent] = scientific;
	if (fraction.length !== Number(exponent)) {
		throw new InputError(
			`${name} ${quote(text)} is in scientific notation and lost digits`,
			'Format the spreadsheet column as text or as a number without decimals, and paste it again.',
		);
	}
	return whole + fraction;
}
