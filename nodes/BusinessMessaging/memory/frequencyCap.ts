import { HOUR_MS, UNITS_MS } from '../clock';
import { entriesBefore, OtherVersion } from '../layouts';
import { type Claim, Claims, type Look, OTHERS_MS } from './claims';
import { digestOf, lastWith, newOwner, type Rows } from './rows';

/** At most so many messages to a number within the period. */
export interface Cap {
	/** The node, or the name that several nodes share. */
	counter: string;
	/** E.164 */
	number: string;
	messages: number;
	periodMs: number;
}

/** From when on the message may be sent, in epoch ms. `earlier`: it is not known whether all others were sent. */
export interface HeldBackUntil {
	until: number;
	earlier?: 'unknown';
}

/** Of a message: its number within a stretch of time, from 1. */
interface Place {
	stretch: number;
	number: number;
}

/** The place behind the last message. */
interface End extends Claim, Place {
	/** The name of the log. */
	log: string;
	/** In which the message is claimed, since 1970. */
	hour: number;
	/** After it other messages may count this one as over, so no response may come later. Epoch ms, and ticks. */
	endsBy: number;
	endsAt: number;
	/** Places in the stretches beside, to which a process whose clock differs may add a message at this moment. */
	beside: Place[];
}

interface Message {
	row: string;
	/** In which it was claimed. */
	hour: number;
	/** `open`: it may be on its way, or its n8n was killed. `unknown`: nobody will find out whether it was sent. */
	state: 'open' | 'unknown' | 'sent';
	/** Epoch ms by which it had gone out, if it was sent. */
	sentBy: number;
}

export const MAX_PERIOD_MS = 30 * UNITS_MS.days;

/** For so much of its period a message counts, so that a campaign at the same time every day reaches everybody. */
const COUNTING = 15 / 16;
const STRETCH_HOURS = 72;
/** So exactly a row tells when its message had gone out. */
const STEP_MS = 2 * UNITS_MS.minutes;
/** A claim that is so old has ended. More than twice the longest Timeout is of no use. */
const CLAIM_MS = 10 * UNITS_MS.minutes;
/** So near to the end of a stretch, a process whose clock differs may be in the stretch beside it. */
const EDGE_MS = 3 * HOUR_MS;

/**
 * The memory of Frequency Cap.
 *
 * The messages to a number are a log in each stretch of time: only who has seen messages 1 to n of the current
 * stretch, and those before it that count, can create the row of n + 1, and nobody adds to a stretch that is over.
 * Rows know nothing of caps, so each cap also counts what was sent under another one.
 * Near to the end of a stretch, a process that has created a row also looks at the stretch beside it, because another
 * process may have created one there at the same moment. Both then see each other, remove their rows and try again.
 */
export class FrequencyCap extends Claims<Cap, End, HeldBackUntil> {
	protected readonly option = 'Frequency Cap';

	protected nameOf({ counter, number }: Cap): string {
		return `cap:${digestOf(JSON.stringify([counter, number]))}`;
	}

	protected async look(cap: Cap, shown: number): Promise<Look<End, HeldBackUntil>> {
		const now = this.clock.now();
		const lookedAt = this.clock.ticks();
		const log = await this.readLog(cap);
		const counting: Message[] = [];
		const isFree = () => counting.length + shown < cap.messages;
		const mayCount = (sentBy: number) => untilOf(cap, sentBy) > now;
		let stretch = stretchOf(now + EDGE_MS);
		for (; isFree() && mayCount(latestOf(hoursOf(stretch).last)); stretch--) {
			for (let number = await log.lastOf(stretch); isFree() && number > 0; number--) {
				const message = await log.messageAt({ stretch, number });
				if (!message) continue;
				if (mayCount(message.sentBy)) counting.push(message);
				// One that was claimed before it may have gone out after it.
				else if (!mayCount(message.sentBy + CLAIM_MS)) break;
			}
		}
		if (isFree()) return { free: await this.endOf(log, now, lookedAt) };
		// What was shown counts from now on.
		const times = counting.map(({ sentBy }) => sentBy).concat(shown > 0 ? now + STEP_MS : []);
		const until = untilOf(cap, Math.min(...times));
		const mayEnd = ({ row, state, sentBy }: Message) =>
			state === 'open' && !this.isOwn(row) && sentBy + OTHERS_MS > this.clock.now();
		return {
			instead: counting.some(({ state }) => state !== 'sent')
				? { until, earlier: 'unknown' }
				: { until },
			isOpen: counting.some(mayEnd),
		};
	}

