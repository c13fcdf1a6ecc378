import { memoryProblem } from '../../errors/memoryProblem';
import { failureFromInput } from '../../errors/nodeError';
import type { Fate, KeyedSends, Skipped } from '../keyedSends';
import type { Session } from '../operation';
import { isUnknown } from '../result';
import type { Result } from '../result';

/** Sends a message, unless one with the same Send Once Key was sent or may have been. */
export async function sendWithKey(
	key: string,
	send: () => Promise<Result>,
	{ known, once }: KeyedSends,
): Promise<Result> {
	if (known.has(key)) return leftOut('sentBefore', key);
	try {
		const result = await once(key, send, fateOf);
		return isSkipped(result) ? leftOut(result.skipped, key) : result;
	} catch (error) {
		return { failure: failureFromInput(memoryProblem(error), 'send') };
	}
}

/**
 * So that a message that did not reach the customer can be sent again.
 * @param remember keeps later tries of the node from freeing a key that another run has used by then
 */
export async function freeIfRejected(
	awaited: Promise<Result>,
	key: string | undefined,
	{ sendOnce }: Session,
	remember: (result: Result) => void,
): Promise<Result> {
	const result = await awaited;
	if (key !== undefined && fateOf(result) === 'notSent') {
		remember(result);
		await sendOnce.takeBack(key);
	}
	return result;
}

export function leftOut(skipped: Skipped, key: string): Result {
	return { json: { skipped, key }, skipped };
}

function isSkipped(result: Result | { skipped: Skipped }): result is { skipped: Skipped } {
	return !('json' in result || 'failure' in result);
}

function fateOf(result: Result): Fate {
	if ('json' in result) return 'sent';
	return isUnknown(result) ? 'unknown' : 'notSent';
}
