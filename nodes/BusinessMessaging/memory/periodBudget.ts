import { type Clock, HOUR_MS, UNITS_MS } from '../clock';
import { OtherVersion } from '../layouts';
import { digestOf, lastWith, newOwner, type Rows, windowsOver } from './rows';

/** The most that messages may cost within a period, and to how many people they may go. */
export interface PeriodLimit {
	/** The node, or the name that several nodes share. */
	counter: string;
	/** Each from its full hour, midnight or first day on in the time zone; or a conversation, by its ID. */
	period: 'hour' | 'day' | 'month' | { conversation: string };
	timeZone: string;
	/** INR */
	limit: number;
	people: number;
}

/** What a message has taken. It keeps it if it may have been sent. */
interface Taken {
	/** Replaces the price by the cost, in INR; 0 if the message was certainly not sent. */
	settle: (cost: number) => Promise<void>;
}

/** Why a message can't have its price. `spent`: INR, with what was taken for messages that are on their way. */
export type Reached = { reached: 'limit' | 'people'; spent: number };

/** INR have four decimals. */
const COUNTED_PER_INR = 10_000;
/** Money is counted in steps, each price rounded up: 0.115 to 0.12, and 0.8631 to 0.87. */
const STEP_UNITS = 300;
export const STEP_INR = STEP_UNITS / COUNTED_PER_INR;
/** No message costs INR 300. Rows of another layout have more steps: see statesOf. */
const MOST_STEPS = 10_000;

/** A year and a month, in hours. */
const MAX_WINDOWS_BACK = 10_000;

/**
 * The memory of Budget.
 *
 * What a period has cost is a chain of rows. The name of each tells how many steps were taken before it, and its
 * entries tell how many it takes: so only who knows the whole sum can take more, because the database gives each row
 * to one message. What is given back is a chain of its own, so that sums only grow, and who knows too little of them
 * sends too little. A message whose n8n was killed keeps what it has taken.
 */
export class PeriodBudget {
	private readonly windows = new Map<string, Promise<Window>>();

	/** @param openRows is not called before there is a message with the option */
	constructor(
		private readonly openRows: () => Promise<Rows>,
		private readonly clock: Clock,
	) {}

	/** @throws when the database does not answer */
	async take(limit: PeriodLimit, price: number, number: string): Promise<Taken | Reached> {
		return await (await this.windowOf(limit)).take(limit, stepsOf(price), number);
	}

	/**
	 * For a dry run, which records nothing and does not know the people.
	 * @returns what is left of the limit after this message, in INR
	 */
	async show(limit: PeriodLimit, price: number): Promise<{ left: number } | Reached> {
		return await (await this.windowOf(limit)).show(limit, stepsOf(price));
	}

	private async windowOf(limit: PeriodLimit): Promise<Window> {
		const { counter, period } = limit;
		const index = indexOf(limit, this.clock.now());
		const name = `budget:${digestOf(JSON.stringify([counter, period]))}`;
		const key = `${name}:${index}`;
		const open = async () => new Window(await this.openRows(), name, index);
		const window = this.windows.get(key) ?? open();
		this.windows.set(key, window);
		return await window;
	}
}

/** One hour, day, month or conversation. */
class Window {
	private readonly taken: Chain;
	private readonly back: Chain;
	private last: Promise<unknown> = Promise.resolve();
	/** Steps of the messages that a dry run has shown. */
	private shown = 0;

	/** @param index of the period; a conversation has only one */
	constructor(
		private readonly rows: Rows,
		private readonly name: string,
		private readonly index: number,
	) {
		[this.taken, this.back] = chainsOf(rows, name, index);
	}

	async take(
		{ limit, people }: PeriodLimit,
		steps: number,
		number: string,
	): Promise<Taken | Reached> {
		return await this.inTurn(async () => {
			const { taken, back } = this;
			const most = Math.floor(unitsOf(limit) / STEP_UNITS);
			// Free messages pass, because real costs may have passed the limit.
			if (steps > 0) {
				// What was given back matters at the limit only.
				const before =
					(await taken.add(steps, most)) ?? (await taken.add(steps, most + (await back.total())));
				if (before === undefined) return this.reached('limit');
				if (before === 0) await this.tidy(people);
			}
			if (await this.isAmong(people, number)) {
				// If it fails, the sum may be wrong by what this message costs.
				return {
					settle: async (cost) => await this.correct(stepsOf(cost) - steps).catch(() => undefined),
				};
			}
			await back.add(steps);
			return this.reached('people');
		});
	}

	private async correct(steps: number): Promise<void> {
		await this.inTurn(async () => {
			await this.taken.add(Math.max(0, steps));
			await this.back.add(Math.max(0, -steps));
		});
	}

	async show({ limit }: PeriodLimit, steps: number): Promise<{ left: number } | Reached> {
		return await this.inTurn(async () => {
			await this.back.total();
			await this.taken.total();
			const left = unitsOf(limit) - (this.spent + this.shown + steps) * STEP_UNITS;
			if (steps > 0 && left < 0) return this.reached('limit');
			this.shown += steps;
			return { left: Math.max(0, left) / COUNTED_PER_INR };
		});
	}