	protected async take(cap: Cap, end: End): Promise<boolean> {
		const { row, owner, hour, stretch, number } = end;
		const rows = await this.openRows();
		if (!(await rows.create(row, owner, CLAIMED.encode(hour)))) return false;
		try {
			const log = await this.readLog(cap);
			const isBehind = number === 1 || (await log.has({ stretch, number: number - 1 }));
			const others = [{ stretch, number: number + 1 }, ...end.beside];
			const found = await Promise.all(others.map(async (each) => await log.has(each)));
			if (isBehind && !found.includes(true)) {
				if (number === 1) await this.tidy(cap, stretch);
				return true;
			}
		} catch (error) {
			// Nothing will be sent, so nothing may count.
			await rows.remove(row).catch(() => undefined);
			return await Promise.reject(error);
		}
		await this.release(end, false);
		return false;
	}

	protected async keep(_: Cap, end: End, state: 'ended' | 'open'): Promise<void> {
		const { row, owner, hour, endsBy, endsAt } = end;
		// The response may be noticed late.
		const at = endsBy - Math.max(0, endsAt - this.clock.ticks());
		const entries = OUTCOME.encode(state === 'ended' ? 'sent' : 'unknown', at, hour);
		await (await this.openRows()).create(outcomeRowOf(row), owner, entries);
	}

	protected override release = async (end: End, isAccepted: boolean): Promise<void> => {
		const { log, row, owner, stretch, number } = end;
		const rows = await this.openRows();
		if (isAccepted) await rows.remove(outcomeRowOf(row));
		const hasNext = (await rows.count(rowOf(log, { stretch, number: number + 1 }))) > 0;
		// Nobody looks beyond a gap.
		if (hasNext) await rows.create(row, owner, CLAIMED.nobody);
		else await rows.remove(row);
	};

	private async readLog(cap: Cap): Promise<Log> {
		return new Log(await this.openRows(), this.nameOf(cap));
	}

	private async endOf(log: Log, now: number, lookedAt: number): Promise<End> {
		const current = stretchOf(now);
		const newest = stretchOf(now + EDGE_MS);
		// A process whose clock is ahead may have begun the next stretch.
		const stretch = newest > current && (await log.lastOf(newest)) > 0 ? newest : current;
		const nextIn = async (each: number) => ({
			stretch: each,
			number: (await log.lastOf(each)) + 1,
		});
		const hour = Math.max(Math.floor(now / HOUR_MS), hoursOf(stretch).first);
		const place = await nextIn(stretch);
		const near = [stretchOf(now - EDGE_MS), newest].filter((each) => each !== stretch);
		return {
			...place,
			log: log.name,
			row: rowOf(log.name, place),
			owner: newOwner(),
			hour,
			endsBy: now + CLAIM_MS,
			endsAt: lookedAt + CLAIM_MS,
			beside: await Promise.all(near.map(nextIn)),
		};
	}

	/** The first message of a stretch removes those that count for no period any more. */
	private async tidy(cap: Cap, stretch: number): Promise<void> {
		const log = await this.readLog(cap);
		const { once } = await this.openRows();
		try {
			const before = (await once.raise(log.name, stretch, MAX_STRETCHES_BACK)) ?? stretch;
			const gone = Math.min(before, stretch - STRETCHES_IN_REACH);
			for (let each = before - STRETCHES_IN_REACH + 1; each <= gone; each++) {
				for (let number = await log.lastOf(each); number > 0; number--) {
					const row = rowOf(log.name, { stretch: each, number });
					await once.remove(outcomeRowOf(row));
					await once.remove(row);
				}
			}
		} catch {
			// There are rows too many.
		}
	}
}

