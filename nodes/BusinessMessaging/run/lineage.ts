import type { IExecuteFunctions, ISourceData } from 'n8n-workflow';
import { type Clock, HOUR_MS } from '../clock';
import { causeNamed } from '../errors/catalogue';
import { failed, type Failed, failureOf } from '../errors/failure';
import { reasonOf } from '../inputError';
import { type NodeContext, OtherVersion, statesOf } from '../layouts';
import { Ledger, MODE, SAVED_BY_OTHER_VERSION, type Told } from '../memory/ledger';
import { lastWith, memoryProblem, NoRows, type Rows } from '../memory/rows';
import {
	contextOf,
	type ExecutionHooks,
	internalsOf,
	isInLoop,
	runIndexOf,
	runsInEngineV2,
	storedRun,
} from '../n8n';
import { isCalled, isCalledByRetry, maySendForRetry } from './calls';

/** Lies in the execution's context of the node, which n8n stores at the execution's end and hands to a Retry. */
interface Stored extends Told {
	/** The same for an execution and all its Retries. */
	lineage: string;
	/** The execution in which the node last ran. */
	execution: string;
	/** Whether all that it sends has rows. */
	hasRows?: true;
	isContinued?: boolean;
	/** What this Retry retries, if it was the first one: then n8n may have stored all that was sent. */
	firstRetryOf?: string;
	/** It is not known any more what the lineage has sent. */
	isLost?: true;
}

/**
 * Of the row `begun` of a lineage. It stands for a promise: all that executions of the lineage have sent has rows, except
 * what is in the context that each of them began with. Without it, rows say nothing.
 */
const BEGUN = statesOf([
	'complete',
	/** Its first execution has ended well, and rows may have gone: no Retry may send. */
	'ended',
]);

/** The names of the rows that an execution has created, by its context of the node. They go at its good end. */
const rowNamesOf = new WeakMap<NodeContext, string[]>();

/**
 * Which execution this one belongs to: an execution and its Retries are a lineage, whose executions share a ledger.
 *
 * n8n tells when the first execution of a lineage began, and a Retry keeps that time. The first execution of several
 * items, or in a loop, writes the row `begun` before it reads its items. Its rows go when it ends well, unless a Retry
 * has begun by then, which writes the row `retried` before it looks at anything: so either the first execution sees that
 * and leaves its rows, or the Retry sees that rows may have gone, and is refused.
 *
 * What is left: an execution younger than GIVEN_UP_MS that somebody retries by n8n's API while it ends. Then n8n may not
 * have stored what it did.
 */
export class Lineage {
	private readonly isRetry: boolean;
	/** Somebody runs the node in the editor, and customers get the messages. */
	private readonly isByHand: boolean;
	private readonly execution: string;
	/** Undefined when n8n does not tell which execution is retried. */
	private readonly parent?: string;
	/** When the lineage's first execution began, in epoch ms. Not there before n8n 2.17. */
	private readonly establishedAt?: number;
	private readonly hooks?: ExecutionHooks;
	/** Whether the workflow that calls this one is retried. n8n tells it until this execution has waited. */
	private readonly isCallOfRetry: boolean;
	/** What this execution began with, or had at the end of the node's last run. */
	private readonly stored?: Stored;
	/** Whether it is not known what the executions before this one have sent. */
	isUnsure: boolean;
	/** Whether a run by hand before this one did not end well, so that this one goes on where it stopped. */
	isContinued?: boolean;
	private lineage?: string;

