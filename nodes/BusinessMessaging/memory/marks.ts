import { causeNamed } from '../errors/catalogue';
import { failureOf } from '../errors/failure';
import { failed, type FailedOutcome, meaningOf, type Outcome, type SentOutcome } from '../outcome';
import { Queue } from './queue';
import { digestOf, lookForEach, memoryFailure, memoryProblem, type Rows } from './rows';

/** A message as a Retry knows it. */
export interface MarkedMessage {
	/** What it shares with messages that may be the same one with other values: its template and recipient. */
	kind: unknown;
	/** All that is sent. */
	content: unknown;
	/** Which account sends it, if items have accounts of their own. */
	account?: string;
	/** Its outcome, if an execution sent it that was interrupted. */
	sentBefore: SentOutcome;
	/** Its outcome, if an execution may have. */
	interrupted: FailedOutcome;
}

/** What the request of a message calls. */
export interface RequestHooks {
	/** After the last checks, which are made again afterwards. @returns why there is no request */
	beforeRequest: () => Promise<FailedOutcome | undefined>;
	/** The request was certainly not processed. Another one may follow. */
	notProcessed: () => Promise<void>;
	/** The message was sent, and did not reach the customer. */
	undelivered: () => Promise<void>;
}

/** An item of a Retry. */
export interface RecalledItem {
	itemIndex: number;
	message: MarkedMessage;
	/** What became of its message, if n8n has stored it. The message may have other values by now. */
	before?: Outcome;
}

/** The messages of one template to one recipient. */
interface Group {
	name: string;
	/** How many marks it has. They are numbered from 1, without a gap. */
	marks: number;
	/** Of its messages in this run: a mark that goes is always the last. */
	queue: Queue;
}

interface Mark {
	/** Of the values. */
	digest?: string;
	/** `open`: its request may be under way. */
	state: (typeof STATES)[number];
}

/** By the number of entries, from 1. */
const STATES = ['open', 'sent', 'undelivered'] as const;
/** Entries of the row of a message that was sent and not delivered. */
const UNDELIVERED = 3;
/** Of equal messages it does not matter which of them was sent. */
const MATCHED_FIRST = ['sent', 'open', 'undelivered'];

/**
 * What a run of the node has sent, in rows of n8n's database, so that a Retry knows it also after a kill.
 *
 * A message has a row from before each request on. It gets a second entry when it was sent, a third one when it turned
 * out not to be delivered, and goes when it was certainly not sent. Its name has the kind of message and its number
 * among these; its mode is a digest of the content, which n8n does not give back, but compares.
 */
export class Marks {
	private readonly groups = new Map<string, Group>();
	/** After a failure, the rest of a run would wait for the database with each message. */
	private unusable?: FailedOutcome;
	/** Whether an earlier execution had other items in this round, so that any item may have been sent. */
	hadOtherItems = false;
	/** Rows that this run has created to tell later ones which items the round had. */
	private readonly ofRound: string[] = [];

	/**
	 * @param run of a node: in the same round of a loop, a Retry finds what it has marked. `isSameInput`: it has the
	 * items of the execution before, though their parameters may differ
	 * @param lostTurn why this execution may not send any more
	 */
	constructor(
		private readonly rows: Rows,
		private readonly run: {
			lineage: string;
			node: string;
			round: number;
			isSameInput: boolean;
		},
		private readonly lostTurn: () => Promise<FailedOutcome | undefined>,
	) {}

	/**
	 * Before the first request: what earlier executions of the lineage did. Equal values are matched first, in any
	 * order. If marks of a kind are left over, it is not known which of the other messages they are, so none of these is
	 * sent. The same holds for the rest of a loop, once the items were spread over its rounds in another way.
	 * @returns by item, without those that are known; of one that was not delivered, what became of its fallback
	 * @throws InputError when the database does not answer
	 */
	async recall(items: RecalledItem[]): Promise<Map<number, SentOutcome | FailedOutcome>> {
		try {
			const { isNew, isShuffled } = await this.enterRound(items);
			const outcomes = new Map<number, SentOutcome | FailedOutcome>();
			const byGroup = new Map<Group, RecalledItem[]>();
			for (const item of items) {
				const group = this.groupOf(item.message);
				const others = byGroup.get(group) ?? [];
				byGroup.set(group, others);
				others.push(item);
			}
			await lookForEach(byGroup, async ([group, ofGroup]) => {
				const marks = isNew ? [] : await this.look(group, ofGroup);
				for (const [{ itemIndex }, outcome] of this.match(ofGroup, marks, isShuffled)) {
					outcomes.set(itemIndex, outcome);
				}
			});
			return outcomes;
		} catch (error) {
			throw memoryProblem(MEMORY, error);
		}
	}

