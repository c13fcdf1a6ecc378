import type { RateLimit } from './rateLimit';

/** Resets in whole seconds differ by this much within one window. */
const RESET_JITTER_MS = 1000;
/** A count that begins anew does so hardly sooner than a window later, late answers included. */
const SHORTEST_PART = 0.8;

/** What the API's answers say of its count (8.1). All times are ticks in ms. */
export function createReports(windowMs: number) {
	/** The lowest number of places left that the API told for the window that ends then. */
	let remaining = Infinity;
	let endsAt = -Infinity;
	/** The last end that can be one of a count that begins anew; a count that slides tells many. */
	let beganAt = -Infinity;
	/** How far the count fell in all, and how much of that was ours; the past counts half. */
	let fall = 0;
	let ours = 0;
	let highest = 0;

	const isNextEnd = (end: number) => end - beganAt >= SHORTEST_PART * windowMs;

	return {
		/** Takes in what an answer says. An answer that was late, from a window before, tells nothing.
		 * @returns whether a count that begins anew may have done so */
		add({ remaining: left, resetInMs }: RateLimit, now: number): boolean {
			if (left === undefined || resetInMs === undefined) return false;
			highest = Math.max(highest, left);
			const end = now + resetInMs;
			const isKnown = now < endsAt;
			if (isKnown && end < endsAt - RESET_JITTER_MS) return false;
			if (isKnown && end <= endsAt + RESET_JITTER_MS) {
				ours++;
				fall += Math.max(0, remaining - left);
				remaining = Math.min(remaining, left);
				return false;
			}
			ours /= 2;
			fall /= 2;
			remaining = left;
			const previousEnd = Math.min(endsAt, now);
			endsAt = end;
			if (!isNextEnd(previousEnd)) return false;
			beganAt = previousEnd;
			return true;
		},
		/** Places left by the API's own count; undefined when it is not known for this moment. */
		remaining: (now: number) => (now < endsAt ? remaining : undefined),
		/** The most places that were left at any time. */
		highest: () => highest,
		/** When the window before ended that is known, in an API whose count begins anew then. */
		beganAt: (now: number) => (now >= endsAt && isNextEnd(endsAt) ? endsAt : beganAt),
		/** When the window ends, or ended. */
		endsAt: () => endsAt,
		/** Which part of the places others leave to us: 1 while nobody else is seen to take any. */
		share: () => (fall > ours ? ours / fall : 1),
	};
}