	constructor(
		private readonly context: IExecuteFunctions,
		private readonly clock: Clock,
		/** `isRemembered`: whether the memory for retries has messages of this run of the node. */
		private readonly run: { isRemembered: boolean; isTest: boolean },
	) {
		this.isRetry = context.getMode() === 'retry';
		this.isCallOfRetry = isCalledByRetry(context);
		this.isUnsure = this.isRetry;
		this.execution = context.getExecutionId();
		this.stored = contextOf(context).ledger as Stored | undefined;
		this.hooks = internalsOf(context).additionalData?.hooks;
		this.parent = this.hooks?.retryOf ?? this.stored?.execution;
		this.isContinued = this.stored?.isContinued;
		const { establishedAt, source } = context.getExecutionContext() ?? {};
		// Otherwise n8n did not store when the first execution began, and this is the time of the Retry.
		this.establishedAt = source === 'retry' ? undefined : establishedAt;
		const isTold = this.establishedAt !== undefined && !runsInEngineV2(context);
		this.lineage = this.stored?.lineage ?? (isTold ? String(this.establishedAt) : undefined);
		this.isByHand = context.getMode() === 'manual' && !run.isTest && !isCalled(context);
		if (!this.isRetry && !this.stored) this.store(this.lineage ?? this.execution);
	}

	/**
	 * Before the items are read, if this is no Retry; the earlier, the sooner a Retry can follow a kill.
	 * @returns the ledger, if a Retry needs it
	 * @throws InputError when the database does not answer
	 */
	async begin(openRows: () => Promise<Rows>): Promise<Ledger | undefined> {
		// Its caller may have called before: see joinCall().
		if (this.isRetry || this.isCallOfRetry) return undefined;
		return await this.beginFirst(openRows);
	}

	private async beginFirst(openRows: () => Promise<Rows>): Promise<Ledger | undefined> {
		const { hooks, stored } = this;
		if (!hooks || this.lineage === undefined) return undefined;
		if (stored?.hasRows) return this.open(openRows);
		if (stored || !needsRows(this.context)) return undefined;
		const rows = await openRows().catch(() => undefined);
		// As in an n8n that gives no rows: a Retry after a kill is refused.
		if (!rows) return undefined;
		try {
			if (this.isByHand) this.lineage = await this.lineageByHand(rows);
			const isNew = await rows.insert(this.begun(), MODE, BEGUN.entriesOf('complete'));
			this.isContinued = !isNew && this.isByHand;
			if (this.isContinued) await this.keepRows(rows);
			else if (!isNew) {
				// Another execution of this node began in the same millisecond. Nobody could tell their rows apart.
				await rows.create(this.begun(), MODE, BEGUN.entriesOf('ended'));
				return undefined;
			}
		} catch (error) {
			throw memoryProblem('sent messages', error);
		}
		this.store(this.lineage, { hasRows: true, isContinued: this.isContinued });
		return this.open(openRows, this.isContinued);
	}

	/** The one of the last run by hand, unless it ended well or is too old; or a new one. */
	private async lineageByHand(rows: Rows): Promise<string> {
		const now = Math.floor(this.clock.now() / BY_HAND_MS);
		const nameOf = (time: number, line: number) => `hand.${time}.${line}`;
		for (const time of [now, now - 1]) {
			const stateOf = async (line: number) => await this.stateOfBegun(rows, nameOf(time, line));
			const last = await lastWith(async (line) => (await stateOf(line)) !== 'none');
			const state = await stateOf(last);
			if (state === 'otherVersion') throw new OtherVersion();
			if (state === 'complete') return nameOf(time, last);
			if (state === 'ended' && time === now) return nameOf(now, last + 1);
		}
		return nameOf(now, 1);
	}

	/**
	 * Before the first request of a Retry that may send a message.
	 * @returns the ledger, or why this execution may send nothing
	 */
	async join(openRows: () => Promise<Rows>): Promise<Ledger | Failed | undefined> {
		const { stored, execution, lineage } = this;
		if (!this.isRetry) return this.isCallOfRetry ? await this.joinCall(openRows) : undefined;
		if (lineage === undefined || stored?.isLost) return this.lose();
		// Retry On Fail and loops run the node again.
		if (stored?.execution === execution) return this.open(openRows);
		try {
			return await this.joinFirst(openRows, lineage);
		} catch (error) {
			return this.refusedBy(error);
		}
	}

