import type { Category } from '../api';
import { isRecord, isText } from '../values';

/** Section 8.3 of the API document: replies are free for 24 hours from the customer's message. */
export const SERVICE_WINDOW_MS = 24 * 60 * 60 * 1000;

/** `customerLastMessageAt`: epoch ms. */
export type CategoryChoice =
	| { category: Category; fallbackCategory?: undefined }
	| { category: 'auto'; customerLastMessageAt: number; fallbackCategory: Category };

/** The category to send with. Call it right before sending, because `auto` depends on the moment. */
export function categoryAt(choice: CategoryChoice, now: number): Category {
	if (choice.category !== 'auto') return choice.category;
	const { customerLastMessageAt, fallbackCategory } = choice;
	return now < customerLastMessageAt + SERVICE_WINDOW_MS ? 'service' : fallbackCategory;
}

/** INR per message (section 8.2), for estimates. What a message has cost, the API says in `cost`. */
export const PRICES: Record<Category, number> = {
	authentication: 0.115,
	utility: 0.115,
	marketing: 0.8631,
	service: 0,
};

export const CURRENCY = 'INR';

/** Reads the `cost` of a sent message: amount and currency (section 2.4), or the amount alone (2.3). */
export function readCost(cost: unknown): { cost?: number; currency?: string } {
	const { amount, currency } = isRecord(cost) ? cost : { amount: cost, currency: undefined };
	const number = isText(amount) || typeof amount === 'number' ? Number(amount) : NaN;
	return {
		// A negative one would raise what the Spending Limit still allows.
		cost: Number.isFinite(number) && number >= 0 ? number : undefined,
		currency: isText(currency) ? currency.trim() : undefined,
	};
}

/** Prices have four decimals. Sums of floating-point numbers would have more. */
const UNITS_PER_INR = 10_000;

export function sumOf(prices: number[]): number {
	const units = prices.reduce((sum, price) => sum + Math.round(price * UNITS_PER_INR), 0);
	return units / UNITS_PER_INR;
}

/** Rounded up where not all decimals are shown, so that the shown amount is enough as a limit. */
export function formatEstimate(amount: number): string {
	if (amount < ALL_DECIMALS_BELOW) return formatAmount(amount);
	return formatAmount(Math.ceil(Math.round(amount * UNITS_PER_INR) / 100) / 100);
}

const ALL_DECIMALS_BELOW = 10;

/** As INR 1,234.50; amounts below 10 with all their decimals, as INR 0.115. */
export function formatAmount(amount: number, currency = CURRENCY): string {
	const digits = {
		minimumFractionDigits: 2,
		maximumFractionDigits: amount < ALL_DECIMALS_BELOW ? 4 : 2,
	};
	return `${currency} ${amount.toLocaleString('en-US', digits)}`;
}
