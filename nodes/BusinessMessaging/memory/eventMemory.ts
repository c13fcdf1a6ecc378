import { createHash } from 'crypto';
import type { Rows } from './rows';

/**
 * Of a trigger. Which row an event goes to follows from its digest, so few executions wait for the same row, and
 * each write is small. All rows together keep at least the last 50,000 events.
 */
const ROWS = 1024;
const EVENTS_PER_ROW = 100;

/**
 * Whether the event belongs to this execution: to exactly one of all executions in the cluster that ask.
 * @param trigger its node's ID
 * @param execution stays the same when n8n repeats an execution whose worker was lost, which finds its own claim
 */
export async function claimEvent(
	rows: Rows,
	{ trigger, key, execution }: { trigger: string; key: string; execution: string },
): Promise<boolean> {
	const digest = createHash('sha256').update(key).digest();
	const row = `event:${trigger}:${digest.readUInt16BE() % ROWS}`;
	const claim = `${key}#${execution}`;
	const before = await rows.record(row, [key, claim], 2 * EVENTS_PER_ROW);
	return before.has(claim) || !before.has(key);
}
