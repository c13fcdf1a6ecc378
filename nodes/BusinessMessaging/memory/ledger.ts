import type { Clock } from '../clock';
import { causeNamed } from '../errors/catalogue';
import { failureOf, failed, type Failed } from '../errors/failure';
import { statesOf } from '../layouts';
import { meaningOf, type Outcome, type SentBeforeOutcome } from '../outcome';
import { type Claim, Claims, type Look } from './claims';
import { digestOf, lookForEach, memoryProblem, type Rows } from './rows';

/** A message that a run sends, as all executions of its lineage know it. */
export interface LedgerMessage {
	itemIndex: number;
	/** What it shares with messages that may be the same one with other values: its template and recipient. */
	kind: unknown;
	/** All that is sent, and the account, if items have accounts of their own. Or its Send Once Key. */
	content: unknown;
	/** Of the account, to salt what n8n stores with the execution. */
	apiKey: string;
	/** Its outcome, if another execution sent it. */
	sentBefore: SentBeforeOutcome;
	/** Its outcome, if another execution may have. */
	interrupted: Failed;
}

/**
 * The rows whose messages the execution can tell without asking the database. It lies in the execution's context of
 * the node, so n8n stores it at the same moments as the memory for retries, which has the messages themselves.
 */
export interface Told {
	/** What gave the node the items of its last run. */
	input?: string;
	/** Of that run. */
	numbers: Numbers;
	/** Of earlier runs, as loops make them. */
	earlier: Numbers;
	/** Of the API keys by which the lineage has named kinds. Under another key it is not known which rows were told. */
	salts: string[];
	/** In a Retry: `salts` as the first one began. */
	inherited?: string[];
}

/** The numbers of rows, by their kind. */
type Numbers = Partial<Record<string, number[]>>;

/** What became of the message of a row. */
const STATES = [
	/** Its request may be under way, unless its execution was killed. */
	'open',
	'sent',
	/** It was sent, and did not reach the customer. */
	'undelivered',
	/** It was certainly not sent. The row stays, because nobody looks beyond a gap. */
	'withdrawn',
	/** Nobody will find out whether it was sent. */
	'unknown',
] as const;
type State = (typeof STATES)[number];
const { entriesOf, stateOf } = statesOf(STATES);

/** Of equal messages it does not matter which of them was sent, so rows of a lower rank are matched first. */
const RANKS: Record<string, number> = { sent: 0, unknown: 1, open: 1, undelivered: 2 };

/** The messages of one template to one recipient. Their rows have numbers from 1, without a gap. */
interface Kind {
	name: string;
	/** The API key is another one than before. So it is not known which rows have been told. */
	hasOtherKey: boolean;
	told: Set<number>;
	/** Messages of this run that may be those of rows that were found. */
	left: Set<LedgerMessage>;
	/** Rows of other executions. */
	found: Found[];
	/** Rows that this run has created, and their messages. */
	created: Array<Pick<Found, 'number' | 'of'>>;
	/** All rows before it are known. */
	next: number;
}

interface Found {
	number: number;
	state: ReturnType<typeof stateOf>;
	/** Whether its content was compared with that of this run's messages. */
	isCompared: boolean;
	/** The one that it is equal to. */
	of?: LedgerMessage;
}

/** What became of a message of which another execution has a row. */
type KnownOutcome = SentBeforeOutcome | Failed;

interface Entry extends Claim {
	number: number;
}

/**
 * What a lineage has sent: an execution and all its Retries.
 *
 * Each message has a row from before its request on, also while it waits for the rate limit. The rows of one kind of
 * message are a log: they are numbered, and only who knows 1 to n can create n + 1, because the database gives each
 * number to one execution. Who can't append reads on from there. So no two executions of a lineage send the same
 * message, whatever was killed, retried twice or given up by n8n, and nobody needs a lock. A message whose row is open,
 * or stands there with other values, is told as unknown. What is promised holds as long as rows stay: see Lineage,
 * which removes them.
 */
export class Ledger extends Claims<LedgerMessage, Entry, KnownOutcome> {
	protected readonly option = 'sent messages';
	private readonly kinds = new Map<string, Kind>();
	/** By item. */
	private readonly messages = new Map<number, LedgerMessage>();

	/**
	 * @param run `mayMeet`: whether other executions may append at the same time. `isRetried`: whether there is another
	 * one. `rowNames`: gets the names of all rows that it creates
	 */
	constructor(
		openRows: () => Promise<Rows>,
		clock: Clock,
		private readonly run: {
			lineage: string;
			told: Told;
			hasPast: boolean;
			mayMeet: boolean;
			isRetried: () => Promise<boolean>;
			rowNames?: string[];
		},
	) {
		super(openRows, clock);
	}

