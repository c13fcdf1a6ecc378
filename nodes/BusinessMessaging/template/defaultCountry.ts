import { InputError, quote } from '../errors/inputError';
import { getCountries } from './libphonenumber';
import type { CountryCode } from './libphonenumber';

/**
 * An ISO 3166 code of two letters, in any case; undefined when there is none.
 * @throws InputError when no country has it
 */
export function readDefaultCountry(value: string): CountryCode | undefined {
	const code = value.trim().toUpperCase();
	if (!code) return undefined;
	const country = getCountries().find((candidate) => candidate === code);
	if (country) return country;
	throw new InputError(
		`The default country ${quote(value)} is not a country code`,
		'Use two letters such as IN, US or DE.',
	);
}