	/** In a Retry that has not run the node yet. */
	private async joinFirst(
		openRows: () => Promise<Rows>,
		lineage: string,
	): Promise<Ledger | Failed> {
		const { stored, parent } = this;
		const rows = await openRows();
		const isFirst = await this.keepRows(rows);
		const begun = await this.stateOfBegun(rows);
		if (begun === 'otherVersion') return OTHER_VERSION;
		if (begun === 'ended') return RETRIED_BEFORE;
		if (begun === 'none') {
			if (!(await this.hasStoredAll())) return this.lose();
			await rows.insert(this.begun(), MODE, BEGUN.entriesOf('complete'));
		}
		const hasAll = isFirst && (begun === 'none' || stored?.execution === parent);
		this.store(lineage, { firstRetryOf: hasAll ? parent : undefined });
		return this.open(openRows, isFirst);
	}

	/** A Retry of the workflow that calls this one calls it anew, with a new lineage. */
	private async joinCall(openRows: () => Promise<Rows>): Promise<Ledger | Failed | undefined> {
		this.isUnsure = true;
		try {
			const rows = await openRows();
			if (!(await maySendForRetry(this.context, rows))) return this.lose(CALLED_BEFORE);
		} catch (error) {
			return this.refusedBy(error, CALLED_BEFORE);
		}
		this.isUnsure = false;
		return await this.beginFirst(openRows);
	}

	/** Whether an execution before this one may have sent messages of its lineage. */
	get hasPast(): boolean {
		return this.isRetry || this.isContinued === true;
	}

	/** Whether n8n has stored all that was sent for items of this run before this execution. */
	async isComplete(): Promise<boolean> {
		const { firstRetryOf } = contextOf(this.context).ledger as Stored;
		// Nobody else has sent since the execution that ended with an error of its own.
		return firstRetryOf !== undefined && (await this.failedNode(firstRetryOf)) !== undefined;
	}

	/** The node has run to a good end. */
	forget(): void {
		const context = contextOf(this.context);
		const stored = context.ledger as Stored | undefined;
		// Later runs of the node go by it. Without rows there is nothing to go by.
		if (!this.isRetry && !stored?.hasRows) delete context.ledger;
	}

	private begun(lineage = this.lineage): string {
		return `begun:${this.context.getNode().id}:${lineage}`;
	}

	private retried(): string {
		return `retried:${this.context.getNode().id}:${this.lineage}`;
	}

	private async stateOfBegun(rows: Rows, lineage = this.lineage) {
		return BEGUN.stateOf(await rows.count(this.begun(lineage)));
	}

	/** From now on no row goes. @returns whether this is the first execution to say so */
	private async keepRows(rows: Rows): Promise<boolean> {
		return await rows.insert(this.retried(), MODE);
	}

	private async isRetried(rows: Rows): Promise<boolean> {
		return (await rows.count(this.retried())) > 0;
	}

	/** @param isAlone whether no other execution appends at the same time */
	private open(openRows: () => Promise<Rows>, isAlone?: boolean): Ledger {
		const { context, isRetry } = this;
		const { id } = context.getNode();
		const told = contextOf(context).ledger as Stored;
		const input = inputOf(context);
		if (told.input !== input) told.earlier = merged(told.earlier, told.numbers);
		// A run that failed and is repeated keeps them: the memory for retries has their messages.
		if (!this.run.isRemembered) told.numbers = {};
		told.input = input;
		return new Ledger(openRows, this.clock, {
			lineage: `${id}:${told.lineage}`,
			told,
			hasPast: this.hasPast,
			mayMeet: !isAlone,
			isRetried: async () => await this.isRetried(await openRows()),
			rowNames: isRetry ? undefined : this.namesOfRows(openRows),
		});
	}

	/** They go when this execution, the first one of its lineage, has ended well; after a wait, those since then. */
	private namesOfRows(openRows: () => Promise<Rows>): string[] {
		const context = contextOf(this.context);
		const known = rowNamesOf.get(context);
		if (known) return known;
		const names: string[] = [];
		rowNamesOf.set(context, names);
		this.hooks?.addHandler?.('workflowExecuteAfter', ({ status }) => {
			// After a wait nothing of ours sees the end, and the next run by hand must not go on with this one.
			const waits = status === 'waiting' && this.isByHand;
			if (status !== 'success' && !waits) return;
			// n8n does not wait for it. What stays costs some bytes.
			void openRows()
				.then(async (rows) => await this.removeAll(rows, names, waits))
				.catch(() => undefined);
		});
		return names;
	}

