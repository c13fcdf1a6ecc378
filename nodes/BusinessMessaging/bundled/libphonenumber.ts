/** By far the largest part of the package, which has it once, as a file that both nodes load. */
import { Metadata } from 'libphonenumber-js/core';
import type { CountryCode, NumberingPlan } from 'libphonenumber-js/max';
import metadata from 'libphonenumber-js/max/metadata';

export {
	getCountries,
	getCountryCallingCode,
	parsePhoneNumberFromString,
} from 'libphonenumber-js/max';
export type { CountryCode, PhoneNumber } from 'libphonenumber-js/max';

/** With what the library's types leave out. */
interface NumberingPlanInFull extends NumberingPlan {
	nationalNumberPattern(): string;
	/** A regular expression, or the number 0 if there is none. */
	nationalPrefixForParsing(): string | number;
	type(name: string): { possibleLengths(): number[] } | undefined;
}

/** @param place a country, or a country code */
export function numberingPlanOf(place: string): NumberingPlanInFull {
	const plans = new Metadata(metadata);
	plans.selectNumberingPlan(place as CountryCode);
	return plans.numberingPlan as NumberingPlanInFull;
}
