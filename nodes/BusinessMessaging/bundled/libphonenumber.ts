/** By far the largest part of the package, which has it once, as a file that both nodes load. */
export {
	getCountries,
	getCountryCallingCode,
	Metadata,
	parsePhoneNumberFromString,
} from 'libphonenumber-js/min';
export type { CountryCode, NumberingPlan, PhoneNumber } from 'libphonenumber-js/min';
