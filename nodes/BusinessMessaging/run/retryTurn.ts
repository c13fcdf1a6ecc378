import type { IExecuteFunctions } from 'n8n-workflow';
import { causeNamed } from '../errors/catalogue';
import { type Failed, failureOf } from '../errors/failure';
import { reasonOf } from '../inputError';
import { Marks } from '../memory/marks';
import { memoryProblem, NoRows, type Rows, sharedLook } from '../memory/rows';
import { contextOf, type ExecutionHooks, internalsOf, runsInEngineV2, storedRun } from '../n8n';
import { failed as asOutcome } from '../outcome';
import { roundOf } from './round';

/** Lies in the execution's context of the node, which n8n stores at the execution's end and hands to a Retry. */
interface Turn {
	/** The same for an execution and all its Retries: the ID of one of them. */
	lineage: string;
	/** The execution in which the node last ran to its end, good or bad. */
	execution: string;
	/** Of a loop, in which it did, unless it was refused. */
	round?: number;
	/** It is not known any more what the lineage has sent. */
	isLost?: true;
}

const KEY = 'turn';

/** Lies in the execution's context, because n8n does not tell it any more once the execution has waited. */
interface Retried {
	execution: string;
	parent: string;
}

const RETRIED_KEY = 'businessMessagingRetry';

/** A turn of a lineage, by the name of its row. */
interface MarkedTurn {
	lineage: string;
	/** From 1. */
	turn: number;
}

/** The turns of executions that are no Retry, by node. */
const firstTurns = new WeakMap<ExecutionHooks, Map<string, MarkedTurn>>();

/** The turns of a lineage. */
interface Turns {
	lineage: string;
	/** How many entries the row of each has: one, `ENDED` or `GIVEN_BACK`. */
	counts: number[];
	/** The last one that was not given back, by which the next Retry goes; 0 if there is none. */
	last: number;
	next: number;
}

/**
 * Of all executions that retry one, exactly one may send: n8n offers Retry until one has succeeded, also while another
 * is running. An execution and its Retries are a lineage. Each Retry takes the next turn of it, which is a row that the
 * database gives to one execution only. It must retry the execution that had the turn before.
 *
 * Where n8n tells when a lineage began, a run of several items takes the first turn before it reads them, and marks
 * what it sends. Otherwise a Retry takes the first turn, and its parent must have stored what it did.
 */
export class RetryTurn {
	private readonly isRetry: boolean;
	private readonly execution: string;
	/** Undefined when n8n does not tell which execution is retried. */
	private readonly parent?: string;
	private readonly stored?: Turn;
	/** When the lineage's first execution began, in epoch ms. Not there before n8n 2.17. */
	private readonly establishedAt?: number;
	/** Of a loop. */
	private readonly round: number;
	private readonly hooks?: ExecutionHooks;
	/** Whether n8n runs the node once more with the items with which it failed. */
	private readonly isSameInput: boolean;
	/** Whether it is not known what the executions before this one have sent. */
	isUnsure: boolean;
	/** Of the turn that this run of the node has, until it gives it back. */
	private opened?: Marks;
	/** Gives back the turn that this run of the node has taken. */
	private giveUp?: () => Promise<void>;

	constructor(private readonly context: IExecuteFunctions) {
		this.isRetry = context.getMode() === 'retry';
		this.isUnsure = this.isRetry;
		this.execution = context.getExecutionId();
		this.round = roundOf(context);
		this.stored = contextOf(context)[KEY] as Turn | undefined;
		this.hooks = internalsOf(context).additionalData?.hooks;
		const parent = this.parentNow();
		this.parent = parent ?? this.stored?.execution;
		this.establishedAt = context.getExecutionContext?.()?.establishedAt;
		if (!this.isRetry) this.store(this.execution);
		const { execution, round } = this.stored ?? {};
		this.isSameInput = execution === parent && round === this.round;
	}

