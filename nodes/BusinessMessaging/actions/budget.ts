import { CURRENCY, type readCost, sumOf } from '../template/pricing';

/** The spending limit of a run, in INR. A price is reserved immediately before each request that costs. */
export class Budget {
	/** @param spent by earlier attempts of the same run, and by this one */
	constructor(
		readonly limit: number,
		public spent = 0,
	) {}

	/** @returns false, and reserves nothing, when the price would exceed the limit. Free messages pass. */
	reserve(price: number): boolean {
		const spent = sumOf([this.spent, price]);
		// Real costs may have passed the limit.
		if (price > 0 && spent > this.limit) return false;
		this.spent = spent;
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
