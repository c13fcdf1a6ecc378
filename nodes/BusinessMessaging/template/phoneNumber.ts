import {
	type CountryCode,
	getCountries,
	getCountryCallingCode,
	numberingPlanOf,
	parsePhoneNumberFromString,
	type PhoneNumber,
} from '../bundled/libphonenumber';
import { InputError, quote } from '../inputError';
import { plainNotation } from './phoneNotation';

const MIN_DIGITS = 7;
const MAX_DIGITS = 15;
/** Without the country code. Hardly any number that gets messages is longer. */
const MAX_NATIONAL_DIGITS = 11;
const EXAMPLE = '+14155552671';

/** Without its marks, a date is a number where numbers have 8 digits. Haiti's 34-10-1999 is none. */
const CALENDAR_DATE =
	/^(?:(?:19|20)\d\d([-/.] ?)[0-3]?\d\1[0-3]?\d|(?:[0-2]?\d|3[01])([-/.] ?)(?:[0-2]?\d|3[01])\2(?:19|20)\d\d)(?:[T\s,].*)?$/;
const SEPARATED = /\d\D*[,;|&\r\n]\D*\d/;
/** As from +91{{ $json.phone }} where the field has its own plus sign. */
const CODE_BEFORE_PLUS = /^\+?\d{1,3}[\s-]*\+/;
const SECOND_PLUS = /\d[^+]*\+/;
/** 1234567/68 means two numbers, but 089/1234567 one. */
const ALTERNATIVE_ENDING = /\d\s*\/\s*\d{1,2}$/;
/** The (0) of +44 (0)20, after the country code. */
const TRUNK_ZERO = /^(\D*(?:00\D*)?\d{1,3}\D*)\(\s*0\s*\)/;
const NUMBER_CHARACTERS = /^(?:\(?\+\s*)?[\d(][\d\s().\-/]*$/;

/**
 * A phone number in any common notation as E.164: plus sign, country code, number.
 * @param value text, or the number that a spreadsheet cell gives
 * @param defaultCountry ISO 3166 code of the country of numbers without a country code
 * @param name what the number is in an error, at the beginning of a sentence
 * @param remedyForSeveral what to do about more than one number
 * @throws InputError when it can't be read, is ambiguous, has an extension, or an impossible length
 */
export function readRecipient(
	value: unknown,
	defaultCountry = '',
	name = 'The recipient',
	remedyForSeveral = 'Use one item per number, for example with the Split Out node.',
): string {
	const { readings, shown } = read(value, defaultCountry, name, remedyForSeveral);
	if (readings.length === 1) return readings[0];
	throw new InputError(
		`${shown} can be read as ${readings.join(' and as ')}`,
		'Write the one that you mean, with its plus sign.',
	);
}

/**
 * Every number that the value may be: a list only compares, so a wrong guess reaches nobody.
 * @returns the number that a recipient would be first, or both if a recipient would be ambiguous; then the number with a
 * country code of its own, if digits without a plus sign have one
 * @throws InputError as `readRecipient` does, if there is none
 */
export function readingsOf(
	value: unknown,
	defaultCountry: string,
	name: string,
	remedyForSeveral: string,
): string[] {
	return read(value, defaultCountry, name, remedyForSeveral, true).readings;
}

/** @param withOwnCode whether digits without a plus sign are also read with a country code of their own */
function read(
	value: unknown,
	defaultCountry: string,
	name: string,
	remedyForSeveral: string,
	withOwnCode = false,
): { readings: string[]; shown: string } {
	if (typeof value === 'string' && PLAIN.test(value)) return { readings: [value], shown: value };
	const country = findCountry(defaultCountry);
	const number = plainNotation(value, name);
	const shown = `${name} ${quote(String(value))}`;
	if (CALENDAR_DATE.test(number)) {
		throw new InputError(
			`${shown} is a date`,
			'Map the one field that holds the phone number. If this is one, write it with its country code and a plus sign.',
		);
	}
	if (CODE_BEFORE_PLUS.test(number)) {
		throw new InputError(
			`${shown} begins with two country codes`,
			'Remove the first one. It may stand before an expression, as in +91{{ $json.phone }}.',
		);
	}
	if ([SEPARATED, SECOND_PLUS, ALTERNATIVE_ENDING].some((pattern) => pattern.test(number))) {
		throw new InputError(`${shown} contains more than one number`, remedyForSeveral);
	}
	if (!NUMBER_CHARACTERS.test(number)) {
		throw new InputError(
			`${shown} is not a phone number`,
			`Use digits with the country code, without an extension, for example ${EXAMPLE}.`,
		);
	}
	const isInternational = number.includes('+') || digitsOf(number).startsWith('00');
	const parsed = isInternational
		? fromInternational(number, country)
		: country
			? fromNational(number, country)
			: fromBareDigits(number);
	const hasOwnCode = withOwnCode && country && !isInternational;
	const own = hasOwnCode ? validWithCode(digitsOf(number)) : undefined;
	const readings = new Set([...parsed, ...(own ? [own] : [])].map((each) => each.number as string));
	if (readings.size > 0) return { readings: [...readings], shown };
	throw unreadableNumber(shown, digitsOf(number), isInternational, country);
}

function unreadableNumber(
	shown: string,
	digits: string,
	isInternational: boolean,
	country?: CountryCode,
): InputError {
	const fullNumber = digits.replace(/^00/, '');
	const { length } = fullNumber;
	if (length > MAX_DIGITS || (isInternational && length < MIN_DIGITS)) {
		return new InputError(
			`${shown} has ${length} digits, but a phone number has ${MIN_DIGITS} to ${MAX_DIGITS}`,
			`Use the whole number with the country code, for example ${EXAMPLE}.`,
		);
	}
	if (isInternational) {
		const code = parseInternational(fullNumber)?.countryCallingCode;
		return new InputError(
			code === undefined
				? `${shown} has no known country code`
				: `${shown} is not a number with the country code ${code}`,
			`Check the country code, which comes once, and the digits after it, without a trunk prefix such as 0, for example ${EXAMPLE}.`,
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

/**
 * @param digits with the country code, without a plus sign
 * @returns the number as E.164; undefined if its country has no such number
 */
export function validNumber(digits: string): string | undefined {
	return /\D/.test(digits) ? undefined : valid(parseInternational(digits))?.number;
}

/** @param number as E.164 */
export function callingCodeOf(number: string): string | undefined {
	return parsePhoneNumberFromString(number)?.countryCallingCode;
}

function fromInternational(number: string, country?: CountryCode): PhoneNumber[] {
	const readAll = (text: string) => {
		const digits = digitsOf(text);
		return digits.startsWith('00') ? fromExitCode(digits, country) : eitherOf([], fromPlus(digits));
	};
	const withoutZero = number.replace(TRUNK_ZERO, '$1');
	if (withoutZero === number) return readAll(number);
	// Some countries keep the zero, and Italy only in its landlines.
	return eitherOf([...readAll(number), ...readAll(withoutZero)]);
}

/** Passes as typed, even if the numbering plan of its country does not have the number: its length is enough. */
function fromPlus(digits: string): PhoneNumber | undefined {
	const parsed = parseInternational(digits);
	const isAsTyped = parsed?.number === `+${digits}`;
	return isAsTyped && hasPossibleLength(parsed) ? parsed : validWithCode(digits);
}

function fromExitCode(digits: string, country?: CountryCode): PhoneNumber[] {
	// Australia's exit code. No area code of +1 begins with 1.
	const full = digits.startsWith('0011') ? undefined : fromPlus(digits.slice(2));
	// In some countries the exit code is longer, such as 001.
	const dialled = country ? parsePhoneNumberFromString(digits, country) : undefined;
	// Freephone numbers that begin with 00, as in Japan, get no messages.
	const abroad = dialled?.nationalNumber.startsWith('00') ? undefined : dialled;
	return eitherOf([full, abroad], full);
}

function fromNational(text: string, country: CountryCode): PhoneNumber[] {
	const digits = digitsOf(text);
	const national = parsePhoneNumberFromString(digits, country);
	const hasCode = digits.startsWith(getCountryCallingCode(country));
	const full = hasCode ? valid(parseInternational(digits)) : undefined;
	if (full && digits.length > MAX_NATIONAL_DIGITS) return [full];
	const foreign = valid(national) && !isMobile(national) ? foreignMobile(text) : undefined;
	return eitherOf([national, full ?? foreign], mexican(digits));
}

/** The mobile number that digits without a plus sign are, if they begin with its country code. */
function foreignMobile(text: string): PhoneNumber | undefined {
	// What begins in parentheses is an area code.
	const foreign = /^\d/.test(text) ? valid(parseInternational(digitsOf(text))) : undefined;
	return isMobile(foreign) ? foreign : undefined;
}

/**
 * The valid ones. If they differ, a wrong guess would reach a stranger.
 * @param otherwise what passes without being valid
 */
function eitherOf(numbers: Array<PhoneNumber | undefined>, otherwise?: PhoneNumber): PhoneNumber[] {
	const validNumbers = numbers.flatMap((number) => valid(number) ?? []);
	return validNumbers.length === 0 && otherwise ? [otherwise] : validNumbers;
}

/** Takes valid numbers with a country code only, because a wrong guess would reach a stranger. */
function fromBareDigits(text: string): PhoneNumber[] {
	const digits = digitsOf(text);
	// A shorter national number reads like one of another country, and what begins in parentheses is an area code.
	const isReadable = digits.length >= 11 && !text.startsWith('(');
	return eitherOf([], isReadable ? validWithCode(digits) : undefined);
}

function validWithCode(digits: string): PhoneNumber | undefined {
	return valid(parseInternational(digits)) ?? mexican(digits);
}

function digitsOf(text: string): string {
	return text.replace(/\D/g, '');
}

function parseInternational(digits: string): PhoneNumber | undefined {
	return parsePhoneNumberFromString(`+${digits}`);
}

/** Mexico's mobile numbers still have the retired 1 on messaging networks, which no plan has. */
function mexican(digits: string): PhoneNumber | undefined {
	return /^521\d{10}$/.test(digits) ? parseInternational(digits) : undefined;
}

/**
 * What mobile numbers have or lack on messaging networks: Mexico's retired 1, Argentina's 9, and the 9 that Brazil put
 * before its mobile numbers, which began with 6 to 9.
 */
const OPTIONAL_DIGIT = /(?<=\+52)1(?=\d{10}$)|(?<=\+54)9(?=\d{10}$)|(?<=\+55\d\d)9(?=[6-9]\d{7}$)/;

/** One text for each phone, for comparing only. */
export function phoneOf(number: string): string {
	return number.replace(OPTIONAL_DIGIT, '');
}

/**
 * By the pattern of all numbers of its country. `isValid()` knows only what was assigned before the library was
 * published, and in a year some countries assign a third of their mobile numbers.
 */
function valid(number: PhoneNumber | undefined): PhoneNumber | undefined {
	if (!number || !hasPossibleLength(number)) return undefined;
	if (!number.country) return number.isValid() ? number : undefined;
	const pattern = numberingPlanOf(number.country).nationalNumberPattern();
	return new RegExp(`^(?:${pattern})$`).test(number.nationalNumber) ? number : undefined;
}

/** The others, such as freephone numbers, get no messages. */
const TYPES_WITH_MESSAGES = ['MOBILE', 'FIXED_LINE', 'VOIP', 'PERSONAL_NUMBER'];
/** Côte d'Ivoire and Benin have made their numbers longer, but messaging networks still have the former ones. */
const FORMER_LENGTHS: Record<string, number | undefined> = { 225: 8, 229: 8 };

/** Of numbers that get messages, without the country code. */
function lengthsOf(code: string): Array<number | undefined> {
	// Of the main country: others that share its code have numbers of the same lengths.
	const plan = numberingPlanOf(code);
	const now = TYPES_WITH_MESSAGES.flatMap((type) => plan.type(type)?.possibleLengths());
	return [...now, FORMER_LENGTHS[code]].filter((length = 0) => {
		const digits = code.length + length;
		return digits >= MIN_DIGITS && digits <= MAX_DIGITS;
	});
}

function hasPossibleLength({ countryCallingCode, nationalNumber }: PhoneNumber): boolean {
	return lengthsOf(countryCallingCode).includes(nationalNumber.length);
}

/** A regular expression for numbers that parsing would leave as they are. */
function plainPattern(country: CountryCode): string {
	const code = getCountryCallingCode(country);
	const national = lengthsOf(code).map((length) => `\\d{${length}}`);
	return `${code}(?!${numberingPlanOf(code).nationalPrefixForParsing()})(?:${national.join('|')})`;
}

/** Spares parsing. A list may have 100,000 numbers. */
const PLAIN = new RegExp(`^\\+(?:${getCountries().map(plainPattern).join('|')})$`);

/** In North America, whose plan does not tell one from the other, a landline as well. */
function isMobile(number: PhoneNumber | undefined): boolean {
	return number?.getType()?.endsWith('MOBILE') === true;
}

/** @throws InputError when the code is not one of ISO 3166, in any case */
export function findCountry(value: string): CountryCode | undefined {
	const code = value.trim().toUpperCase();
	if (!code) return undefined;
	const country = getCountries().find((candidate) => candidate === code);
	if (country) return country;
	throw new InputError(
		`The default country ${quote(value)} is not a country code`,
		'Use two letters such as IN, US, or GB for the United Kingdom.',
	);
}