	/** Sends a message with a mark. Messages of one template to one recipient are sent one after the other. */
	async withMark(
		message: MarkedMessage,
		send: (hooks: RequestHooks) => Promise<Outcome>,
	): Promise<Outcome> {
		const group = this.groupOf(message);
		return await group.queue.run(async () => {
			const digest = this.digestOf(message);
			let isMarked = false;
			let row = '';
			const notProcessed = async () => {
				if (!isMarked) return;
				isMarked = false;
				await this.unmark(group);
			};
			// If this fails, a Retry after a kill takes the message for delivered, or for interrupted.
			const undelivered = async () =>
				void (await this.rows.create(row, digest, UNDELIVERED).catch(() => undefined));
			const beforeRequest = async () => {
				const refused = this.unusable ?? (await this.mark(group, digest, message));
				isMarked = refused === undefined;
				row = rowOf(group);
				return refused;
			};
			const outcome = await send({ beforeRequest, notProcessed, undelivered });
			if (!isMarked) return outcome;
			const { claims, isRemembered } = meaningOf(outcome);
			// If this fails, a Retry after a kill can't tell whether the message was sent, and says so.
			if (claims === 'ended') await this.rows.end(row, digest).catch(() => undefined);
			if (claims === 'free') await (isRemembered ? undelivered() : notProcessed());
			return outcome;
		});
	}

	/** The execution has ended well. */
	async removeAll(): Promise<void> {
		for (const group of this.groups.values()) {
			for (; group.marks > 0; group.marks--) await this.rows.remove(rowOf(group));
		}
		await this.rows.remove(this.rowNamed(this.run.round));
	}

	/**
	 * `isNew`: no other execution was in this round. `isShuffled`: a message may have been sent in another round than
	 * this one.
	 */
	private async enterRound(items: RecalledItem[]) {
		const { rows, run } = this;
		const kinds = items
			.map(({ message: { kind, account } }) => JSON.stringify([kind, account]))
			.sort();
		const digest = digestOf(JSON.stringify(kinds));
		const row = this.rowNamed(run.round);
		const isNew = await this.insertOfRound(row, digest);
		const differs = !isNew && !run.isSameInput && !(await rows.hasMode(row, digest));
		const hasRow = async (name: number | string) => (await rows.count(this.rowNamed(name))) > 0;
		const wasShuffled = run.round > 0 && (await hasRow(`shuffled ${run.round - 1}`));
		this.hadOtherItems = differs || wasShuffled;
		if (this.hadOtherItems) {
			await this.insertOfRound(this.rowNamed(`shuffled ${run.round}`), digest);
		}
		return { isNew, isShuffled: wasShuffled || (differs && (await hasRow(run.round + 1))) };
	}

	private async insertOfRound(row: string, digest: string): Promise<boolean> {
		const isOurs = await this.rows.insert(row, digest);
		if (isOurs) this.ofRound.push(row);
		return isOurs;
	}

	/** This run is refused before its first request, so it does not count which items it had. */
	async leaveRound(): Promise<void> {
		for (const row of this.ofRound) await this.rows.remove(row);
	}

	private rowNamed(...name: unknown[]): string {
		return `sent:${this.run.lineage}:${digestOf(JSON.stringify([this.run.node, ...name]))}`;
	}

	private async mark(
		group: Group,
		digest: string,
		{ interrupted }: MarkedMessage,
	): Promise<FailedOutcome | undefined> {
		try {
			group.marks++;
			if (!(await this.rows.insert(rowOf(group), digest))) return interrupted;
			// After the mark: who takes the next turn looks at the marks after that.
			const lost = await this.lostTurn();
			if (lost) await this.unmark(group);
			return lost;
		} catch (error) {
			this.unusable = memoryFailure(MEMORY, error);
			return this.unusable;
		}
	}

