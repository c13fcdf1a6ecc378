import fc from 'fast-check';

import { CATEGORIES } from '../../../nodes/BusinessMessaging/api';
import {
	PRICES,
	readCost,
	showAmount,
	sumOf,
} from '../../../nodes/BusinessMessaging/template/price';
import { PRICES as CHARGED } from '../../../playground/api/price.ts';

describe('prices', () => {
	// README, Good to know: estimates use the price list, Service is free
	it('are those of section 8.2, by which the local API charges as well', () => {
		expect(PRICES).toEqual({
			authentication: 0.115,
			utility: 0.115,
			marketing: 0.8631,
			service: 0,
		});
		expect(CHARGED).toEqual(PRICES);
		expect(Object.keys(PRICES).sort()).toEqual([...CATEGORIES].sort());
	});

	it('add up without the error of floating-point numbers', () => {
		expect(sumOf([])).toBe(0);
		expect(sumOf(Array<number>(3).fill(0.115))).toBe(0.345);
		expect(sumOf(Array<number>(10_000).fill(PRICES.marketing))).toBe(8631);
		expect(sumOf(Array<number>(10_000).fill(0.0003))).toBe(3);
	});

	it('add up to the count times the price', () => {
		fc.assert(
			fc.property(fc.nat(2000), fc.nat(2000), (utility, marketing) => {
				const prices = [
					...Array<number>(utility).fill(PRICES.utility),
					...Array<number>(marketing).fill(PRICES.marketing),
				];
				expect(sumOf(prices)).toBe((utility * 1150 + marketing * 8631) / 10_000);
			}),
			{ numRuns: 20 },
		);
	});

	it.each([
		[0, 'INR 0.00'],
		[0.115, 'INR 0.115'],
		[0.8631, 'INR 0.8631'],
		[9.9999, 'INR 9.9999'],
		[12.3456, 'INR 12.35'],
		[1234.5, 'INR 1,234.50'],
	])('%d is shown as %s', (amount, shown) => {
		expect(showAmount(amount)).toBe(shown);
	});
});

it.each<[string, unknown, object]>([
	['as documented', { amount: 0.115, currency: 'INR' }, { cost: 0.115, currency: 'INR' }],
	['an amount as text', { amount: ' 0.115 ', currency: ' INR ' }, { cost: 0.115, currency: 'INR' }],
	['an amount alone', 0.115, { cost: 0.115 }],
	['an amount alone as text', '0', { cost: 0 }],
	['words', { amount: 'free', currency: 1 }, {}],
	['an empty text', { amount: ' ', currency: ' ' }, {}],
	['no number', { amount: NaN }, {}],
	['infinity', { amount: Infinity }, {}],
	['an object in an object', { amount: { value: 1 } }, {}],
	['a switch', true, {}],
	['nothing', null, {}],
	['missing', undefined, {}],
])('the cost of a message, when it is %s', (_, cost, expected) => {
	expect(readCost(cost)).toEqual(expected);
});
