import fc from 'fast-check';
import examples from 'libphonenumber-js/examples.mobile.json';
import { getCountries, getExampleNumber } from 'libphonenumber-js/min';

/** A mobile number of each country whose numbers are long enough to be sent to. */
const MOBILE_NUMBERS = getCountries().flatMap((country) => {
	const number = getExampleNumber(country, examples);
	return number && number.nationalNumber.length > 4 ? [{ country, number }] : [];
});

export const anyMobileNumber = fc.constantFrom(...MOBILE_NUMBERS);
