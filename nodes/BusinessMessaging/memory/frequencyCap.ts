import { HOUR_MS, UNITS_MS } from '../clock';
import { OtherVersion } from '../layouts';
import { type Claim, Claims, type Look, OTHERS_MS } from './claims';
import { digestOf, lastWith, newOwner, type Rows, windowsOver } from './rows';

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

/** The place behind the last message. */
interface End extends Claim {
	stretch: number;
	/** Within its stretch of time, from 1. */
	number: number;
	/** In which the message is claimed, since 1970. */
	hour: number;
	/** In ticks. After it other messages may count this one as over, so no response may come later. */
	endsAt: number;
}

interface Message {
	row: string;
	/** `open`: it may be on its way, or its n8n was killed. `unknown`: nobody will find out whether it was sent. */
	state: 'open' | 'unknown' | 'sent' | 'withdrawn';
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
 * Near to the end of a stretch, another process may add to the stretch beside it at the same moment. So who has created
 * a row there counts once more. If both see one too many, both withdraw and try again.
 */
export class FrequencyCap extends Claims<Cap, End, HeldBackUntil> {
	protected readonly option = 'Frequency Cap';

	protected nameOf({ counter, number }: Cap): string {
		return `cap:${digestOf(JSON.stringify([counter, number]))}`;
	}

	protected async look(cap: Cap, shown: number): Promise<Look<End, HeldBackUntil>> {
		const now = this.clock.now();
		const endsAt = this.clock.ticks() + CLAIM_MS;
		const log = new Log(await this.openRows(), this.nameOf(cap));
		const counting = await countingIn(log, cap, now, cap.messages - shown);
		if (counting.length + shown < cap.messages) {
			const stretch = stretchOf(now);
			const number = (await log.lastOf(stretch)) + 1;
			const row = rowOf(log.name, stretch, number);
			const hour = Math.floor(now / HOUR_MS);
			return { free: { row, owner: newOwner(), stretch, number, hour, endsAt } };
		}
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
		const now = this.clock.now();
		if (stretchOf(now - EDGE_MS) !== stretchOf(now + EDGE_MS)) {
			const log = new Log(rows, this.nameOf(cap));
			// If it fails, nothing will be sent, so nothing may count.
			const most = cap.messages + 1;
			const counting = await countingIn(log, cap, now, most).catch(() => undefined);
			if (!counting || counting.length > cap.messages) {
				await this.release(end);
				return false;
			}
		}
		if (number === 1) await this.tidy(cap, stretch);
		return true;
	}

	protected async keep(_: Cap, { row, owner, hour }: End, state: 'ended' | 'open'): Promise<void> {
		const entries = OUTCOME.encode(state === 'ended', this.clock.now(), hour);
		await (await this.openRows()).create(outcomeRowOf(row), owner, entries);
	}

	/** The row stays, because nobody looks beyond a gap. */
	protected async release({ row, owner }: End): Promise<void> {
		await (await this.openRows()).create(outcomeRowOf(row), owner, OUTCOME.withdrawn);
	}

	/** The first message of a stretch removes those that count for no period any more. */
	private async tidy(cap: Cap, stretch: number): Promise<void> {
		const rows = await this.openRows();
		const log = new Log(rows, this.nameOf(cap));
		try {
			for (const over of await windowsOver(
				rows,
				log.name,
				stretch,
				STRETCHES_IN_REACH,
				MAX_STRETCHES_BACK,
			)) {
				for (let number = await log.lastOf(over); number > 0; number--) {
					const row = rowOf(log.name, over, number);
					await rows.remove(outcomeRowOf(row));
					await rows.remove(row);
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
		return await lastWith(
			async (number) => (await this.entriesOf(rowOf(this.name, stretch, number))) > 0,
		);
	}

	async messageAt(stretch: number, number: number): Promise<Message> {
		const row = rowOf(this.name, stretch, number);
		const hour = CLAIMED.decode(await this.entriesOf(row), stretch);
		const outcome = OUTCOME.decode(await this.entriesOf(outcomeRowOf(row)), hour);
		return { row, ...outcome };
	}

	private async entriesOf(row: string): Promise<number> {
		const entries = this.entries.get(row) ?? this.rows.count(row);
		this.entries.set(row, entries);
		return await entries;
	}
}

/** @returns the newest messages that count, no more than `most` */
async function countingIn(log: Log, cap: Cap, now: number, most: number): Promise<Message[]> {
	const counting: Message[] = [];
	const mayCount = (sentBy: number) => untilOf(cap, sentBy) > now;
	let stretch = stretchOf(now + EDGE_MS);
	for (; counting.length < most && mayCount(latestOf(hoursOf(stretch).last)); stretch--) {
		for (let number = await log.lastOf(stretch); counting.length < most && number > 0; number--) {
			const message = await log.messageAt(stretch, number);
			if (mayCount(message.sentBy)) {
				if (message.state !== 'withdrawn') counting.push(message);
			}
			// One that was claimed before it may have gone out after it.
			else if (!mayCount(message.sentBy + CLAIM_MS)) break;
		}
	}
	return counting;
}

/** How far the stretch before is looked for: three years. */
const MAX_STRETCHES_BACK = 365;
/** A message may count for so many stretches, with the current one. */
const STRETCHES_IN_REACH = Math.ceil(MAX_PERIOD_MS / (STRETCH_HOURS * HOUR_MS)) + 1;

function rowOf(log: string, stretch: number, number: number): string {
	return `${log}:${stretch}:${number}`;
}

function outcomeRowOf(row: string): string {
	return `${row}:outcome`;
}

/** How the entries of a row tell in which hour its message was claimed. Another layout needs other numbers: see statesOf. */
const CLAIMED = {
	encode: (hour: number) => (hour % STRETCH_HOURS) + 1,
	/** @throws OtherVersion */
	decode(entries: number, stretch: number): number {
		if (entries > STRETCH_HOURS) throw new OtherVersion();
		return hoursOf(stretch).first + entries - 1;
	},
};

/** In so many steps from the beginning of that hour its message has gone out. */
const OUTCOME_STEPS = Math.ceil((HOUR_MS + CLAIM_MS) / STEP_MS);

/** How those of a second row tell what became of it, and when. Open ones have none. */
const OUTCOME = {
	encode(isSent: boolean, at: number, hour: number): number {
		const steps = Math.ceil((at - hour * HOUR_MS) / STEP_MS);
		// The clock may have been set, or the response be noticed late.
		const within = Math.min(Math.max(1, steps), OUTCOME_STEPS);
		return isSent ? within : OUTCOME_STEPS + within;
	},
	/** It was certainly not sent. */
	withdrawn: 2 * OUTCOME_STEPS + 1,
	/** @throws OtherVersion */
	decode(entries: number, hour: number): Pick<Message, 'state' | 'sentBy'> {
		if (entries > OUTCOME.withdrawn) throw new OtherVersion();
		if (entries === OUTCOME.withdrawn) return { state: 'withdrawn', sentBy: latestOf(hour) };
		if (entries === 0) return { state: 'open', sentBy: latestOf(hour) };
		const isSent = entries <= OUTCOME_STEPS;
		const steps = isSent ? entries : entries - OUTCOME_STEPS;
		return { state: isSent ? 'sent' : 'unknown', sentBy: hour * HOUR_MS + steps * STEP_MS };
	},
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
