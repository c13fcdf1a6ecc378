import type { Category } from '../api';
import { isWindowOpen } from '../serviceWindow';

export interface CategoryChoice {
	category: Category | 'auto';
	/** Epoch milliseconds; set for `auto`. */
	customerLastMessageAt?: number;
	fallbackCategory?: Category;
}

/** The category to send with. `auto` is decided here, so call it at the moment of sending. */
export function categoryAt(choice: CategoryChoice, now: number): Category {
	if (choice.category !== 'auto') return choice.category;
	const open = isWindowOpen(choice.customerLastMessageAt ?? -Infinity, now);
	return open ? 'service' : (choice.fallbackCategory ?? 'utility');
}