/** The messages to a number, as one look sees them: it asks for each row once. */
class Log {
	private readonly entries = new Map<string, Promise<number>>();

	constructor(
		private readonly rows: Pick<Rows, 'count'>,
		readonly name: string,
	) {}

	async lastOf(stretch: number): Promise<number> {
		return await lastWith(async (number) => await this.has({ stretch, number }));
	}

	async has(place: Place): Promise<boolean> {
		return (await this.entriesOf(rowOf(this.name, place))) > 0;
	}

	async messageAt(place: Place): Promise<Message | undefined> {
		const row = rowOf(this.name, place);
		const hour = CLAIMED.decode(await this.entriesOf(row), place.stretch);
		if (hour === undefined) return undefined;
		return { row, hour, ...OUTCOME.decode(await this.entriesOf(outcomeRowOf(row)), hour) };
	}

	private async entriesOf(row: string): Promise<number> {
		const entries = this.entries.get(row) ?? this.rows.count(row);
		this.entries.set(row, entries);
		return await entries;
	}
}

/** In so many stretches before the current one a message may still count. */
const STRETCHES_IN_REACH = Math.ceil(MAX_PERIOD_MS / (STRETCH_HOURS * HOUR_MS)) + 1;
/** How far back the stretch before is looked for: three years. The rows of an older one stay. */
const MAX_STRETCHES_BACK = 365;

function rowOf(log: string, { stretch, number }: Place): string {
	return `${log}:${stretch}:${number}`;
}

function outcomeRowOf(row: string): string {
	return `${row}:outcome`;
}

const BEFORE = entriesBefore('cap', STRETCH_HOURS + 1);

/** How the entries of a row tell in which hour its message was claimed. */
const CLAIMED = {
	encode: (hour: number) => BEFORE + (hour % STRETCH_HOURS) + 1,
	/** @throws OtherVersion */
	decode(entries: number, stretch: number): number | undefined {
		if (entries === 0 || entries === CLAIMED.nobody) return undefined;
		if (entries <= BEFORE || entries > CLAIMED.nobody) throw new OtherVersion();
		return hoursOf(stretch).first + entries - BEFORE - 1;
	},
	/** Of a message that was certainly not sent, behind which there is another one. */
	nobody: BEFORE + STRETCH_HOURS + 1,
};

/** How those of a second row tell what became of it, and when, in steps from that hour. Open ones have none. */
const OUTCOME = {
	encode(state: 'sent' | 'unknown', at: number, hour: number): number {
		const steps = Math.max(1, Math.ceil((at - hour * HOUR_MS) / STEP_MS));
		return state === 'sent' ? steps : OUTCOME.steps + steps;
	},
	decode(entries: number, hour: number): Pick<Message, 'state' | 'sentBy'> {
		if (entries === 0) return { state: 'open', sentBy: latestOf(hour) };
		const isSent = entries <= OUTCOME.steps;
		const steps = isSent ? entries : entries - OUTCOME.steps;
		return { state: isSent ? 'sent' : 'unknown', sentBy: hour * HOUR_MS + steps * STEP_MS };
	},
	steps: Math.ceil((HOUR_MS + CLAIM_MS) / STEP_MS),
};

/** Of a moment, epoch ms. */
function stretchOf(at: number): number {
	return Math.floor(at / (STRETCH_HOURS * HOUR_MS));
}

function hoursOf(stretch: number) {
	const first = stretch * STRETCH_HOURS;
	return { first, last: first + STRETCH_HOURS - 1 };
}

/** By when a message that was claimed in the hour has gone out. */
function latestOf(hour: number): number {
	return (hour + 1) * HOUR_MS + CLAIM_MS;
}

/** Until when a message counts. */
function untilOf({ periodMs }: Cap, sentBy: number): number {
	return sentBy + COUNTING * periodMs;
}
