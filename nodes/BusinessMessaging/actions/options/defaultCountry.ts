import type { IExecuteFunctions, INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { getCountries, getCountryCallingCode } from '../../bundled/libphonenumber';
import { InputError } from '../../inputError';
import { enteredAt } from '../../parameters';
import { findCountry } from '../../template/phoneNumber';
import { isBlank, isExpression } from '../../values';

const countryNames = new Intl.DisplayNames('en', { type: 'region' });

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

/**
 * @returns a code, or '' for none
 * @throws InputError when an expression gives none: a number could then be taken for one of another country
 */
export function readDefaultCountry(
	value: unknown,
	context: IExecuteFunctions,
	itemIndex: number,
): string {
	if (!isBlank(value)) return findCountry(String(value))!;
	const entered = enteredAt(context, itemIndex, `options.${defaultCountryField.name}`);
	if (!isExpression(entered)) return '';
	throw new InputError(
		'The expression in Default Country gives nothing',
		'Correct it, or use a fallback, for example {{ $json.country || "IN" }}.',
	);
}
