import { CURRENCY, showAmount, sumOf } from '../template/price';
import type { Result } from './result';

/** What a run may spend, in INR: a price is reserved immediately before each request that costs. */
export class Budget {
	/** @param spent by earlier tries of the same run, and by this one */
	constructor(
		private readonly limit: number,
		public spent = 0,
	) {}

	/** @returns false when the price would exceed the limit; nothing is reserved then */
	reserve(price: number): boolean {
		const spent = sumOf([this.spent, price]);
		if (spent > this.limit) return false;
		this.spent = spent;
		return true;
	}

	/** The request was certainly not processed. */
	release(price: number): void {
		this.spent = sumOf([this.spent, -price]);
	}

	/** What the message cost, as far as the API says, in place of the price that was reserved. */
	settle(price: number, sent: NonNullable<Result['sent']>): void {
		this.spent = sumOf([this.spent, -price, costOr(price, sent)]);
	}

	get limitText(): string {
		return showAmount(this.limit);
	}
}

/** The cost of a message in INR; its price where the API does not give one. */
function costOr(price: number, { cost, currency = CURRENCY }: NonNullable<Result['sent']>): number {
	return currency === CURRENCY ? (cost ?? price) : price;
}