	/** If the row stays, a Retry after a kill says that the message may have been sent. */
	private async unmark(group: Group): Promise<void> {
		const giveUp = (error: unknown) => {
			this.unusable = memoryFailure(MEMORY, error);
		};
		const row = rowOf(group);
		const isGone = await this.rows.remove(row).then(
			() => true,
			// If only the response was lost, the next mark takes this number: no Retry looks beyond a gap.
			async () => await this.rows.count(row).then((entries) => entries === 0, giveUp),
		);
		if (isGone) group.marks--;
	}

	private async look(group: Group, items: RecalledItem[]): Promise<Mark[]> {
		const digests = [...new Set(items.map(({ message }) => this.digestOf(message)))];
		const marks: Mark[] = [];
		// Marks and items are mostly in the same order, so the next digest is likely to be the one after the last.
		let last = 0;
		for (;;) {
			const row = rowOf({ ...group, marks: group.marks + 1 });
			const entries = await this.rows.count(row);
			if (entries === 0) return marks;
			group.marks++;
			const found = await this.digestIn(row, [...digests.slice(last), ...digests.slice(0, last)]);
			if (found !== undefined) last = digests.indexOf(found) + 1;
			marks.push({ digest: found, state: STATES[Math.min(entries, UNDELIVERED) - 1] });
		}
	}

	private async digestIn(row: string, digests: string[]): Promise<string | undefined> {
		for (const digest of digests) if (await this.rows.hasMode(row, digest)) return digest;
		return undefined;
	}

	private match(items: RecalledItem[], marks: Mark[], isShuffled: boolean) {
		const place = ({ state }: Mark) => MATCHED_FIRST.indexOf(state);
		const left = marks.toSorted((a, b) => place(a) - place(b));
		const isUndelivered = ({ state }: Mark) => state === 'undelivered';
		const takeEqual = ({ message }: RecalledItem, isRight?: (mark: Mark) => boolean) => {
			const digest = this.digestOf(message);
			const index = left.findIndex((mark) => mark.digest === digest && isRight?.(mark) !== false);
			return index < 0 ? undefined : left.splice(index, 1)[0];
		};
		const open = items.filter(({ before }) => !before);
		const sent = items.filter(({ before }) => before && meaningOf(before).claims !== 'free');
		const undelivered = items.filter(({ before }) => before && meaningOf(before).claims === 'free');
		for (const item of undelivered) takeEqual(item, isUndelivered);
		const changed = sent.filter((item) => !takeEqual(item));
		const equal = open.map((item) => [item, takeEqual(item)] as const);
		const fallbacks = undelivered.map((item) => {
			return [item, takeEqual(item, (mark) => !isUndelivered(mark))] as const;
		});
		// Each known message that counts has a mark, with the values of then.
		left.splice(0, changed.length);
		const isUnclear = left.some((mark) => !isUndelivered(mark));
		return [...fallbacks, ...equal].flatMap(([item, mark]) => {
			if (mark) return [[item, outcomeOf(mark, item)] as const];
			if (item.before) return [];
			if (isUnclear) return [[item, OTHER_VALUES] as const];
			return isShuffled ? [[item, SHUFFLED] as const] : [];
		});
	}

	private groupOf({ kind }: MarkedMessage): Group {
		const name = this.rowNamed(this.run.round, kind);
		const group = this.groups.get(name) ?? { name, marks: 0, queue: new Queue() };
		this.groups.set(name, group);
		return group;
	}

	/** With the lineage, so that nobody can compare what two runs have sent. */
	private digestOf({ account = '', content }: MarkedMessage): string {
		return digestOf(JSON.stringify([this.run.lineage, account, content]));
	}
}

const MEMORY = 'sent messages';

/** Of its last mark. */
function rowOf({ name, marks }: Group): string {
	return `${name}:${marks}`;
}

function outcomeOf({ state }: Mark, { message }: RecalledItem): SentOutcome | FailedOutcome {
	if (state === 'sent') return message.sentBefore;
	return state === 'open' ? message.interrupted : NOT_DELIVERED;
}

const NOT_DELIVERED = failed({ failure: failureOf(causeNamed('undelivered'), 'rejected') });
const SHUFFLED = failed({ failure: failureOf(causeNamed('interruptedLoop'), 'unknown') });
const OTHER_VALUES = failed({
	failure: failureOf(causeNamed('interruptedWithOtherValues'), 'unknown'),
});
