import { eventually } from './eventually.mts';

/**
 * Waits until nothing is left, or what is left has not changed for a while.
 * @param count undefined while it is not known
 * @returns what is left, and since when nothing has changed
 */
export async function atRest(
	what: string,
	count: () => Promise<number | undefined>,
	restMs: number,
	deadlineMs: number,
): Promise<{ left: number; sinceMs: number }> {
	let left: number | undefined;
	let changedAt = 0;
	const isAtRest = async () => {
		const now = await count();
		if (now === undefined) return undefined;
		if (now !== left) changedAt = Date.now();
		left = now;
		const isOver = now === 0 || Date.now() - changedAt > restMs;
		return isOver ? { left: now, sinceMs: changedAt } : undefined;
	};
	return await eventually(what, isAtRest, deadlineMs);
}