	/**
	 * Before the first request, if this is no Retry; the earlier, the sooner a Retry can follow a kill.
	 * @returns the marks, if a Retry needs them
	 * @throws InputError when the database does not answer
	 */
	async begin(openRows: () => Promise<Rows>): Promise<Marks | undefined> {
		const { context, hooks } = this;
		if (this.isRetry || !hooks || this.establishedAt === undefined || runsInEngineV2(context)) {
			return undefined;
		}
		const turns = firstTurns.get(hooks) ?? new Map<string, MarkedTurn>();
		firstTurns.set(hooks, turns);
		const { id } = context.getNode();
		const own = turns.get(id);
		// What the first run of the node has sent without marks, no Retry would know.
		if (!own && (this.round > 0 || context.getInputData().length < 2)) return undefined;
		const rows = await openRows().catch(() => undefined);
		// As in an n8n that gives no rows: a Retry after a kill is refused.
		if (!rows) return undefined;
		try {
			if (own) return this.marks(rows, own);
			for (let line = 0; ; line++) {
				const first = { lineage: this.lineageOf(line), turn: 1 };
				if (!(await rows.create(this.rowOf(first), this.execution))) continue;
				turns.set(id, first);
				return this.marks(rows, first);
			}
		} catch (error) {
			throw memoryProblem('sent messages', error);
		}
	}

	/**
	 * Before the first request of a Retry that may send a message.
	 * @param openRows is called only in a Retry
	 * @returns the marks, or why this execution may send nothing
	 */
	async take(openRows: () => Promise<Rows>): Promise<Marks | Failed | undefined> {
		if (!this.isRetry) return undefined;
		if (this.stored?.isLost) return this.lose();
		try {
			const taken = await this.takeTurn(await openRows());
			this.isUnsure = taken !== undefined && 'failure' in taken;
			return taken;
		} catch (error) {
			if (error instanceof NoRows) return this.lose();
			return { failure: failureOf(causeNamed('retryUnchecked', { reason: reasonOf(error) })) };
		}
	}

	/** The run is refused before its first request, so another Retry may send. */
	async giveBack(): Promise<void> {
		const turn = contextOf(this.context)[KEY] as Turn | undefined;
		delete turn?.round;
		// If one fails, a later Retry may be refused, or told that messages may have been sent.
		await this.opened?.leaveRound().catch(() => undefined);
		await this.giveUp?.().catch(() => undefined);
	}

	/** The node has run to a good end. */
	forget(): void {
		// Later runs of the node in a Retry, as loops make them, belong to the same turn.
		if (!this.isRetry) delete contextOf(this.context)[KEY];
	}

	private parentNow(): string | undefined {
		const { execution, hooks } = this;
		if (!this.isRetry) return undefined;
		const flow = contextOf(this.context, 'flow');
		if (hooks?.retryOf !== undefined) flow[RETRIED_KEY] = { execution, parent: hooks.retryOf };
		const retried = flow[RETRIED_KEY] as Retried | undefined;
		return retried?.execution === execution ? retried.parent : undefined;
	}

	private async takeTurn(rows: Rows): Promise<Marks | Failed | undefined> {
		const { execution, parent, stored } = this;
		if (this.establishedAt !== undefined) {
			const own = await this.findTurn(rows, [execution]);
			if (typeof own === 'object' && own.counts[own.turn - 1] < GIVEN_BACK) {
				// Retry On Fail and loops run the node again. Another execution may have the next turn by now.
				if (own.turn < own.last) return RETRIED_BEFORE;
				// It ended when the execution began to wait. From then on nothing is marked, and no Retry follows a kill.
				return own.counts[own.turn - 1] === ENDED ? undefined : this.marks(rows, own);
			}
			const before = await this.findTurn(rows, [parent, stored?.execution]);
			if (typeof before === 'object') return await this.takeAfter(rows, before);
			if (!stored && parent !== undefined && before > 0) return RETRIED_BEFORE;
		}
		if (parent === undefined) return this.lose();
		if (stored) return await this.takeNext(rows, stored, parent);
		if (!(await this.failedElsewhere(parent))) return this.lose();
		const { lineage, next: turn } = await this.turnsOf(rows, this.lineageOf(0));
		const first = { lineage, turn };
		return (await this.create(rows, first)) ? this.marks(rows, first) : RETRIED_BEFORE;
	}

