import { sumOf } from '../../template/price';

/** What a run may cost by its estimate, which can grow while it runs. */
export interface Budget {
	/** Another price for an item, in INR. @returns whether the limit allows it; if not, nothing changes */
	raise: (itemIndex: number, price: number) => boolean;
}

/** @param prices of the items, in their order, within the limit; in INR */
export function createBudget(prices: number[], limit: number): Budget {
	const current = [...prices];
	let total = sumOf(current);
	return {
		raise(itemIndex, price) {
			const raised = sumOf([total, price, -current[itemIndex]]);
			if (raised > limit) return false;
			total = raised;
			current[itemIndex] = price;
			return true;
		},
	};
}
