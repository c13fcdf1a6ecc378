import { createHash } from 'crypto';
import { type Clock, HOUR_MS } from '../clock';
import { Lock } from './lock';
import { isPermanent, type Rows, type Statements } from './rows';

/**
 * Of a trigger. Which row an event goes to follows from its digest, so few executions wait for the same row, and
 * each write is small: below 2 kB, from where on PostgreSQL stores a row in two places. All rows together keep at
 * least the last 50,000 events.
 */
const ROWS = 16_384;
const EVENTS_PER_ROW = 20;
/** Of a full row, so that it is not trimmed for each event. */
const EVENTS_AFTER_TRIM = 16;

/** Two entries for when the event came, and one for the execution that has it. */
const ENTRIES_PER_EVENT = 3;

/** How long a database that does not answer is asked again: nothing hurries, because the sender has its 200. */
const PERSIST_MS = 300_000;
const RETRY_MS = 1000;

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

/**
 * Whether the event belongs to this execution: to exactly one of all executions in the cluster that ask.
 * @throws when the database does not answer for minutes
 */
export async function claimEvent(
	openRows: () => Promise<Rows>,
	event: EventClaim,
	clock: Clock,
): Promise<boolean> {
	const until = clock.ticks() + PERSIST_MS;
	let attempts: ClaimAttempts | undefined;
	try {
		for (;;) {
			try {
				attempts ??= new ClaimAttempts((await openRows()).once, event, clock);
				return await attempts.attempt();
			} catch (error) {
				if (isPermanent(error) || clock.ticks() >= until) return await Promise.reject(error);
				await clock.sleep(RETRY_MS);
			}
		}
	} finally {
		// Nobody waits for it.
		void attempts?.lock.cleanUp();
	}
}

/**
 * All attempts to claim one event.
 *
 * An attempt writes the event's entries and one of its own. If none of the event's entries was there before, the event
 * is this execution's. A copy then removes its own entry, so that only the execution that has the event keeps one.
 * If the response to a write was lost, the next attempt finds its own entry. The number of entries then tells how many
 * that write added: all of them, or only those of a copy.
 */
class ClaimAttempts {
	readonly lock: Lock;
	private readonly row: string;
	private readonly ofEvent: string[];
	private readonly own: string;
	/** How many the row had before the first write of which no response came. */
	private entriesBefore?: number;

	constructor(
		private readonly rows: Statements,
		{ trigger, key, execution, receivedAt, hours }: EventClaim,
		clock: Clock,
	) {
		const digest = createHash('sha256').update(key).digest();
		this.row = `event:${trigger}:${digest.readUInt16BE() % ROWS}`;
		this.ofEvent = periodEntriesOf(key, receivedAt / (hours * HOUR_MS));
		this.own = `${key}#${execution}`;
		this.lock = new Lock(rows, this.row, clock);
	}

	async attempt(): Promise<boolean> {
		return await this.lock.hold(async (assertHeld) => {
			const entries = await this.countAfterTrim();
			this.entriesBefore ??= entries;
			const added = entries - this.entriesBefore;
			assertHeld();
			const before = await this.rows.add(this.row, [...this.ofEvent, this.own]);
			// Less than its own entry in the first attempt, or if the row was trimmed since: if in doubt, the event runs.
			const isFirst = before.has(this.own)
				? added < 1 || added >= ENTRIES_PER_EVENT
				: !this.ofEvent.some((entry) => before.has(entry));
			// If this fails, it matters only if n8n repeats this execution as well.
			if (!isFirst) await this.rows.drop(this.row, [this.own]).catch(() => undefined);
			return isFirst;
		});
	}

	private async countAfterTrim(): Promise<number> {
		const entries = await this.rows.count(this.row);
		if (entries <= (EVENTS_PER_ROW - 1) * ENTRIES_PER_EVENT) return entries;
		const left = EVENTS_AFTER_TRIM * ENTRIES_PER_EVENT;
		await this.rows.trim(this.row, left);
		return left;
	}
}

/**
 * Time is divided into periods twice as long as an event is remembered, in two ways: those of the second way begin in
 * the middle of those of the first. Moments that are closer than that time share a period of one of the ways, and those
 * twice as far apart share none.
 */
function periodEntriesOf(key: string, time: number): string[] {
	return [`${key}@${Math.floor(time / 2)}`, `${key}@${Math.floor((time + 1) / 2)}+`];
}
