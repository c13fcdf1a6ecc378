import type { Category } from '../api';
import { isText } from '../isBlank';
import { isRecord } from '../isRecord';

/** 8.2, INR per message. The API's own `cost` is the truth; these are for estimates. */
export const PRICES: Record<Category, number> = {
	authentication: 0.115,
	utility: 0.115,
	marketing: 0.8631,
	service: 0,
};

export const CURRENCY = 'INR';

/** The `cost` of a sent message (2.4), as far as it can be read; only the amount, as in 2.3, will do. */
export function readCost(cost: unknown): { cost?: number; currency?: string } {
	const { amount, currency } = isRecord(cost) ? cost : { amount: cost, currency: undefined };
	return {
		cost: readAmount(amount),
		currency: isText(currency) ? currency.trim() : undefined,
	};
}

function readAmount(value: unknown): number | undefined {
	const amount = isText(value) || typeof value === 'number' ? Number(value) : NaN;
	return Number.isFinite(amount) ? amount : undefined;
}

/** Prices have four decimals; sums of floating-point numbers have more. */
const UNITS_PER_INR = 10_000;

/** The sum of prices, exact to a hundredth of a paisa. */
export function sumOf(prices: number[]): number {
	const units = prices.reduce((sum, price) => sum + Math.round(price * UNITS_PER_INR), 0);
	return units / UNITS_PER_INR;
}

/** An amount as it is shown: INR 1,234.50; small ones with all their decimals. */
export function showAmount(amount: number, currency = CURRENCY): string {
	const digits = { minimumFractionDigits: 2, maximumFractionDigits: amount < 10 ? 4 : 2 };
	return `${currency} ${amount.toLocaleString('en-US', digits)}`;
}