	private async takeAfter(rows: Rows, before: Turns & MarkedTurn): Promise<Marks | Failed> {
		const { lineage, counts, last, next: turn } = before;
		if (before.turn < last) return RETRIED_BEFORE;
		// Since it has waited it has marked nothing, and n8n has stored the rest only if it has failed.
		if (counts[last - 1] === ENDED && !(await this.failedNode(this.parent))) return this.lose();
		const own = { lineage, turn };
		if (!(await this.create(rows, own))) return RETRIED_BEFORE;
		// It may have ended meanwhile, and then its marks are gone.
		const entries = await rows.count(this.rowOf({ lineage, turn: last }));
		if (entries === counts[last - 1]) return this.marks(rows, own);
		await this.giveUp?.();
		return RETRIED_BEFORE;
	}

	/** @returns whether the turn is this execution's */
	private async create(rows: Rows, own: MarkedTurn): Promise<boolean> {
		const row = this.rowOf(own);
		if (!(await rows.create(row, this.execution))) return false;
		this.giveUp = async () => {
			this.opened = undefined;
			contextOf(this.context)[KEY] = this.stored;
			// It is not removed: another Retry may be looking at it, and would create it again as nobody's.
			await rows.create(row, this.execution, GIVEN_BACK);
		};
		return true;
	}

	/**
	 * The last turn that one of these executions has had. Several lineages may have begun in the same millisecond.
	 * @returns without one, how many others have
	 */
	private async findTurn(
		rows: Rows,
		owners: Array<string | undefined>,
	): Promise<(Turns & MarkedTurn) | number> {
		let others = 0;
		// A lineage before the one that is meant may have ended well, and left nothing.
		for (let line = 0, unused = 0; unused < 2; line++) {
			const turns = await this.turnsOf(rows, this.lineageOf(line));
			for (const owner of owners) {
				for (let turn = turns.next - 1; turn > 0 && owner !== undefined; turn--) {
					const own = { ...turns, turn };
					if (await isOwner(rows, this.rowOf(own), owner)) return own;
				}
			}
			if (turns.last > 0) others++;
			else unused++;
		}
		return others;
	}

	private async turnsOf(rows: Rows, lineage: string): Promise<Turns> {
		const counts: number[] = [];
		for (let last = 0, next = 1; ; next++) {
			const count = await rows.count(this.rowOf({ lineage, turn: next }));
			if (count === 0) return { lineage, counts, last, next };
			counts.push(count);
			if (count < GIVEN_BACK) last = next;
		}
	}

	private lineageOf(line: number): string {
		return `${this.establishedAt}.${line}`;
	}

	private rowOf({ lineage, turn }: MarkedTurn): string {
		return `turn:${this.context.getNode().id}:${lineage}:${turn}`;
	}

	private marks(rows: Rows, { lineage, turn }: MarkedTurn): Marks {
		const { context, execution, isSameInput } = this;
		this.store(execution);
		// Also if it is given back by now: who had it may have taken back what this run relies on.
		const next = this.rowOf({ lineage, turn: turn + 1 });
		const isPassed = sharedLook(async () => (await rows.count(next)) > 0);
		const run = { lineage, node: context.getNode().id, round: this.round, isSameInput };
		const marks = new Marks(rows, run, async () =>
			(await isPassed()) ? asOutcome(RETRIED_BEFORE) : undefined,
		);
		this.opened = marks;
		const end = async (status: string) => {
			// As with a Retry, only one gets the next turn.
			if (!(await rows.create(next, execution, ENDED))) return;
			await marks.removeAll();
			if (this.isRetry || status !== 'success') return;
			// No Retry can follow any more, but for those of the execution that this one retries.
			await rows.remove(this.rowOf({ lineage, turn }));
			await rows.remove(next);
		};
		this.hooks?.addHandler?.('workflowExecuteAfter', ({ status }) => {
			if (!this.opened || (status !== 'success' && status !== 'waiting')) return;
			// n8n does not wait for it. What stays costs some bytes.
			void end(status).catch(() => undefined);
		});
		return marks;
	}

