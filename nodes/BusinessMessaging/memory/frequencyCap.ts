import { type Claim, Claims, type Look, OTHERS_MS } from './claims';
import { digestOf, newOwner } from './rows';

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

/** A number has as many places as it gets messages in a period, each for one message at a time. */
interface Place extends Claim {
	index: number;
	/** In which its message was looked at, or sent. */
	unit: number;
	/** Ticks. After it, another message may have the place, so no response may come later. */
	endsAt: number;
}

/** The last message of a place. */
interface Occupant {
	row: string;
	unit: number;
	isOpen: boolean;
}

/** The period has so many units of time. */
const UNITS = 32;
/** A message keeps its place for so many units, from the beginning of its unit on. The row of a place covers as many. */
const SLOT = UNITS - 1;
/** So near to the end of a slot, a process whose clock differs may be creating the row of the slot beside it. */
const EDGE = 8;
/** A claim that took so many units may have missed the row beside its own. */
const HELD_UP = 4;
/** So often held up, a claim is given up, because the database is too slow for the period. */
const MAX_ATTEMPTS = 4;

const TOO_SLOW = 'the database of n8n is too slow for so short a period';

/** How far back the row of the message before is looked for. An older one stays. */
const THREE_YEARS_MS = 3 * 365 * 24 * 3_600_000;
const MAX_SLOTS_BACK = 10_000;

/**
 * The memory of Frequency Cap.
 *
 * A message creates a row, whose name has the number's digest, the place and the slot of time. The row's entries count
 * the units within the slot, because a row can hold nothing else that n8n gives back: two for each, of which an open
 * row lacks the last. Only one of all processes can create the row. Near to the end of a slot, a process that has
 * created one also looks at the row beside it, because another process may have created that at the same moment. Both
 * then see each other, remove their rows and try again.
 * A second row of each place tells in which slot its last message was. So the row of a message goes when the place
 * gets its next one.
 */
export class FrequencyCap extends Claims<Cap, Place, HeldBackUntil> {
	protected readonly option = 'Frequency Cap';

	protected nameOf({ counter, number, messages, periodMs }: Cap): string {
		return `cap:${digestOf(JSON.stringify([counter, number, messages, periodMs]))}`;
	}

	protected async look(cap: Cap, shown: number): Promise<Look<Place, HeldBackUntil>> {
		const unit = this.unitOf(cap);
		const slots = [...new Set([slotOf(unit) - 1, slotOf(unit), ...slotBeside(unit)])];
		const occupants: Occupant[] = [];
		for (let index = 0, free = 0; index < cap.messages; index++) {
			const occupant = await this.occupantOf(cap, index, slots);
			if (occupant && occupant.unit + SLOT > unit) occupants.push(occupant);
			else if (free++ === shown) return { free: this.placeAt(cap, index, unit) };
		}
		// What was shown counts from now on.
		const from = Math.min(...occupants.map((each) => each.unit), shown > 0 ? unit : Infinity);
		const until = timeOf(cap, from + SLOT);
		const open = occupants.filter(({ isOpen }) => isOpen);
		const mayEnd = (each: Occupant) =>
			!this.isOwn(each.row) && timeOf(cap, each.unit + 1) + OTHERS_MS > this.clock.now();
		return {
			instead: open.length > 0 ? { until, earlier: 'unknown' } : { until },
			isOpen: open.some(mayEnd),
		};
	}

	protected async take(
		cap: Cap,
		{ row, owner, index, unit }: Place,
		attempt: number,
	): Promise<boolean> {
		const rows = await this.openRows();
		if (!(await rows.create(row, owner, entriesOf(unit)))) return false;
		try {
			const beside = await this.occupantOf(cap, index, slotBeside(unit));
			const isAlone = !beside || beside.unit + SLOT <= unit;
			const isHeldUp = this.unitOf(cap) >= unit + HELD_UP;
			if (isAlone && !isHeldUp) {
				await this.tidy(cap, index, slotOf(unit));
				return true;
			}
			if (isHeldUp && attempt >= MAX_ATTEMPTS) throw new Error(TOO_SLOW);
		} catch (error) {
			// Nothing will be sent, so nothing may count.
			await rows.remove(row).catch(() => undefined);
			return await Promise.reject(error);
		}
		await rows.remove(row);
		return false;
	}

	/** The rate limit may have delayed the message into a later unit. */
	protected async keep(cap: Cap, place: Place, state: 'ended' | 'open'): Promise<void> {
		const { row, owner, index } = place;
		const unit = Math.max(place.unit, this.unitOf(cap));
		const last = this.rowOf(cap, index, slotOf(unit));
		const entries = entriesOf(unit) + (state === 'ended' ? 1 : 0);
		if (!(await (await this.openRows()).create(last, owner, entries)) || last === row) return;
		place.row = last;
		await this.tidy(cap, index, slotOf(unit));
	}

	/** Removes the row of the message before, which does not count any more. */
	private async tidy(cap: Cap, index: number, slot: number): Promise<void> {
		const { once } = await this.openRows();
		const slotsBack = Math.min(MAX_SLOTS_BACK, Math.ceil(THREE_YEARS_MS / timeOf(cap, SLOT)));
		try {
			const before = await once.raise(`${this.nameOf(cap)}:${index}`, slot, slotsBack);
			if (before !== undefined && before < slot) await once.remove(this.rowOf(cap, index, before));
		} catch {
			// There is a row too many.
		}
	}

	private async occupantOf(
		cap: Cap,
		index: number,
		slots: number[],
	): Promise<Occupant | undefined> {
		const rows = await this.openRows();
		const found = slots.map(async (slot) => {
			const row = this.rowOf(cap, index, slot);
			const entries = await rows.count(row);
			const unit = slot * SLOT + Math.ceil(entries / 2) - 1;
			return entries === 0 ? [] : { row, unit, isOpen: entries % 2 === 1 };
		});
		return (await Promise.all(found)).flat().at(-1);
	}

	private placeAt(cap: Cap, index: number, unit: number): Place {
		const row = this.rowOf(cap, index, slotOf(unit));
		const leftMs = timeOf(cap, unit + SLOT - 1) - this.clock.now();
		return { row, owner: newOwner(), index, unit, endsAt: this.clock.ticks() + leftMs };
	}

	private rowOf(cap: Cap, index: number, slot: number): string {
		return `${this.nameOf(cap)}:${index}:${slot}`;
	}

	private unitOf(cap: Cap): number {
		return Math.floor(this.clock.now() / timeOf(cap, 1));
	}
}

/** In ms; of a moment since 1970. */
function timeOf({ periodMs }: Cap, units: number): number {
	return (units * periodMs) / UNITS;
}

function slotOf(unit: number): number {
	return Math.floor(unit / SLOT);
}

/** Of which another process may be creating the row at this moment. */
function slotBeside(unit: number): number[] {
	const within = unit - slotOf(unit) * SLOT;
	if (within < EDGE) return [slotOf(unit) - 1];
	return within >= SLOT - EDGE ? [slotOf(unit) + 1] : [];
}

/** Of an open row. */
function entriesOf(unit: number): number {
	return 2 * (unit - slotOf(unit) * SLOT) + 1;
}
