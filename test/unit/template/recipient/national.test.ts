import fc from 'fast-check';
import examples from 'libphonenumber-js/examples.mobile.json';
import { getExampleNumber } from 'libphonenumber-js/min';
import type { CountryCode } from 'libphonenumber-js/min';

import { readRecipient } from '../../../../nodes/BusinessMessaging/template/recipient';
import { anyMobileNumber } from '../../../support/mobileNumbers.ts';

// README, Send to a spreadsheet: Default Country
describe('a national number', () => {
	it.each([
		['9876543210', 'IN', '+919876543210'],
		['09876543210', 'IN', '+919876543210'],
		['(0)98765 43210', ' in ', '+919876543210'],
		['919876543210', 'IN', '+919876543210'],
		['020 7946 0958', 'GB', '+442079460958'],
		['089/1234567', 'DE', '+49891234567'],
		['415-555-2671', 'US', '+14155552671'],
		['14155552671', 'US', '+14155552671'],
		['011 44 20 7946 0958', 'US', '+442079460958'],
		['89111234567', 'RU', '+79111234567'],
		['79111234567', 'RU', '+79111234567'],
		['06 12345678', 'IT', '+390612345678'],
		['6591234567', 'SG', '+6591234567'],
		['4915123456789', 'DE', '+4915123456789'],
		['6281234567890', 'ID', '+6281234567890'],
	])('%s of the default country %s is %s', (text, country, expected) => {
		expect(readRecipient(text, country)).toBe(expected);
	});

	it('of any country is read with it as the default country, as people there write it', () => {
		fc.assert(
			fc.property(anyMobileNumber, ({ country, number }) => {
				expect(readRecipient(number.formatNational(), country)).toBe(number.number);
				expect(readRecipient(number.nationalNumber, country)).toBe(number.number);
				expect(readRecipient(number.number, country)).toBe(number.number);
			}),
		);
	});

	it('is refused without a default country', () => {
		fc.assert(
			fc.property(
				fc.constantFrom<CountryCode>('US', 'IN', 'GB', 'FR', 'SG', 'NO'),
				fc.stringMatching(/^[2-9]\d{9}$/),
				(country, digits) => {
					expect(() => readRecipient(digits)).toThrow('has no country code');
					const example = getExampleNumber(country, examples)?.formatNational();
					expect(() => readRecipient(example)).toThrow('has no country code');
				},
			),
		);
	});

	it.each([
		['501-234-5678', 'would be in Belize'],
		['(656) 999-1234', 'would be in Singapore'],
		['0919876543210', 'begins with a trunk zero'],
		['011 44 20 7946 0958', 'begins with a zero'],
		['95215512345678', 'ends like a mobile number of Mexico'],
		['52155123456789', 'is longer than a mobile number of Mexico'],
	])('%s without a default country is refused: it %s', (text) => {
		expect(() => readRecipient(text)).toThrow('has no country code');
	});

	it.each([
		['0919876543210', 'IN'],
		['442079460958', 'IN'],
		['15512345678', 'MX'],
		['2024-05-01', 'IN'],
		['98765', 'IN'],
	])('%s is refused when the default country is %s, which has no such number', (text, country) => {
		expect(() => readRecipient(text, country)).toThrow(
			`is not a number of the default country ${country}`,
		);
	});

	it.each([
		['3906123456', 'IT', '39'],
		['62812345678', 'ID', '62'],
	])('%s with the default country %s has two readings and is refused', (text, country, code) => {
		expect(() => readRecipient(text, country)).toThrow(
			`can be read with and without the country code ${code}`,
		);
	});

	it.each([['XX'], ['usa'], ['+49'], ['Germany']])(
		'the default country %s is refused',
		(country) => {
			expect(() => readRecipient('9876543210', country)).toThrow('is not a country code');
		},
	);
});
