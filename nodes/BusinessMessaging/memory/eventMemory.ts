import { createHash } from 'crypto';
import { HOUR_MS } from '../clock';
import type { Rows } from './rows';

/**
 * Of a trigger. Which row an event goes to follows from its digest, so few executions wait for the same row, and
 * each write is small. All rows together keep at least the last 50,000 events.
 */
const ROWS = 2048;
const EVENTS_PER_ROW = 60;

export interface EventClaim {
	/** The trigger's node ID. */
	trigger: string;
	/** Of the event. */
	key: string;
	/** Stays the same when n8n repeats an execution whose worker was lost, which finds its own claim. */
	execution: string;
	/** Epoch ms. */
	receivedAt: number;
	/** How long the event is remembered; up to twice as long, if there is room. */
	hours: number;
}

/** Whether the event belongs to this execution: to exactly one of all executions in the cluster that ask. */
export async function claimEvent(
	rows: Rows,
	{ trigger, key, execution, receivedAt, hours }: EventClaim,
): Promise<boolean> {
	const digest = createHash('sha256').update(key).digest();
	const row = `event:${trigger}:${digest.readUInt16BE() % ROWS}`;
	const period = Math.floor(receivedAt / (hours * HOUR_MS));
	// Copies count as well if they come in the next period, or a moment before by the clock of another machine.
	const periods = [period - 1, period, period + 1].map((each) => `${key}@${each}`);
	const claim = `${key}#${execution}`;
	const entries = [...periods, claim];
	const before = await rows.record(row, entries, entries.length * EVENTS_PER_ROW);
	return before.has(claim) || !before.has(periods[1]);
}
