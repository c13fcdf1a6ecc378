import { getCountries, getCountryCallingCode } from 'libphonenumber-js/min';
import type { IDisplayOptions, INodeProperties, INodePropertyOptions } from 'n8n-workflow';

/** Shows a field for one operation only. */
export function showFor(operation: string): IDisplayOptions {
	return { show: { resource: ['message'], operation: [operation] } };
}

const countryNames = new Intl.DisplayNames(['en'], { type: 'region' });

const countries: INodePropertyOptions[] = getCountries()
	.map((code) => ({
		name: `${countryNames.of(code) ?? code} (+${getCountryCallingCode(code)})`,
		value: code,
	}))
	.sort((a, b) => a.name.localeCompare(b.name, 'en'));

export const defaultCountryField: INodeProperties = {
	displayName: 'Default Country',
	name: 'defaultCountry',
	type: 'options',
	options: [{ name: 'None', value: '' }, ...countries],
	default: '',
	description: 'The country of numbers that have no plus sign and country code',
};

export const rawResponseField: INodeProperties = {
	displayName: 'Raw Response',
	name: 'rawResponse',
	type: 'boolean',
	default: false,
	description:
		'Whether to output the whole answer of the API, with its HTTP status and rate limit, instead of the message fields',
};

export const timeoutField: INodeProperties = {
	displayName: 'Timeout',
	name: 'timeout',
	type: 'number',
	typeOptions: { minValue: 1, maxValue: 300 },
	default: 30,
	description: 'How many seconds to wait for an answer of the API',
};

const MIN_TIMEOUT_S = 1;
const MAX_TIMEOUT_S = 300;
const DEFAULT_TIMEOUT_S = 30;

/** `options.timeout` in ms, kept within what the editor allows. */
export function timeoutMs(seconds: unknown): number {
	const value = Number(seconds ?? DEFAULT_TIMEOUT_S);
	const usable = Number.isFinite(value) && value > 0 ? value : DEFAULT_TIMEOUT_S;
	return Math.min(Math.max(usable, MIN_TIMEOUT_S), MAX_TIMEOUT_S) * 1000;
}
