import { createHash } from 'crypto';
import { type Clock, UNITS_MS } from '../clock';
import { Lock } from './lock';
import { isPermanent, type Rows, type Statements } from './rows';

/**
 * Of a trigger. Which row an event goes to follows from its digest, so few executions wait for the same row, and
 * each write is small: below 2 kB, from where on PostgreSQL stores a row in two places. All rows together keep at
 * least the last 50,000 events.
 */
const ROWS = 16_384;
const EVENTS_PER_ROW = 20;

/** Its day, the day before, and the execution that has it. */
const ENTRIES_PER_EVENT = 3;

/** How long a database that does not answer is asked again: nothing hurries, because the sender has its 200. */
const PERSIST_EVENT_MS = 300_000;
const RETRY_EVENT_MS = 1000;

export interface EventClaim {
	/** The trigger's node ID. */
	trigger: string;
	/** Of the event. */
	key: string;
	/** Stays the same when n8n repeats an execution whose worker was lost, which finds its own claim. */
	execution: string;
	/** Epoch ms. */
	receivedAt: number;
	/** How far back the event counts as repeated, and up to a day further. */
	hours: number;
}

/**
 * Whether the event belongs to this execution: to exactly one of all executions that ask. In n8n's regular mode, too,
 * another process may have a copy: n8n does not notice when two of them share a database and its webhooks.
 * @throws when the database does not answer for minutes
 */
export async function claimEvent(
	openRows: () => Promise<Rows>,
	event: EventClaim,
	clock: Clock,
): Promise<boolean> {
	const digest = createHash('sha256').update(event.key).digest();
	const row = `event:${event.trigger}:${digest.readUInt16BE() % ROWS}`;
	const until = clock.ticks() + PERSIST_EVENT_MS;
	let lock: Lock | undefined;
	try {
		for (;;) {
			try {
				const { once } = await openRows();
				lock ??= new Lock(once, row, clock);
				await lock.acquire();
				return await record(once, row, event);
			} catch (error) {
				if (isPermanent(error) || clock.ticks() >= until) return await Promise.reject(error);
				await clock.sleep(RETRY_EVENT_MS);
			}
		}
	} finally {
		// Nobody waits for it.
		void lock?.release();
	}
}

/**
 * Writes entries for the days on which an earlier delivery would count, and one of this execution. If none of the days
 * was there before, the event is its own. A copy then removes its entry, so that only the execution that has the event
 * keeps one.
 */
async function record(
	rows: Statements,
	row: string,
	{ key, execution, receivedAt, hours }: EventClaim,
): Promise<boolean> {
	// The days do not depend on the setting: what came under another setting counts as well.
	const [first, last] = [receivedAt - hours * UNITS_MS.hours, receivedAt].map(dayOf);
	const days = Array.from({ length: last - first + 1 }, (_, back) => `${key}@${last - back}`);
	const own = `${key}#${execution}`;
	// Older days are only looked for. Two stay: a copy that came before midnight may be claimed later.
	const olderDays = days.slice(2);
	const most = EVENTS_PER_ROW * ENTRIES_PER_EVENT + olderDays.length;
	const known = await rows.add(row, [...days, own], most);
	// Its entry is there if n8n repeats this execution, or the response to an earlier write was lost: in doubt, it runs.
	const isFirst = known.has(own) || !days.some((day) => known.has(day));
	const needless = isFirst ? olderDays : [...olderDays, own];
	// If this fails, it matters only if n8n repeats this execution as well.
	if (needless.length > 0) await rows.drop(row, needless).catch(() => undefined);
	return isFirst;
}

function dayOf(ms: number): number {
	return Math.floor(ms / UNITS_MS.days);
}
