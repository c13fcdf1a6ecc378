import {
	categoryAt,
	PRICES,
	readCost,
	formatAmount,
	formatEstimate,
	sumOf,
} from '../../../nodes/BusinessMessaging/template/pricing';
import { PRICES as CHARGED } from '../../../playground/api/price.mts';

const NOW = Date.UTC(2026, 0, 31, 14, 5);

it.each([
	['1 ms before 24 hours are over', 24 * 3_600_000 - 1, 'service'],
	['when 24 hours are over', 24 * 3_600_000, 'marketing'],
	['when the clock of the sender is ahead', -60_000, 'service'],
])('the category that Auto chooses %s, %i ms after the last message, is %s', (_, age, expected) => {
	const auto = { category: 'auto', fallbackCategory: 'marketing' } as const;
	expect(categoryAt({ ...auto, customerLastMessageAt: NOW }, NOW + age)).toBe(expected);
	expect(categoryAt({ category: 'utility' }, NOW)).toBe('utility');
});

// docs/good-to-know.md: estimates use the price list, Service is free
it('prices are those of section 8.2, by which the local API charges as well', () => {
	expect(PRICES).toEqual({ authentication: 0.115, utility: 0.115, marketing: 0.8631, service: 0 });
	expect(CHARGED).toEqual(PRICES);
});

it('prices add up to the count times the price, without the error of floating-point numbers', () => {
	expect(sumOf([])).toBe(0);
	expect(sumOf(Array<number>(10_000).fill(0.0003))).toBe(3);
});

it.each([
	[9.9999, 'INR 9.9999'],
	[12.3456, 'INR 12.35'],
	[1234.5, 'INR 1,234.50'],
])('%d is shown as %s', (amount, shown) => {
	expect(formatAmount(amount)).toBe(shown);
});

it.each([
	[9.9999, 'INR 9.9999'],
	[17.26, 'INR 17.26'],
	[17.262, 'INR 17.27'],
])('an estimate of %d is shown as %s, which is enough as a limit', (amount, shown) => {
	expect(formatEstimate(amount)).toBe(shown);
});

it.each<[unknown, number?, string?]>([
	[{ amount: 0.115, currency: 'INR' }, 0.115, 'INR'],
	[{ amount: ' 0.115 ', currency: ' INR ' }, 0.115, 'INR'],
	['0', 0],
	[{ amount: 'free', currency: 1 }],
	[{ amount: ' ', currency: ' ' }],
	[{ amount: Infinity }],
	// It would raise what the Spending Limit still allows.
	[{ amount: -5, currency: 'INR' }, undefined, 'INR'],
])('the cost %j of a message is %p %p', (given, ...expected) => {
	const { cost, currency } = readCost(given);
	expect([cost, currency]).toEqual([expected[0], expected[1]]);
});
