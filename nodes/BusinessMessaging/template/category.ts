import type { Category } from '../api';
import { isWindowOpen } from '../serviceWindow';

export type CategoryChoice =
	| { category: Category }
	| { category: 'auto'; customerLastMessageAt: number; fallbackCategory: Category };

/** The category to send with. `auto` is decided here, so call it at the moment of sending. */
export function categoryAt(choice: CategoryChoice, now: number): Category {
	if (choice.category !== 'auto') return choice.category;
	const { customerLastMessageAt, fallbackCategory } = choice;
	return isWindowOpen(customerLastMessageAt, now) ? 'service' : fallbackCategory;
}