	/**
	 * Before the first request. In a Retry it finds what earlier executions did. Equal contents are matched first, in
	 * any order. If rows of a kind are left over, it is not known which of the other messages they are, so none of these
	 * is sent.
	 * @param before what n8n has stored, by item
	 * @returns by item, without what is known from `before`; of an undelivered one, what became of its fallback
	 * @throws InputError when the database does not answer
	 */
	async recall(
		messages: LedgerMessage[],
		before: ReadonlyMap<number, Outcome>,
		signal: AbortSignal,
	): Promise<Map<number, KnownOutcome>> {
		const outcomes = new Map<number, KnownOutcome>();
		const isUndelivered = ({ itemIndex }: LedgerMessage) => {
			const outcome = before.get(itemIndex);
			return outcome && meaningOf(outcome).claims === 'free';
		};
		const fresh = messages.filter(({ itemIndex }) => !before.has(itemIndex));
		for (const message of messages) this.add(message);
		for (const message of [...fresh, ...messages.filter(isUndelivered)]) {
			this.kindOf(message).left.add(message);
		}
		if (!this.run.hasPast) return outcomes;
		const { mayMeet } = this.run;
		try {
			await lookForEach(this.kinds.values(), async (kind) => {
				const left = [...kind.left];
				await this.read(kind, !mayMeet);
				for (const message of left) {
					const look = mayMeet
						? await this.lookAfterOthers(message, signal)
						: this.lookAmong(kind, message);
					if ('free' in look) continue;
					// Of its first message n8n has stored what became of it.
					if (isUndelivered(message) && !kind.found.some(({ of }) => of === message)) continue;
					outcomes.set(message.itemIndex, look.instead);
				}
			});
			return outcomes;
		} catch (error) {
			throw memoryProblem(this.option, error);
		}
	}

	/** The message of an item, unless it needs no row. */
	messageOf(itemIndex: number): LedgerMessage | undefined {
		return this.messages.get(itemIndex);
	}

	/** The memory for retries has what became of the message of an item, so nobody need look its rows up any more. */
	tell(itemIndex: number): void {
		const message = this.messages.get(itemIndex);
		if (!message) return;
		const kind = this.kindOf(message);
		const numbers = (this.run.told.numbers[this.saltedNameOf(message)] ??= []);
		const found = kind.found.filter(({ state }) => state !== 'unknown');
		for (const { number, of } of [...kind.created, ...found]) {
			if (of !== message || kind.told.has(number)) continue;
			kind.told.add(number);
			numbers.push(number);
		}
	}

	protected nameOf({ kind }: LedgerMessage): string {
		return `sent:${this.run.lineage}:${digestOf(JSON.stringify(kind))}`;
	}

	protected async look(message: LedgerMessage): Promise<Look<Entry, KnownOutcome>> {
		const kind = this.kindOf(message);
		if (kind.found.some(({ state }) => state === 'open')) await this.read(kind, false);
		return this.lookAmong(kind, message);
	}

	protected async take(message: LedgerMessage, entry: Entry): Promise<boolean> {
		const kind = this.kindOf(message);
		const { row, owner, number } = entry;
		const rows = await this.openRows();
		// An INSERT that meets an equal row writes it, which could undo what its sender writes at that moment.
		const isTaken = this.run.hasPast && (await rows.count(row)) > 0;
		if (isTaken || !(await rows.insert(row, owner, entriesOf('open')))) {
			// Without a Retry it is of an earlier run of the node.
			const isOwn = !this.run.hasPast && !(await this.run.isRetried());
			if (isOwn) kind.told.add(number);
			else await this.read(kind, false);
			return false;
		}
		kind.next = number + 1;
		kind.left.delete(message);
		kind.created.push({ number, of: message });
		this.run.rowNames?.push(row);
		return true;
	}

	protected async keep(_: LedgerMessage, entry: Entry, state: 'ended' | 'open'): Promise<void> {
		await this.write(entry, state === 'ended' ? 'sent' : 'unknown');
	}

	protected async release(entry: Entry, isAccepted: boolean): Promise<void> {
		await this.write(entry, isAccepted ? 'undelivered' : 'withdrawn');
	}

	/** If it fails, a Retry after a kill says that the message may have been sent. */
	private async write({ row, owner }: Claim, state: State): Promise<void> {
		await (await this.openRows()).create(row, owner, entriesOf(state));
	}

	/** Reads the rows of other executions. @param isOver whether these have all ended */
	private async read(kind: Kind, isOver: boolean): Promise<void> {
		const rows = await this.openRows();
		for (const each of kind.found) {
			if (each.state !== 'open') continue;
			each.state = stateOf(await rows.count(ledgerRowOf(kind, each.number)));
		}
		for (; ; kind.next++) {
			if (kind.told.has(kind.next)) continue;
			const state = stateOf(await rows.count(ledgerRowOf(kind, kind.next)));
			if (state === 'none') break;
			kind.found.push({ number: kind.next, state, isCompared: state === 'otherVersion' });
		}
		kind.found = kind.found.filter(({ state }) => state !== 'withdrawn');
		// To compare a row writes it, which could undo what its sender writes at that moment.
		const compared = kind.found
			.filter(({ isCompared, state }) => !isCompared && (isOver || state !== 'open'))
			.sort((a, b) => RANKS[a.state] - RANKS[b.state]);
		for (const found of compared) {
			found.isCompared = true;
			if (!kind.hasOtherKey) await this.match(kind, found);
		}
	}

