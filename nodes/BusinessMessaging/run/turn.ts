import type { IExecuteFunctions, IRunExecutionData } from 'n8n-workflow';
import { causeNamed } from '../errors/catalogue';
import { type Failed, failureOf } from '../errors/failure';
import { reasonOf } from '../inputError';
import type { Rows } from '../memory/rows';
import { contextOf } from '../n8n';

/** Lies in the execution's context of the node, which n8n stores at the execution's end and hands to a Retry. */
interface Turn {
	/** The same for an execution and all its Retries: the ID of one of them, or when the first one began. */
	lineage: string;
	/** The execution in which the node last ran to its end, good or bad. */
	execution: string;
	/** It is not known any more what the lineage has sent. */
	isLost?: true;
}

const KEY = 'turn';

/** What a node's context has besides its interface. */
interface Inside {
	/** `retryOf`: the execution that this one retries; not there before n8n 2.13. */
	additionalData?: { hooks?: { retryOf?: string } };
}

/**
 * Of all executions that retry one, exactly one may send: n8n offers Retry until one has succeeded, also while another
 * is running. An execution and its Retries are a lineage. Each Retry takes the next turn of it, which is a row that the
 * database gives to one execution only. It must retry the execution that had the turn before, and that one must have
 * stored what it did.
 */
export class RetryTurn {
	private readonly isRetry: boolean;
	private readonly execution: string;
	/** Undefined when n8n does not tell which execution is retried. */
	private readonly parent?: string;
	private readonly stored?: Turn;
	/** When the lineage's first execution began, in epoch ms. Not there before n8n 2.17. */
	private readonly establishedAt?: number;

	constructor(private readonly context: IExecuteFunctions) {
		this.isRetry = context.getMode() === 'retry';
		this.execution = context.getExecutionId();
		this.stored = contextOf(context)[KEY] as Turn | undefined;
		const { hooks } = (context as Inside).additionalData ?? {};
		this.parent = hooks?.retryOf ?? this.stored?.execution;
		this.establishedAt = context.getExecutionContext?.()?.establishedAt;
		if (!this.isRetry) this.store({ lineage: this.execution, execution: this.execution });
	}

	/**
	 * Before the first request that may send a message.
	 * @param openRows is called only in a Retry
	 * @returns why this execution may send nothing
	 */
	async take(openRows: () => Promise<Rows>): Promise<Failed | undefined> {
		if (!this.isRetry) return undefined;
		const { parent, lineage, execution } = this;
		if (this.stored?.isLost || parent === undefined || lineage === undefined) return this.lose();
		try {
			const refused = await this.takeNext(await openRows(), lineage, parent);
			if (!refused) this.store({ lineage, execution });
			return refused;
		} catch (error) {
			return { failure: failureOf(causeNamed('retryUnchecked', { reason: reasonOf(error) })) };
		}
	}

	/** The node has run to a good end. */
	forget(): void {
		// Later runs of the node in a Retry, as loops make them, belong to the same turn.
		if (!this.isRetry) delete contextOf(this.context)[KEY];
	}

	private get lineage(): string | undefined {
		return this.stored?.lineage ?? this.establishedAt?.toString();
	}

	private async takeNext(rows: Rows, lineage: string, parent: string): Promise<Failed | undefined> {
		const { stored, execution } = this;
		const rowOf = (turn: number) => `turn:${this.context.getNode().id}:${lineage}:${turn}`;
		let last = 0;
		while ((await rows.count(rowOf(last + 1))) > 0) last++;
		const hadLast = async (each: string) => last > 0 && (await rows.create(rowOf(last), each));
		if (await hadLast(execution)) return undefined;
		// Undefined: the node has not run to its end in any execution of the lineage.
		const ended = stored?.execution;
		if (ended !== parent && (await hadLast(parent))) return this.lose();
		if (last > 0 && !(ended !== undefined && (await hadLast(ended)))) return RETRIED_BEFORE;
		if (last === 0 && ended === undefined && !(await this.failedElsewhere(parent))) {
			return this.lose();
		}
		return (await rows.create(rowOf(last + 1), execution)) ? undefined : RETRIED_BEFORE;
	}

	/** Whether the parent ended at another node, and before it no other execution of the lineage was killed. */
	private async failedElsewhere(parent: string): Promise<boolean> {
		const { lastNodeExecuted = '', runData } = await this.resultOf(parent);
		if (lastNodeExecuted === this.context.getNode().name) return false;
		if (runData[lastNodeExecuted]?.at(-1)?.executionStatus !== 'error') return false;
		const { establishedAt } = this;
		const starts = Object.values(runData).flatMap((runs) => runs.map(({ startTime }) => startTime));
		// A Retry of an execution that was killed begins at the trigger, and has no runs of that execution.
		return establishedAt === undefined || Math.min(...starts) - establishedAt < BEGINS_WITHIN_MS;
	}

	private async resultOf(execution: string): Promise<IRunExecutionData['resultData']> {
		try {
			return (await this.context.getExecutionDataById(execution))?.resultData ?? NO_RESULT;
		} catch {
			// It was deleted, or this n8n can't read it.
			return NO_RESULT;
		}
	}

	private lose(): Failed {
		const lineage = this.lineage ?? this.execution;
		this.store({ lineage, execution: this.execution, isLost: true });
		return LOST;
	}

	private store(turn: Turn): void {
		contextOf(this.context)[KEY] = turn;
	}
}

const NO_RESULT: IRunExecutionData['resultData'] = { runData: {} };

/** After an execution has been queued, which takes longer on a busy n8n. */
const BEGINS_WITHIN_MS = 60_000;

const RUN_THE_REST =
	'Check in the dashboard which messages were sent, and run the workflow anew for the rows that are left. With a Send Once Key under Options, a new run skips what was sent.';

const RETRIED_BEFORE: Failed = {
	failure: failureOf(causeNamed('retriedBefore', { rest: RUN_THE_REST })),
};

const LOST: Failed = {
	failure: failureOf(causeNamed('notStored', { rest: RUN_THE_REST })),
};
