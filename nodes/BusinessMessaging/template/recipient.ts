import { getCountries, parsePhoneNumberFromString } from 'libphonenumber-js/min';
import type { CountryCode, PhoneNumber } from 'libphonenumber-js/min';

import { InputError, quote } from '../inputError';

const MIN_DIGITS = 7;
const MAX_DIGITS = 15;
const EXAMPLE = '+14155552671';

/** What pasting brings along: zero-width and direction marks, byte order mark, soft hyphen. */
const INVISIBLE = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;
const DASHES = /[\u2010-\u2015\u2212\uff0d]/g;
const ADDRESS_PREFIX = /^(?:tel:|whatsapp:|(?:https?:\/\/)?wa\.me\/)\s*/i;
const CHAT_ID_SUFFIX = /@(?:s\.whatsapp\.net|c\.us)$/i;
const EXTENSION = /(?:\bext(?:ension|n)?\.?|x|#|~|;\s*ext\s*=)\s*:?\s*\d+\s*$/i;
const NUMBER_CHARACTERS = /^\+?[\d\s().\-/]+$/;
const SCIENTIFIC = /^\+?(\d+)(?:[.,](\d+))?e\+?(\d+)$/i;
/** Mexico's mobile numbers still carry the retired 1 on messaging networks. */
const MEXICAN_MOBILE = /^521\d{10}$/;

/**
 * A phone number in any common notation as E.164 (4.1: plus sign, country code, number).
 * @param value text, or the number that a spreadsheet cell gives
 * @param defaultCountry ISO 3166 code of the country of numbers without a country code
 * @throws InputError when it can't be read, is ambiguous, has an extension, or an impossible length
 */
export function readRecipient(value: unknown, defaultCountry?: unknown): string {
	const country = readCountry(defaultCountry);
	const text = clean(asText(value));
	const shown = quote(value);
	if (EXTENSION.test(text)) {
		throw new InputError(
			`The recipient ${shown} has an extension`,
			'Messages go to a number without an extension: remove it or use a mobile number.',
		);
	}
	if (/[,;|\n]|\/\s*\+/.test(text)) {
		throw new InputError(
			`The recipient ${shown} contains more than one number`,
			'Use one item per number, for example with the Split Out node.',
		);
	}
	const number = toAsciiDigits(text);
	if (!NUMBER_CHARACTERS.test(number)) {
		throw new InputError(
			`The recipient ${shown} is not a phone number`,
			`Use digits with the country code, for example ${EXAMPLE}.`,
		);
	}
	return parse(number, country, shown);
}

function parse(number: string, country: CountryCode | undefined, shown: string): string {
	const digits = number.replace(/\D/g, '');
	if (digits.length < MIN_DIGITS - 2 || digits.length > MAX_DIGITS + 4) {
		throw wrongLength(shown, digits.length);
	}
	const international = number.startsWith('+') || digits.startsWith('00');
	const parsed = international ? fromInternational(digits) : fromNational(digits, country);
	if (!parsed) throw unreadable(shown, international, country);
	const length = parsed.number.length - 1;
	if (length < MIN_DIGITS || length > MAX_DIGITS) throw wrongLength(shown, length);
	return parsed.number;
}

function fromInternational(digits: string): PhoneNumber | undefined {
	return parsePhoneNumberFromString(`+${digits.replace(/^0+/, '')}`, { extract: false });
}

/**
 * Without a plus sign a wrong guess would reach a stranger: the number must be possible in the
 * default country, or be a complete, valid one with its country code.
 */
function fromNational(digits: string, country?: CountryCode): PhoneNumber | undefined {
	if (country) {
		const national = parsePhoneNumberFromString(digits, { defaultCountry: country, extract: false });
		return national?.isPossible() || MEXICAN_MOBILE.test(digits) ? national : undefined;
	}
	if (digits.startsWith('0')) return undefined;
	const withCode = fromInternational(digits);
	return withCode?.isValid() || MEXICAN_MOBILE.test(digits) ? withCode : undefined;
}

function asText(value: unknown): string {
	if (typeof value === 'number') {
		if (!Number.isSafeInteger(value) || value < 0) {
			throw new InputError(
				`The recipient ${quote(String(value))} is a number that lost digits or is not whole`,
				'Format the spreadsheet column as text before pasting the numbers.',
			);
		}
		return String(value);
	}
	if (typeof value === 'bigint') return String(value);
	if (value === undefined || value === null || (typeof value === 'string' && !clean(value))) {
		throw new InputError(
			'The recipient is empty',
			`Enter or map a phone number with its country code, for example ${EXAMPLE}.`,
		);
	}
	if (typeof value !== 'string') {
		throw new InputError(
			`The recipient is not a phone number but ${Array.isArray(value) ? 'a list' : `${typeof value === 'object' ? 'an object' : `a ${typeof value}`}`}`,
			'Map the one field that holds the phone number.',
		);
	}
	return fromSpreadsheet(value);
}

/** Spreadsheets give numbers as text in their own notations: 919876543210.0, 9.19876543210E+11. */
function fromSpreadsheet(value: string): string {
	const text = clean(value);
	const scientific = SCIENTIFIC.exec(text);
	if (!scientific) return /^\d+\.0+$/.test(text) ? text.split('.')[0] : value;
	const [, whole, fraction = '', exponent] = scientific;
	if (fraction.length !== Number(exponent)) {
		throw new InputError(
			`The recipient ${quote(value)} is in scientific notation and lost digits`,
			'Format the spreadsheet column as text or as a number without decimals, and paste it again.',
		);
	}
	return whole + fraction;
}

function clean(text: string): string {
	return text
		.replace(INVISIBLE, '')
		.replace(DASHES, '-')
		.replace(/\uff0b/g, '+')
		.trim()
		.replace(/^['=]+/, '')
		.replace(ADDRESS_PREFIX, '')
		.replace(CHAT_ID_SUFFIX, '')
		.trim();
}

/** Digits of other scripts (Arabic, Devanagari, full width …) as 0-9. */
function toAsciiDigits(text: string): string {
	return text.replace(/\p{Nd}/gu, (digit) => {
		const code = digit.codePointAt(0) ?? 0;
		if (code < 0x80) return digit;
		let zero = code;
		while (code - zero < 9 && /\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero--;
		return String(code - zero);
	});
}

function readCountry(value: unknown): CountryCode | undefined {
	if (value === undefined || value === null) return undefined;
	const code = String(value).trim().toUpperCase();
	if (!code) return undefined;
	const country = getCountries().find((candidate) => candidate === code);
	if (!country) {
		throw new InputError(
			`The default country ${quote(value)} is not a country code`,
			'Use two letters such as IN, US or DE.',
		);
	}
	return country;
}

function unreadable(shown: string, international: boolean, country?: string): InputError {
	if (international) {
		return new InputError(
			`The recipient ${shown} has no known country code`,
			`Check the digits after the plus sign, for example ${EXAMPLE}.`,
		);
	}
	return country
		? new InputError(
				`The recipient ${shown} is not a number of the default country ${country}`,
				'Check the number of digits, or write it with a plus sign and its own country code.',
			)
		: new InputError(
				`The recipient ${shown} has no country code`,
				`Write it with a plus sign and the country code, for example ${EXAMPLE}, or choose a Default Country under Options.`,
			);
}

function wrongLength(shown: string, digits: number): InputError {
	return new InputError(
		`The recipient ${shown} has ${digits} digits, but a phone number has ${MIN_DIGITS} to ${MAX_DIGITS}`,
		`Use the whole number with the country code, for example ${EXAMPLE}.`,
	);
}
