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
/** Of a full row, so that it is not trimmed for each event. */
const EVENTS_AFTER_TRIM = 16;

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
	const until = clock.ticks() + PERSIST_EVENT_MS;
	let attempts: ClaimAttempts | undefined;
	try {
		for (;;) {
			try {
				attempts ??= new ClaimAttempts((await openRows()).once, event, clock);
				return await attempts.attempt();
			} catch (error) {
				if (isPermanent(error) || clock.ticks() >= until) return await Promise.reject(error);
				await clock.sleep(RETRY_EVENT_MS);
			}
		}
	} finally {
		// Nobody waits for it.
		void attempts?.lock.release();
	}
}

/**
 * All attempts to claim one event.
 *
 * An attempt writes entries for the days on which an earlier delivery would count, and one of its own. If none of the
 * days was there before, the event is this execution's. A copy then removes its own entry, so that only the execution
 * that has the event keeps one.
 */
class ClaimAttempts {
	readonly lock: Lock;
	private readonly row: string;
	/** The days do not depend on the setting: what came under another setting counts as well. */
	private readonly days: string[];
	private readonly own: string;
	/** How many entries the row had before the first write of which no response came. */
	private entriesBefore?: number;

	constructor(
		private readonly rows: Statements,
		{ trigger, key, execution, receivedAt, hours }: EventClaim,
		clock: Clock,
	) {
		const digest = createHash('sha256').update(key).digest();
		this.row = `event:${trigger}:${digest.readUInt16BE() % ROWS}`;
		const [first, last] = [receivedAt - hours * UNITS_MS.hours, receivedAt].map(dayOf);
		this.days = Array.from({ length: last - first + 1 }, (_, back) => `${key}@${last - back}`);
		this.own = `${key}#${execution}`;
		this.lock = new Lock(rows, this.row, clock);
	}

	async attempt(): Promise<boolean> {
		return await this.lock.hold(async (assertHeld) => {
			const entries = await this.countAfterTrim();
			this.entriesBefore ??= entries;
			assertHeld();
			const known = await this.rows.add(this.row, [...this.days, this.own]);
			const isFirst = this.isFirst(known, entries - this.entriesBefore);
			// Older days were only looked for. Two stay: a copy that came before midnight may be claimed later.
			const needless = [...this.days.slice(2), ...(isFirst ? [] : [this.own])];
			// If this fails, it matters only if n8n repeats this execution as well.
			if (needless.length > 0) await this.rows.drop(this.row, needless).catch(() => undefined);
			return isFirst;
		});
	}

	/**
	 * @param known of the event's entries, before the last write
	 * @param added by earlier writes, of which no response came
	 */
	private isFirst(known: Set<string>, added: number): boolean {
		if (!known.has(this.own)) return !this.days.some((day) => known.has(day));
		// A write of a copy adds fewer entries than there are. None was added if n8n repeats this execution, and the row
		// has less if it was trimmed since: if in doubt, the event runs.
		return added < 1 || added > this.days.length;
	}

	private async countAfterTrim(): Promise<number> {
		const entries = await this.rows.count(this.row);
		if (entries <= (EVENTS_PER_ROW - 1) * ENTRIES_PER_EVENT) return entries;
		const left = EVENTS_AFTER_TRIM * ENTRIES_PER_EVENT;
		await this.rows.trim(this.row, left);
		return left;
	}
}

function dayOf(ms: number): number {
	return Math.floor(ms / UNITS_MS.days);
}
