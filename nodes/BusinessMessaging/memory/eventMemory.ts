import { createHash } from 'crypto';

import type { Rows } from './rows';

/**
 * Of a trigger. Each event has its row by its digest, so that few wait for the same row, and a row is small
 * enough to be written for each event. Together they keep the last 50,000 events at least.
 */
const ROWS = 1024;
const EVENTS_PER_ROW = 100;

/**
 * Whether this execution is the one that has the event, of all in the cluster that ask.
 * @param trigger its node's ID
 * @param execution the same when n8n repeats an execution whose worker was lost, so that it goes on
 */
export async function claimEvent(
	rows: Rows,
	{ trigger, key, execution }: { trigger: string; key: string; execution: string },
): Promise<boolean> {
	const digest = createHash('sha256').update(key).digest();
	const row = `event:${trigger}:${digest.readUInt16BE() % ROWS}`;
	const claim = `${key}#${execution}`;
	const before = await rows.exclusively(
		row,
		async () => await rows.record(row, [key, claim], 2 * EVENTS_PER_ROW),
	);
	return before.has(claim) || !before.has(key);
}