	private async takeNext(
		rows: Rows,
		{ lineage, execution: ended }: Turn,
		parent: string,
	): Promise<Failed | undefined> {
		const { last, next: turn } = await this.turnsOf(rows, lineage);
		const hadLast = async (each: string) =>
			last > 0 && (await isOwner(rows, this.rowOf({ lineage, turn: last }), each));
		if (await hadLast(this.execution)) return undefined;
		if (ended !== parent && (await hadLast(parent))) return this.lose();
		if (last > 0 && !(await hadLast(ended))) return RETRIED_BEFORE;
		if (!(await this.failedNode(parent))) return this.lose();
		if (!(await this.create(rows, { lineage, turn }))) return RETRIED_BEFORE;
		this.store(lineage);
		return undefined;
	}

	/** Whether another node has failed in the parent, and no execution of the lineage before the parent was killed. */
	private async failedElsewhere(parent: string): Promise<boolean> {
		const { context, establishedAt } = this;
		if (establishedAt === undefined) return false;
		const failed = await this.failedNode(parent);
		if (!failed || failed.node === context.getNode().name) return false;
		// n8n did not store when the lineage began, so what came before that Retry is not known.
		if (context.getExecutionContext?.()?.source === 'retry') return false;
		// A Retry of an execution that was killed begins at the trigger once more.
		const beginnings = Object.values(failed.runData)
			.flat()
			.filter(({ source }) => !source.some(Boolean));
		return beginnings.length === 1 && beginnings[0].startTime - establishedAt < BEGINS_WITHIN_MS;
	}

	/**
	 * The node whose failure has ended an execution, so that n8n has stored all of it. An execution that was killed or
	 * stopped has another error than its last node, or none.
	 */
	private async failedNode(execution = '') {
		const { resultData: result } = (await storedRun(this.context, execution)) ?? {};
		if (!result?.error) return undefined;
		const { lastNodeExecuted: node = '', runData, error } = result;
		return runData[node]?.at(-1)?.error?.message === error.message ? { node, runData } : undefined;
	}

	private lose(): Failed {
		this.store(this.stored?.lineage ?? this.execution, { isLost: true });
		return LOST;
	}

	private store(lineage: string, more: Pick<Turn, 'isLost'> = {}): void {
		const { execution, round } = this;
		contextOf(this.context)[KEY] = { lineage, execution, round, ...more };
	}
}

/** How many entries the row of a turn has that the execution before it has taken when it ended well. */
const ENDED = 2;
/** Nothing was sent in it, and the Retry of its execution goes by the turn before. Its number is not taken again. */
const GIVEN_BACK = 3;

/** @param row that existed a moment ago. If it was removed since, n8n creates one without entries. */
async function isOwner(rows: Rows, row: string, owner: string): Promise<boolean> {
	return (await rows.hasMode(row, owner)) && (await rows.count(row)) > 0;
}

/** How long after n8n accepts an execution its first node begins. If it waits longer in a queue, its Retry is refused. */
const BEGINS_WITHIN_MS = 30_000;

const RUN_THE_REST =
	'Check in the dashboard which messages were sent, and start a new run for the rows that are left. If they had a Send Once Key, a new run skips what was sent.';

const RETRIED_BEFORE: Failed = {
	failure: failureOf(causeNamed('retriedBefore', { rest: RUN_THE_REST })),
};

const LOST: Failed = {
	failure: failureOf(causeNamed('notStored', { rest: RUN_THE_REST })),
};
