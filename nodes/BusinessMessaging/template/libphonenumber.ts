/** By far the largest part of the package: built as a file of its own, which both nodes load. */
export {
	getCountries,
	getCountryCallingCode,
	parsePhoneNumberFromString,
} from 'libphonenumber-js/min';
export type { CountryCode, PhoneNumber } from 'libphonenumber-js/min';