	/** n8n has stored this execution by now, unless it has given it up: then the row `begun` refuses a Retry. */
	private async removeAll(rows: Rows, names: string[], waits: boolean): Promise<void> {
		await rows.create(this.begun(), MODE, BEGUN.entriesOf('ended'));
		if (await this.isRetried(rows)) return;
		for (const row of names) await rows.remove(row);
		if (waits) return;
		const ageMs = this.clock.now() - (this.establishedAt ?? 0);
		// n8n does not retry a run by hand that it takes for dead.
		if (ageMs < GIVEN_UP_MS || this.isByHand) await rows.remove(this.begun());
	}

	/** Whether all that executions without rows have sent is in the context. */
	private async hasStoredAll(): Promise<boolean> {
		const failed = await this.failedNode(this.parent);
		if (!failed) return false;
		if (this.stored) return true;
		const { establishedAt } = this;
		if (establishedAt === undefined || failed.node === this.context.getNode().name) return false;
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

	/** What earlier executions have sent could not be read. */
	private refusedBy(error: unknown, why?: Failed): Failed {
		if (error instanceof NoRows) return this.lose(why);
		return failed(failureOf(causeNamed('retryUnchecked', { reason: reasonOf(error) })));
	}

	private lose(why = LOST): Failed {
		this.store(this.execution, { isLost: true });
		return why;
	}

	private store(lineage: string, more: Partial<Stored> = {}): void {
		const { execution, stored } = this;
		const nothing: Told = { numbers: {}, earlier: {}, salts: [] };
		const told = { ...nothing, ...stored };
		// Of later Retries, too: what was told under these keys can't be found under another one.
		if (told.salts.length > 0) told.inherited ??= [...told.salts];
		contextOf(this.context).ledger = { ...told, lineage, execution, ...more };
	}
}

/** How long after n8n accepts an execution its first node begins. If it waits longer in a queue, its Retry is refused. */
const BEGINS_WITHIN_MS = 30_000;
/** For so long, and up to twice as long, Execute step goes on where a run by hand stopped. */
const BY_HAND_MS = HOUR_MS;
/** A younger execution n8n does not take for dead. */
const GIVEN_UP_MS = 30_000;

/**
 * A row for the only message of a run would cost too much. But if the node may run again in the execution, it needs one,
 * from its first run on: what a run has sent without rows, no Retry would know.
 */
function needsRows(context: IExecuteFunctions): boolean {
	if (runIndexOf(context) > 0) return false;
	return context.getInputData().length > 1 || isInLoop(context);
}

/** What gave the node its items: n8n has null for the inputs that got nothing, such as those of a Merge node. */
function inputOf(context: IExecuteFunctions): string {
	const source: Partial<ISourceData> = context.getExecuteData().source?.main.find(Boolean) ?? {};
	const { previousNode, previousNodeOutput = 0, previousNodeRun = 0 } = source;
	return `${previousNodeOutput}:${previousNodeRun}:${previousNode}`;
}

function merged(one: Told['numbers'], other: Told['numbers']): Told['numbers'] {
	const both = { ...one };
	for (const [kind, numbers] of Object.entries(other)) {
		both[kind] = [both[kind], numbers].flatMap((each) => each ?? []);
	}
	return both;
}

const RUN_THE_REST =
	'Check in the dashboard which messages were sent, and start a new run for the rows that are left. If they had a Send Once Key, a new run skips what was sent.';

const RETRIED_BEFORE = failed(failureOf(causeNamed('retriedBefore', { rest: RUN_THE_REST })));

const CALLED_BEFORE = failed(failureOf(causeNamed('calledBefore', { rest: RUN_THE_REST })));

const LOST = failed(failureOf(causeNamed('notStored', { rest: RUN_THE_REST })));

const OTHER_VERSION = failed(failureOf(SAVED_BY_OTHER_VERSION));
