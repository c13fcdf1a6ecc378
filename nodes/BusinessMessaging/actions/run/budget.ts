import { sumOf } from '../../template/price';
import type { Budget } from '../operation';

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
