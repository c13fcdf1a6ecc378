import type { Failure } from '../../errors/failure';
import { joinSentences } from '../../errors/sentences';
import { showItems } from './itemRanges';

const MAX_SHOWN = 5;

export interface WrongItem {
	itemIndex: number;
	failure: Failure;
}

/**
 * All wrong items of a run in the failure of the first one: the first five with what is wrong, the
 * others by their number. What to do is said once for all that need the same.
 * @param total of the items of the run
 */
export function wrongItems(wrong: [WrongItem, ...WrongItem[]], total: number): Failure {
	const [{ failure, itemIndex: first }] = wrong;
	if (wrong.length === 1) return failure;
	const remedies = new Set<string>();
	const shown = wrong.slice(0, MAX_SHOWN).map(({ itemIndex, failure: { message, remedy } }) => {
		const isNew = !remedies.has(remedy);
		remedies.add(remedy);
		return joinSentences(`Item ${itemIndex}: ${message}`, isNew && remedy);
	});
	const others = wrong.slice(MAX_SHOWN).map(({ itemIndex }) => itemIndex);
	return {
		...failure,
		message: `${wrong.length} of ${total} items are wrong, the first is item ${first}: ${failure.message}`,
		remedy: joinSentences(
			...shown,
			others.length > 0 && `And ${others.length} more: ${showItems(others)}.`,
		),
	};
}
