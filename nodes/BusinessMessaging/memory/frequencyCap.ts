import { createHash } from 'crypto';
import type { Clock } from '../clock';
import { failureFromInput } from '../errors/failure';
import { reasonOf } from '../inputError';
import { failed, type FailedOutcome, meaningOf, type Outcome } from '../outcome';
import { newOwner } from './lock';
import { memoryProblem, type Rows } from './rows';

/** At most one message to a number within the hours. */
export interface Cap {
	/** The node, or the name that several nodes share. */
	counter: string;
	/** E.164 */
	number: string;
	hours: number;
}

/** What keeps other messages from going to a number: rows, and their owner. */
interface Claim {
	owner: string;
	rows: string[];
	unit: number;
}

/** The hours have so many units of time. A message counts from the end of its unit on. */
const UNITS = 48;
/** Each row is for so many units. */
const ROW_UNITS = 12;
const UNIT_MS_PER_HOUR = 3_600_000 / UNITS;
/** After another process has created a row beside this one's. */
const RACE_PAUSE_MS = 100;

/**
 * The memory of At Most Once per Number, for one run of the node.
 *
 * A message to a number creates a row, whose name has the number's digest and the time, by a quarter of the hours. The
 * row's entries count the units of time within that quarter, because a row can hold nothing else that n8n gives back.
 * Only one of all processes can create the row. A process that has created one also looks at the rows before and
 * after it, because another process may have created one of those at the same moment: both see each other, remove their
 * rows and try again. The row is there *before* the message is sent, and goes when it was certainly not sent.
 */
export class FrequencyCap {
	/** By message, because a long wait for one can outlast the hours, after which another goes to the number. */
	private readonly own = new Map<Cap, Claim>();
	/** By counter and number, in a dry run: until when the message that was shown would count. */
	private readonly shown = new Map<string, number>();
	/** Why a row could not be written. */
	private unwritten?: string;

	/** @param openRows is not called before there is a cap */
	constructor(
		private readonly openRows: () => Promise<Rows>,
		private readonly clock: Clock,
	) {}

	/** @throws InputError when the memory can't be used, so that nothing may be sent */
	async check(): Promise<void> {
		await this.openRows().catch(async (error: unknown) => {
			return await Promise.reject(memoryProblem('At Most Once per Number', error));
		});
	}

	/**
	 * Sends a message, unless one went to the number within the hours, or may have.
	 * @returns in place of the outcome, from when on the message may be sent, in epoch ms
	 */
	async send(cap: Cap, send: () => Promise<Outcome>): Promise<Outcome | number> {
		const claim = await this.claim(cap).catch(asFailed);
		if (typeof claim === 'number' || 'failure' in claim) return claim;
		this.own.set(cap, claim);
		const outcome = await send();
		if (meaningOf(outcome).counts) await this.prolong(cap, claim);
		else await this.free(cap);
		return outcome;
	}

	/** The same for a dry run, which records nothing. @param show in place of sending */
	async show(cap: Cap, show: () => Promise<Outcome>): Promise<Outcome | number> {
		const name = nameOf(cap);
		const unit = this.unitOf(cap);
		const freeAt = await this.freeAt(cap, unit).catch(asFailed);
		const skipped = freeAt ?? this.shown.get(name);
		if (skipped !== undefined) return skipped;
		this.shown.set(name, timeOf(cap, unit + UNITS + 1));
		return await show();
	}

	/** Lets other messages go to the number, if the one that this run sent did not reach the customer. */
	async free(cap: Cap): Promise<void> {
		const own = this.own.get(cap);
		this.own.delete(cap);
		await this.orNote(async (rows) => {
			for (const row of own?.rows ?? []) await rows.remove(row);
		});
	}

	/** What the memory does not know although it should. */
	get problem(): string | undefined {
		if (this.unwritten === undefined) return undefined;
		return `The memory of At Most Once per Number could not be updated: ${this.unwritten}`;
	}

	private async claim(cap: Cap): Promise<Claim | number> {
		const rows = await this.openRows();
		const owner = newOwner();
		for (;;) {
			const unit = this.unitOf(cap);
			const freeAt = await this.freeAt(cap, unit);
			if (freeAt !== undefined) return freeAt;
			const row = rowOf(cap, unit);
			// If another process was faster, its row is found next time.
			if (await rows.create(row, owner, entriesOf(unit))) {
				const isFree = await this.freeAt(cap, unit, row).then(
					(freeAt) => freeAt === undefined,
					async (error: unknown) => {
						// Nothing will be sent, so nothing may count.
						await rows.remove(row).catch(() => undefined);
						return await Promise.reject(error);
					},
				);
				// A claim that was held up until here may have missed others.
				if (isFree && this.unitOf(cap) === unit) return { owner, rows: [row], unit };
				await rows.remove(row);
			}
			await this.clock.sleep(RACE_PAUSE_MS * Math.random());
		}
	}

	/** The rate limit may have delayed the message into a later unit. */
	private async prolong(cap: Cap, claim: Claim): Promise<void> {
		const unit = this.unitOf(cap);
		if (unit === claim.unit) return;
		const row = rowOf(cap, unit);
		await this.orNote(async (rows) => {
			await rows.create(row, claim.owner, entriesOf(unit));
			if (!claim.rows.includes(row)) claim.rows.push(row);
		});
	}

	/**
	 * From when on a message may go to the number, in epoch ms.
	 * @param own row that does not count
	 * @returns undefined: in this unit
	 */
	private async freeAt(cap: Cap, unit: number, own?: string): Promise<number | undefined> {
		const rows = await this.openRows();
		// The one after the current row: another process's clock may be ahead.
		const starts = range(unit - UNITS, unit + ROW_UNITS, ROW_UNITS).map(rowStart);
		const units = starts.map(async (start) => {
			const row = rowOf(cap, start);
			const entries = row === own ? 0 : await rows.count(row);
			return entries === 0 ? -Infinity : start + entries - 1;
		});
		const free = Math.max(...(await Promise.all(units))) + UNITS + 1;
		return free > unit ? timeOf(cap, free) : undefined;
	}

	private unitOf({ hours }: Cap): number {
		return Math.floor(this.clock.now() / (hours * UNIT_MS_PER_HOUR));
	}

	/** Notes a failed write, because the message's own outcome must not be lost with the memory. */
	private async orNote(write: (rows: Rows) => Promise<void>): Promise<void> {
		try {
			await write(await this.openRows());
		} catch (error) {
			this.unwritten = reasonOf(error);
		}
	}
}

function range(from: number, to: number, step: number): number[] {
	return Array.from({ length: (to - from) / step + 1 }, (_, index) => from + index * step);
}

function timeOf({ hours }: Cap, unit: number): number {
	return unit * hours * UNIT_MS_PER_HOUR;
}

function rowStart(unit: number): number {
	return Math.floor(unit / ROW_UNITS) * ROW_UNITS;
}

function entriesOf(unit: number): number {
	return unit - rowStart(unit) + 1;
}

function rowOf(cap: Cap, unit: number): string {
	return `${nameOf(cap)}:${rowStart(unit) / ROW_UNITS}`;
}

/** 128 bits are enough to be unique. */
function nameOf({ counter, number, hours }: Cap): string {
	const text = JSON.stringify([counter, number, hours]);
	const digest = createHash('sha256').update(text).digest().subarray(0, 16);
	return `cap:${digest.toString('base64url')}`;
}

function asFailed(error: unknown): FailedOutcome {
	return failed({ failure: failureFromInput(memoryProblem('At Most Once per Number', error)) });
}