	/** In steps, as this run knows it. */
	private get spent(): number {
		return this.taken.known - this.back.known;
	}

	private reached(reached: Reached['reached']): Reached {
		return { reached, spent: (this.spent * STEP_UNITS) / COUNTED_PER_INR };
	}

	/** Within a run, one message takes after the other. */
	private async inTurn<T>(task: () => Promise<T>): Promise<T> {
		const own = this.last.then(task);
		this.last = own.catch(() => undefined);
		return await own;
	}

	/** Each person has a row, and keeps it: with the same mode, it is the same person's. */
	private async isAmong(people: number, number: string): Promise<boolean> {
		if (people === Infinity) return true;
		const mode = digestOf(`${this.name} ${number}`);
		for (let person = 0; person < people; person++) {
			if (await this.rows.hasMode(personRow(this.name, this.index, person), mode)) return true;
		}
		return false;
	}

	/** The first message of a window removes the last but one. In the one before, a process may still be. */
	private async tidy(people: number): Promise<void> {
		const { rows, name } = this;
		try {
			for (const over of await windowsOver(rows, name, this.index, 2, MAX_WINDOWS_BACK)) {
				for (const chain of chainsOf(rows, name, over)) await chain.remove();
				for (let person = 0; person < people && people < Infinity; person++) {
					await rows.remove(personRow(name, over, person));
				}
			}
		} catch {
			// There are rows too many.
		}
	}
}

function chainsOf(rows: Rows, name: string, index: number): [taken: Chain, back: Chain] {
	return [new Chain(rows, `${name}:${index}:taken`), new Chain(rows, `${name}:${index}:back`)];
}

function personRow(name: string, index: number, person: number): string {
	return `${name}:${index}:person:${person}`;
}

/** After so many steps a mark tells where the next row is, so that nobody reads a chain from its beginning. */
const STEPS_PER_MARK = 32;

/** @returns the marks that a row from here to there passes */
function marksWithin(start: number, end: number): number[] {
	const [before, last] = [start, end].map((at) => Math.floor(at / STEPS_PER_MARK));
	return Array.from({ length: last - before }, (_, index) => last - index);
}

/** A sum that only grows, to which one message at a time can add. */
class Chain {
	private end?: number;

	constructor(
		private readonly rows: Rows,
		private readonly name: string,
	) {}

	/** The sum as this run knows it. */
	get known(): number {
		return this.end ?? 0;
	}

	/** Changes nothing. */
	async total(): Promise<number> {
		let end = this.end ?? (await this.findMark());
		for (;;) {
			const steps = await this.rows.count(this.rowAt(end));
			if (steps === 0) return (this.end = end);
			if (steps > MOST_STEPS) throw new OtherVersion();
			end += steps;
		}
	}

	/** @returns the sum before; undefined if it would be more than `most` then */
	async add(steps: number, most = Infinity): Promise<number | undefined> {
		if (steps === 0) return this.known;
		let start = this.end ?? (await this.total());
		while (start + steps <= most) {
			if (await this.rows.create(this.rowAt(start), newOwner(), steps)) {
				this.end = start + steps;
				for (const mark of marksWithin(start, this.end)) {
					const entries = this.end - mark * STEPS_PER_MARK + 1;
					await this.rows.create(this.markAt(mark), newOwner(), entries);
				}
				return start;
			}
			// Another message was faster.
			start = await this.total();
		}
		return undefined;
	}

	/** Its rows are nobody's any more. */
	async remove(): Promise<void> {
		for (let at = 0; ;) {
			const steps = await this.rows.count(this.rowAt(at));
			if (steps === 0) return;
			await this.rows.remove(this.rowAt(at));
			for (const mark of marksWithin(at, at + steps)) await this.rows.remove(this.markAt(mark));
			at += steps;
		}
	}

	/** A mark may be missing, because n8n was killed before it was made: then more rows are read. */
	private async findMark(): Promise<number> {
		const countOf = async (mark: number) => await this.rows.count(this.markAt(mark));
		const last = await lastWith(async (mark) => (await countOf(mark)) > 0);
		return last === 0 ? 0 : last * STEPS_PER_MARK + (await countOf(last)) - 1;
	}

	private rowAt(start: number): string {
		return `${this.name}:${start}`;
	}

	private markAt(mark: number): string {
		return `${this.name}:mark:${mark}`;
	}
}

function unitsOf(amount: number): number {
	return Math.round(amount * COUNTED_PER_INR);
}

function stepsOf(price: number): number {
	return Math.min(MOST_STEPS, Math.ceil(unitsOf(price) / STEP_UNITS));
}

/** Of the period at this moment, epoch ms; a later one has a higher index. */
function indexOf({ period, timeZone }: PeriodLimit, now: number): number {
	if (typeof period === 'object') return 0;
	if (period === 'hour') return Math.floor(now / HOUR_MS);
	const date = new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' }).format(now);
	if (period === 'day') return Date.parse(date) / UNITS_MS.days;
	const [year, month] = date.split('-').map(Number);
	return 12 * year + month;
}
