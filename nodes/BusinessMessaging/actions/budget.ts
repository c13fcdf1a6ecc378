import { CURRENCY, type readCost, sumOf } from '../template/pricing';

/** The spending limit of a run, in INR. A price is reserved immediately before each request that costs. */
export class Budget {
	/** @param spent by earlier attempts of the same run, and by this one */
	constructor(
		readonly limit: number,
		public spent = 0,
	) {}

	/** Free messages pass, because real costs may have passed the limit. */
	allows(price: number): boolean {
		return price <= 0 || sumOf([this.spent, price]) <= this.limit;
	}

	/** @returns false, and reserves nothing, when the price would exceed the limit */
	reserve(price: number): boolean {
		if (!this.allows(price)) return false;
		this.spent = sumOf([this.spent, price]);
		return true;
	}

	/** The request was certainly not processed. */
	cancel(price: number): void {
		this.spent = sumOf([this.spent, -price]);
	}

	/** Replaces the price that was reserved by the cost, if the API gave it in INR. */
	settle(price: number, { cost = price, currency = CURRENCY }: ReturnType<typeof readCost>): void {
		this.spent = sumOf([this.spent, -price, currency === CURRENCY ? cost : price]);
	}
}