	private async match(kind: Kind, found: Found): Promise<void> {
		const rows = await this.openRows();
		const digests = new Set([...kind.left].map((message) => this.digestOf(message)));
		for (const digest of digests) {
			const row = ledgerRowOf(kind, found.number);
			if (!(await rows.hasMode(row, digest))) continue;
			// n8n creates a row that is compared after it has gone.
			if ((await rows.count(row)) === 0) return await rows.remove(row);
			found.of = [...kind.left].find((message) => this.digestOf(message) === digest)!;
			kind.left.delete(found.of);
			if (found.state !== 'open') return;
			// Its execution was killed: later Retries need not wait for it.
			found.state = 'unknown';
			await this.write({ row, owner: digest }, found.state);
			return;
		}
	}

	private lookAmong(kind: Kind, message: LedgerMessage): Look<Entry, KnownOutcome> {
		const own = kind.found.find(({ of }) => of === message);
		if (own) {
			const known = own.state === 'sent' ? message.sentBefore : NOT_DELIVERED;
			return { instead: own.state === 'unknown' ? message.interrupted : known, isOpen: false };
		}
		const strange = kind.found.filter(({ of, state }) => !of && state !== 'undelivered');
		// Those under way.
		if (strange.some(({ isCompared }) => !isCompared)) {
			return { instead: message.interrupted, isOpen: true };
		}
		if (strange.length > 0) {
			const isOfOther = strange.some(({ state }) => state === 'otherVersion');
			return { instead: isOfOther ? ROW_OF_OTHER_VERSION : OTHER_VALUES, isOpen: false };
		}
		let number = kind.next;
		while (kind.told.has(number)) number++;
		return { free: { row: ledgerRowOf(kind, number), owner: this.digestOf(message), number } };
	}

	private kindOf(message: LedgerMessage): Kind {
		const name = this.nameOf(message);
		const kind = this.kinds.get(name) ?? {
			name,
			hasOtherKey: false,
			told: new Set(),
			left: new Set(),
			found: [],
			created: [],
			next: 1,
		};
		this.kinds.set(name, kind);
		return kind;
	}

	/** Adds a message of this run to its kind. */
	private add(message: LedgerMessage): void {
		const { told, lineage } = this.run;
		const kind = this.kindOf(message);
		this.messages.set(message.itemIndex, message);
		const salt = digestOf(`${lineage} ${message.apiKey}`).slice(0, 6);
		if (told.inherited?.includes(salt) === false) kind.hasOtherKey = true;
		if (!told.salts.includes(salt)) told.salts.push(salt);
		const salted = this.saltedNameOf(message);
		for (const numbers of [told.numbers, told.earlier]) {
			numbers[salted]?.forEach((number) => kind.told.add(number));
		}
	}

	/** Who may read executions must not find out a number by trying. */
	private saltedNameOf(message: LedgerMessage): string {
		return digestOf(`${this.nameOf(message)} ${message.apiKey}`);
	}

	/** With the lineage, so that nobody can compare what two runs have sent. */
	private digestOf({ content }: LedgerMessage): string {
		return digestOf(JSON.stringify([this.run.lineage, content]));
	}
}

/** Of rows whose name says it all. */
export const MODE = 'ledger';

function ledgerRowOf({ name }: Kind, number: number): string {
	return `${name}:${number}`;
}

const NOT_DELIVERED = failed(failureOf(causeNamed('undelivered'), 'rejected'));
const OTHER_VALUES = failed(failureOf(causeNamed('interruptedWithOtherValues'), 'unknown'));

/** Of a whole run. */
export const SAVED_BY_OTHER_VERSION = causeNamed('otherVersion', {
	what: 'What this execution has sent',
	rest: 'Check in the dashboard which messages were sent, and start a new run for the rows that are left.',
});
const ROW_OF_OTHER_VERSION = failed(failureOf(SAVED_BY_OTHER_VERSION, 'unknown'));

const ABOUT_ANOTHER = [
	'interrupted',
	'interruptedWithOtherValues',
	'keyOutcomeUnknown',
	'otherVersion',
];

/** Whether it is not known what another execution did. It may be by the next time, so nobody remembers it. */
export function isAboutAnother(outcome: Outcome): boolean {
	return outcome.kind === 'failed' && ABOUT_ANOTHER.includes(outcome.failure.code);
}
