import { InputError, quote } from '../errors/inputError';
import { readDefaultCountry } from './defaultCountry';
import { getCountryCallingCode, parsePhoneNumberFromString } from './libphonenumber';
import type { CountryCode, PhoneNumber } from './libphonenumber';
import { plainNotation } from './notation';
import { remedyForRuin } from './text';

const MIN_DIGITS = 7;
const MAX_DIGITS = 15;
/** With fewer digits and no plus sign, a national number reads like one of another country. */
const MIN_DIGITS_WITH_CODE = 11;
const MAX_DIGITS_WITHOUT_CODE = 11;
const EXAMPLE = '+14155552671';

/** In a text without spaces: a word or sign and a few digits at the end, or pauses and digits. */
const EXTENSION = /\d[)\]]?[([]?[,;]*(?:\p{L}+\.?|[#~])[:=.]?\d{1,7}[)\]#]*$|\d,+\d{1,7}#?$/u;
const SEPARATED = /[,;|&\r\n]|\d[^+]*\+/;
/** 1234567/68 stands for two numbers, but 089/1234567 is one. */
const ALTERNATIVE_ENDING = /\d\s*\/\s*\d{1,2}$/;
const NUMBER_CHARACTERS = /^(?:\(?\+\s*)?[\d(][\d\s().\-/]*$/;
/** Mexico's mobile numbers still carry the retired 1 on messaging networks. */
const MEXICAN_MOBILE = /^521\d{10}$/;

/**
 * A phone number in any common notation as E.164 (4.1: plus sign, country code, number).
 * @param value text, or the number that a spreadsheet cell gives
 * @param defaultCountry ISO 3166 code of the country of numbers without a country code
 * @param name what it is called in an error, at the beginning of a sentence
 * @throws InputError when it can't be read, is ambiguous, has an extension, or an impossible length
 */
export function readRecipient(value: unknown, defaultCountry = '', name = 'The recipient'): string {
	const country = readDefaultCountry(defaultCountry);
	const number = plainNotation(value, name);
	const shown = `${name} ${quote(String(value))}`;
	if (EXTENSION.test(number.replace(/\s/g, ''))) {
		throw new InputError(
			`${shown} has an extension`,
			'Messages go to a number without an extension: remove it or use a mobile number.',
		);
	}
	if (SEPARATED.test(number) || ALTERNATIVE_ENDING.test(number)) {
		throw new InputError(
			`${shown} contains more than one number`,
			'Use one item per number, for example with the Split Out node.',
		);
	}
	if (!NUMBER_CHARACTERS.test(number)) {
		throw new InputError(
			`${shown} is not a phone number`,
			remedyForRuin(number) ?? `Use digits with the country code, for example ${EXAMPLE}.`,
		);
	}
	return parseNumber(number, country, shown);
}

function parseNumber(number: string, country: CountryCode | undefined, shown: string): string {
	const digits = number.replace(/\D/g, '');
	if (digits.length < MIN_DIGITS - 2 || digits.length > MAX_DIGITS + 4) {
		throw wrongLength(shown, digits.length);
	}
	const hasPlus = number.includes('+');
	const international = hasPlus || digits.startsWith('00');
	const parsed = international
		? fromInternational(digits, hasPlus)
		: country
			? fromNational(digits, country, shown)
			: fromBareDigits(digits);
	if (!parsed) {
		const count = digits.replace(/^00/, '').length;
		throw count > MAX_DIGITS
			? wrongLength(shown, count)
			: unreadable(shown, international, country);
	}
	const length = parsed.number.length - 1;
	if (length < MIN_DIGITS || length > MAX_DIGITS) throw wrongLength(shown, length);
	return parsed.number;
}

/**
 * With a plus sign a number passes as it is typed, whatever its country's plan says. 00 is another
 * prefix in some countries (0011, 001): there the rest must fit a plan.
 */
function fromInternational(digits: string, hasPlus: boolean): PhoneNumber | undefined {
	const fullNumber = digits.replace(/^00/, '');
	const parsed = withCode(fullNumber);
	const asTyped = parsed?.number === `+${fullNumber}`;
	if (hasPlus && asTyped) return parsed;
	const fits = parsed?.isValid() || (asTyped && parsed.isPossible());
	return fits ? parsed : mexican(fullNumber);
}

function fromNational(
	digits: string,
	country: CountryCode,
	shown: string,
): PhoneNumber | undefined {
	const national = valid(parsePhoneNumberFromString(digits, country));
	const code = getCountryCallingCode(country);
	const full = digits.startsWith(code) ? valid(withCode(digits)) : undefined;
	if (national && full && national.number !== full.number) {
		if (digits.length > MAX_DIGITS_WITHOUT_CODE) return full;
		throw new InputError(
			`${shown} can be read with and without the country code ${code}`,
			'Write it with a plus sign and the country code.',
		);
	}
	return national ?? mexican(digits);
}

/** Without a plus sign and a default country a wrong guess would reach a stranger. */
function fromBareDigits(digits: string): PhoneNumber | undefined {
	if (digits.length < MIN_DIGITS_WITH_CODE) return undefined;
	return valid(withCode(digits)) ?? mexican(digits);
}

function withCode(digits: string): PhoneNumber | undefined {
	return parsePhoneNumberFromString(`+${digits}`);
}

function mexican(digits: string): PhoneNumber | undefined {
	return MEXICAN_MOBILE.test(digits) ? withCode(digits) : undefined;
}

function valid(number: PhoneNumber | undefined): PhoneNumber | undefined {
	return number?.isValid() ? number : undefined;
}

function unreadable(shown: string, international: boolean, country?: string): InputError {
	if (international) {
		return new InputError(
			`${shown} has no known country code`,
			`Check the digits after the plus sign, for example ${EXAMPLE}.`,
		);
	}
	return country
		? new InputError(
				`${shown} is not a number of the default country ${country}`,
				'Check the number of digits, or write it with a plus sign and its own country code.',
			)
		: new InputError(
				`${shown} has no country code`,
				`Write it with a plus sign and the country code, for example ${EXAMPLE}, or choose a Default Country under Options.`,
			);
}

function wrongLength(shown: string, digits: number): InputError {
	return new InputError(
		`${shown} has ${digits === 1 ? '1 digit' : `${digits} digits`}, but a phone number has ${MIN_DIGITS} to ${MAX_DIGITS}`,
		`Use the whole number with the country code, for example ${EXAMPLE}.`,
	);
}
