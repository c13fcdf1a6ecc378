import type { IDataObject, IExecuteFunctions, INodeProperties } from 'n8n-workflow';
import type { Category } from '../../api';
import { InputError } from '../../inputError';
import { readNumber } from '../../parameters';
import { callingCodeOf } from '../../template/phoneNumber';
import {
	CURRENCY,
	formatAmount,
	formatEstimate,
	PRICES,
	type readCost,
	sumOf,
} from '../../template/pricing';
import { hasOption } from '../fields';
import { messageIn, receiptOf } from '../output';

export const spendingLimitField = {
	displayName: 'Spending Limit (INR)',
	name: 'spendingLimit',
	type: 'number',
	typeOptions: { minValue: 0, numberPrecision: 4 },
	default: 100,
	description:
		'The most that one run of this node may cost with its retries, in INR; in a loop, each round. If the estimate is higher, nothing is sent. During the run, a message that would exceed the limit is not sent. Items in a dry run do not count. The value of the first item applies to all items.',
} as const satisfies INodeProperties;

/** Without a default: an expression that gives nothing must not remove the limit. */
export function readSpendingLimit(context: IExecuteFunctions): number {
	if (!hasOption(context, spendingLimitField)) return Infinity;
	const value = context.getNodeParameter(`options.${spendingLimitField.name}`, 0);
	return readNumber(value, spendingLimitField);
}

/** What sets the price of a message. `to`: E.164. */
interface Priced {
	category: Category;
	to: string;
}

/**
 * The spending limit of a run, in INR. A price is reserved immediately before each request that costs. The price list
 * is that of one country, so a higher cost that the API told counts from then on.
 */
export class Spending {
	private readonly highestCosts = new Map<string, number>();

	/** @param spent by earlier attempts of the same run, and by this one */
	constructor(
		readonly limit: number,
		public spent = 0,
	) {}

	/** What the message is expected to cost. */
	priceOf(message: Priced): number {
		return Math.max(PRICES[message.category], this.highestCosts.get(groupOf(message)) ?? 0);
	}

	/**
	 * Before the first request.
	 * @param price of all that may go out now
	 * @param nothing says that nothing was sent
	 * @throws InputError when it exceeds the limit
	 */
	check(price: number, nothing: string): void {
		if (this.allows(price)) return;
		const estimate = formatEstimate(sumOf([this.spent, price]));
		throw new InputError(
			`This run would cost about ${estimate}, more than the spending limit of ${formatAmount(this.limit)}`,
			`${nothing} Send fewer items at once, or raise Spending Limit under Options.`,
			'overLimit',
		);
	}

	/** What a message has cost. @param json as the node outputs it, in this run or an earlier attempt */
	learn(json: IDataObject): void {
		const { to, category } = messageIn(json);
		const { cost, currency = CURRENCY } = receiptOf(json);
		if (cost === undefined || currency !== CURRENCY) return;
		// No message is ever priced by a category that is none.
		this.note({ category: category as Category, to: String(to) }, cost);
	}

	/** Free messages pass, because real costs may have passed the limit. */
	allows(price: number): boolean {
		return price <= 0 || sumOf([this.spent, price]) <= this.limit;
	}

	/**
	 * Takes the price of one message from what the limit leaves. One of both ends that; neither, if the message may have
	 * been sent.
	 * @returns undefined, and reserves nothing, when the price would exceed the limit
	 */
	reserve(message: Priced) {
		const price = this.priceOf(message);
		if (!this.allows(price)) return undefined;
		this.add(price);
		return {
			/** The request was certainly not processed. */
			cancel: () => this.add(-price),
			/** Replaces the price by the cost, if the API gave it in INR. */
			settle: ({ cost = price, currency = CURRENCY }: ReturnType<typeof readCost>) => {
				if (currency !== CURRENCY) return;
				this.add(cost - price);
				this.note(message, cost);
			},
		};
	}

	private note(message: Priced, cost: number): void {
		this.highestCosts.set(groupOf(message), Math.max(cost, this.priceOf(message)));
	}

	private add(amount: number): void {
		this.spent = sumOf([this.spent, amount]);
	}
}

/** Messages that cost the same: the network prices by the recipient's country. */
function groupOf({ category, to }: Priced): string {
	return `${callingCodeOf(to)} ${category}`;
}
