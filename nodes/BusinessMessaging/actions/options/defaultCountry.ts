import type { IExecuteFunctions, INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { getCountries, getCountryCallingCode } from '../../bundled/libphonenumber';
import { enteredAt } from '../../parameters';
import { isBlank, isExpression } from '../../values';

const countryNames = new Intl.DisplayNames(['en'], { type: 'region' });

const countries: INodePropertyOptions[] = getCountries()
	.map((code) => ({
		name: `${countryNames.of(code) ?? code} (+${getCountryCallingCode(code)})`,
		value: code,
	}))
	.sort((a, b) => a.name.localeCompare(b.name, 'en'));

export const defaultCountryField = {
	displayName: 'Default Country',
	name: 'defaultCountry',
	type: 'options',
	options: [{ name: 'None', value: '' }, ...countries],
	default: '',
	description: 'The country of numbers without plus sign and country code',
} as const satisfies INodeProperties;

/** @returns null if it is an expression that gives nothing: a number could then be taken for one of another country */
export function readDefaultCountry(
	value: unknown,
	context: IExecuteFunctions,
	itemIndex: number,
): string | null {
	if (!isBlank(value)) return String(value);
	const entered = enteredAt(context, itemIndex, `options.${defaultCountryField.name}`);
	return isExpression(entered) ? null : '';
}
