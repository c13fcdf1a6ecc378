import {
	type CountryCode,
	getCountries,
	getCountryCallingCode,
	numberingPlanOf,
	parsePhoneNumberFromString,
	type PhoneNumber,
} from '../bundled/libphonenumber';
import { InputError, quote, refuseAs } from '../inputError';
import { plainNotation } from './phoneNotation';
import { remedyForLeftover } from './text';

const MIN_DIGITS = 7;
const MAX_DIGITS = 15;
/** Without the country code. Hardly any number that gets messages is longer. */
const MAX_NATIONAL_DIGITS = 11;
const EXAMPLE = '+14155552671';

/** In a number without spaces: a word or sign and up to seven digits at the end, or commas for pauses and digits. */
const EXTENSION = /\d[)\]]?[([]?[,;]*(?:\p{L}+\.?|[#~])[:=.]?\d{1,7}[)\]#]*$|\d,+\d{1,7}#?$/u;
/** Of the usual notations of numbers only Haiti's has groups of two, two and four digits, and it rarely fits. */
const DATE =
	/^(?:(?:19|20)\d\d([-/.])[0-3]?\d\1[0-3]?\d|(?:[0-2]?\d|3[01])([-/.])(?:[0-2]?\d|3[01])\2(?:19|20)\d\d)(?:[T\s]\d\d?:.*)?$/;
const SEPARATORS = /[,;|&\r\n]/;
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
 * @param defaultCountry ISO 3166 code of the country of numbers without a country code; null if there is one, but
 * nobody knows which
 * @param name what the number is in an error, at the beginning of a sentence
 * @param remedyForSeveral what to do about more than one number
 * @throws InputError when it can't be read, is ambiguous, has an extension, or an impossible length
 */
export function readRecipient(
	value: unknown,
	defaultCountry: string | null = '',
	name = 'The recipient',
	remedyForSeveral = 'Use one item per number, for example with the Split Out node.',
): string {
	const { number, country, shown } = notationOf(value, defaultCountry, name, remedyForSeveral);
	return parseNumber(number, country, shown);
}

/** A number in digits and punctuation, the country of one without a country code, and what an error calls it. */
interface Notation {
	number: string;
	country: Country;
	shown: string;
}

function notationOf(
	value: unknown,
	defaultCountry: string | null,
	name: string,
	remedyForSeveral: string,
): Notation {
	const country =
		defaultCountry === null ? null : refuseAs('wrongOption', () => findCountry(defaultCountry));
	const number = plainNotation(value, name);
	const shown = `${name} ${quote(String(value))}`;
	if (DATE.test(number)) {
		throw new InputError(
			`${shown} is a date`,
			'Map the one field that holds the phone number. If this is one, write it with its country code and a plus sign.',
		);
	}
	if (EXTENSION.test(number.replace(/\s/g, ''))) {
		throw new InputError(
			`${shown} has an extension`,
			'Messages go to a number without an extension: remove it or use a mobile number.',
		);
	}
	if (CODE_BEFORE_PLUS.test(number)) throw twoCodes(shown);
	const parts = number.split(SEPARATORS).filter((part) => /\d/.test(part));
	if (parts.length > 1 || SECOND_PLUS.test(number) || ALTERNATIVE_ENDING.test(number)) {
		throw new InputError(`${shown} contains more than one number`, remedyForSeveral);
	}
	if (!NUMBER_CHARACTERS.test(number)) {
		throw new InputError(
			`${shown} is not a phone number`,
			remedyForLeftover(number) ?? `Use digits with the country code, for example ${EXAMPLE}.`,
		);
	}
	return { number, country, shown };
}

/**
 * Every number that the value may be: a list only compares, so a wrong guess reaches nobody.
 * @returns the number that a recipient would be first, or both if a recipient would be ambiguous; then the number with a
 * country code of its own, if digits without a plus sign have one
 * @throws InputError as `readRecipient` does, if there is none
 */
export function readingsOf(
	value: unknown,
	defaultCountry: string | null,
	name: string,
	remedyForSeveral: string,
): string[] {
	const { number, country, shown } = notationOf(value, defaultCountry, name, remedyForSeveral);
	const own = country && !number.includes('+') ? validWithCode(digitsOf(number)) : undefined;
	const readings = own ? [own.number] : [];
	let problem: unknown;
	try {
		readings.unshift(parseNumber(number, country, shown));
	} catch (error) {
		problem = error;
		if (error instanceof AmbiguousNumber) readings.unshift(...error.readings);
	}
	if (readings.length === 0) throw problem;
	return readings;
}

/**
 * @param digits with the country code, without a plus sign
 * @returns the number as E.164; undefined if its country has no such number
 */
export function validNumber(digits: string): string | undefined {
	return /^\d+$/.test(digits) ? valid(parseInternational(digits))?.number : undefined;
}

/** @param number as E.164 */
export function callingCodeOf(number: string): string {
	return parseInternational(digitsOf(number))?.countryCallingCode ?? '';
}

type Country = CountryCode | null | undefined;

function parseNumber(number: string, country: Country, shown: string): string {
	const digits = digitsOf(number);
	// A country code of up to 3 digits may be added, and prefixes such as 00 dropped.
	if (digits.length < MIN_DIGITS - 2 || digits.length > MAX_DIGITS + 4) {
		throw wrongLength(shown, digits.length);
	}
	const international = number.includes('+') || digits.startsWith('00');
	const fullNumber = digits.replace(/^00/, '');
	const parsed = international
		? fromInternational(number, country, shown)
		: country
			? fromNational(number, country, shown)
			: country === undefined
				? fromBareDigits(digits, number)
				: undefined;
	if (international && !valid(parsed) && repeatsCode(fullNumber)) throw twoCodes(shown);
	if (!parsed) {
		const { length } = fullNumber;
		const isTooShort = international && length < MIN_DIGITS;
		if (isTooShort || length > MAX_DIGITS) throw wrongLength(shown, length);
		throw international ? wrongInternational(shown, digits) : notReadable(shown, country);
	}
	const length = parsed.number.length - 1;
	if (length < MIN_DIGITS || length > MAX_DIGITS) throw wrongLength(shown, length);
	return parsed.number;
}

function fromInternational(
	number: string,
	country: Country,
	shown: string,
): PhoneNumber | undefined {
	const read = (text: string) => {
		const digits = digitsOf(text);
		return digits.startsWith('00') ? fromExitCode(digits, country, shown) : fromPlus(digits);
	};
	const withoutZero = number.replace(TRUNK_ZERO, '$1');
	if (withoutZero === number) return read(number);
	// Some countries keep the zero, and Italy only in its landlines.
	return eitherValid(read(number), read(withoutZero), shown);
}

/** Passes as typed, even if the numbering plan of its country does not have the number: its length is enough. */
function fromPlus(digits: string): PhoneNumber | undefined {
	const parsed = parseInternational(digits);
	const isAsTyped = parsed?.number === `+${digits}`;
	return isAsTyped && hasPossibleLength(parsed) ? parsed : validWithCode(digits);
}

/** The number must fit a plan, because in some countries the exit code is longer, such as 0011 or 001. */
function fromExitCode(digits: string, country: Country, shown: string): PhoneNumber | undefined {
	const fullNumber = digits.slice(2);
	const full = LONGER_EXIT_CODE.test(digits) ? undefined : parseInternational(fullNumber);
	const dialled = country ? parsePhoneNumberFromString(digits, country) : undefined;
	// Freephone numbers that begin with 00, as in Japan, get no messages.
	const abroad = dialled?.nationalNumber.startsWith('00') ? undefined : dialled;
	const fits = full?.number === `+${fullNumber}` && hasPossibleLength(full);
	return eitherValid(full, abroad, shown) ?? (fits ? full : mexican(fullNumber));
}

/** No area code of +1 begins with 1. */
const LONGER_EXIT_CODE = /^0011/;

function fromNational(text: string, country: CountryCode, shown: string): PhoneNumber | undefined {
	const digits = digitsOf(text);
	const national = parsePhoneNumberFromString(digits, country);
	if (MADE_UP.test(digits) && !isMobile(national)) return undefined;
	const hasCode = digits.startsWith(getCountryCallingCode(country));
	const full = hasCode ? valid(parseInternational(digits)) : undefined;
	if (full && digits.length > MAX_NATIONAL_DIGITS) return full;
	const foreign = valid(national) && !isMobile(national) ? foreignMobile(text) : undefined;
	return eitherValid(national, full ?? foreign, shown) ?? mexican(digits);
}

/** What people type where a form asks for a number, such as 1234567890 and 1111111111. */
const MADE_UP = /^0?(?:1234567890?|(\d)\1+)$/;

/** The mobile number that digits without a plus sign are, if they begin with its country code. */
function foreignMobile(text: string): PhoneNumber | undefined {
	// What begins in parentheses is an area code.
	const foreign = /^\d/.test(text) ? valid(parseInternational(digitsOf(text))) : undefined;
	return isMobile(foreign) ? foreign : undefined;
}

/**
 * Whether the digits that were read as a national number are also a mobile number of another country.
 * @param value that `readRecipient` has read as the number
 */
export function couldBeForeign(value: unknown, number: string): boolean {
	const foreign = foreignMobile(plainNotation(value, ''));
	return foreign !== undefined && foreign.number !== number;
}

class AmbiguousNumber extends InputError {
	constructor(
		shown: string,
		readonly readings: string[],
	) {
		super(
			`${shown} can be read as ${readings.join(' and as ')}`,
			'Write the one that you mean, with its plus sign.',
		);
	}
}

/** @throws AmbiguousNumber when both readings are valid and differ: a wrong guess would reach a stranger */
function eitherValid(
	one: PhoneNumber | undefined,
	other: PhoneNumber | undefined,
	shown: string,
): PhoneNumber | undefined {
	const [first, second] = [valid(one), valid(other)];
	if (first && second && first.number !== second.number) {
		throw new AmbiguousNumber(shown, [first.number, second.number]);
	}
	return first ?? second;
}

/** Whether the number is too long for its country, but valid without its first country code. */
function repeatsCode(digits: string): boolean {
	const parsed = parseInternational(digits);
	if (!parsed) return false;
	const { countryCallingCode: code } = parsed;
	const rest = digits.slice(code.length);
	return !hasPossibleLength(parsed) && rest.startsWith(code) && validWithCode(rest) !== undefined;
}

/** Takes valid numbers with a country code only, because a wrong guess would reach a stranger. */
function fromBareDigits(digits: string, text: string): PhoneNumber | undefined {
	// A shorter national number reads like one of another country, and what begins in parentheses is an area code.
	if (digits.length < 11 || text.startsWith('(')) return undefined;
	return validWithCode(digits);
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
const OPTIONAL_DIGIT =
	/(?<=^\+52)1(?=\d{10}$)|(?<=^\+54)9(?=\d{10}$)|(?<=^\+55\d\d)9(?=[6-9]\d{7}$)/;

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
const FORMER_LENGTHS: Record<string, number[]> = { 225: [8], 229: [8] };

/** By country code. */
const possibleLengths = new Map<string, Set<number>>();

/** Whether the countries with the code have, or had, numbers of this length that get messages. */
function hasPossibleLength({ countryCallingCode, nationalNumber }: PhoneNumber): boolean {
	const code: string = countryCallingCode;
	const lengths = possibleLengths.get(code) ?? new Set(lengthsWithCode(code));
	possibleLengths.set(code, lengths);
	return lengths.has(nationalNumber.length);
}

function lengthsWithCode(code: string): number[] {
	const countries = getCountries().filter((country) => getCountryCallingCode(country) === code);
	// The codes of satellite phones belong to no country.
	const plans = (countries.length > 0 ? countries : [code]).map(numberingPlanOf);
	const now = plans.flatMap((plan) =>
		TYPES_WITH_MESSAGES.flatMap((type) => plan.type(type)?.possibleLengths() ?? []),
	);
	return [...now, ...(FORMER_LENGTHS[code] ?? [])];
}

/** In North America, whose plan does not tell one from the other, a landline as well. */
function isMobile(number: PhoneNumber | undefined): boolean {
	return number?.getType()?.endsWith('MOBILE') === true;
}

/** @throws InputError when the code is not one of ISO 3166, in any case */
function findCountry(value: string): CountryCode | undefined {
	const code = value.trim().toUpperCase();
	if (!code) return undefined;
	const country = getCountries().find((candidate) => candidate === code);
	if (country) return country;
	throw new InputError(
		`The default country ${quote(value)} is not a country code`,
		'Use two letters such as IN, US, or GB for the United Kingdom.',
	);
}

function wrongInternational(shown: string, digits: string): InputError {
	if (LONGER_EXIT_CODE.test(digits)) {
		return new InputError(
			`${shown} begins with 0011, which is not 00 and a country code`,
			`Write it with a plus sign and the country code, for example ${EXAMPLE}.`,
		);
	}
	const code = parseInternational(digits.replace(/^00/, ''))?.countryCallingCode;
	return code === undefined
		? new InputError(
				`${shown} has no known country code`,
				`Check the digits after the plus sign, for example ${EXAMPLE}.`,
			)
		: new InputError(
				`${shown} is not a number with the country code ${code}`,
				`Check the country code and the digits after it, without a trunk prefix such as 0, for example ${EXAMPLE}.`,
			);
}

function twoCodes(shown: string): InputError {
	return new InputError(
		`${shown} begins with two country codes`,
		'Remove the first one. It may stand before an expression, as in +91{{ $json.phone }}.',
	);
}

function notReadable(shown: string, country: Country): InputError {
	if (country === null) {
		return new InputError(
			`${shown} has no country code, and the expression in Default Country gives none`,
			`Correct the expression, or write the number with a plus sign and the country code, for example ${EXAMPLE}.`,
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
