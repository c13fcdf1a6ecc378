import type { IDataObject, IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import type { Client } from '../transport/client';
import type { Clock } from '../transport/clock';
import type { Failure } from '../errors/failure';
import type { Purpose } from '../errors/httpErrors';
import type { Awaited } from '../transport/waitFor';
import type { Budget } from './run/budget';
import type { RunOptions } from './options';
import type { Asked } from './sendAndWait/asked';
import type { SentBefore } from './sentBefore/sentBefore';

/** What an operation needs to reach the API. */
export interface Session {
	client: Client;
	clock: Clock;
	/** Aborted when the execution is canceled or stops at a failed item. */
	signal: AbortSignal;
	sentBefore: SentBefore;
	budget: Budget;
}

/** What became of one item. */
export type Result = ({ json: IDataObject } | { failure: Failure }) & {
	/** The message went out, now or in an earlier try of the node; its price as the API gave it. */
	sent?: { messageId?: string; cost?: number; currency?: string };
	/** What a look-up or a wait saw last. */
	seen?: Seen;
	/** Line breaks, tabs or many spaces in its values were replaced. */
	tidied?: boolean;
	/** The workflow waits for its answer. */
	asked?: Asked;
	/** A dry run: the message would go out for this price. */
	estimate?: number;
};

export interface Seen {
	status: string;
	/** What was waited for, in vain when `timedOut`. */
	wait?: { awaited: Awaited; timedOut: boolean; timeoutMs: number };
}

/** A result that comes later, without keeping other items from being sent. */
export interface Waiting {
	later: Promise<Result>;
	sent?: Result['sent'];
}

/** One operation of the action node. `Job` is what it reads from the parameters of one item. */
export interface Operation<Job> {
	fields: INodeProperties[];
	/** What its requests are for: of a message that was only looked up nothing is said to be unsent. */
	purpose: Purpose;
	/** What must hold for the run as a whole. @throws InputError */
	checkRun?: (context: IExecuteFunctions) => void;
	/** Reads and checks everything of one item. @throws InputError */
	read: (context: IExecuteFunctions, itemIndex: number, options?: RunOptions) => Job;
	/**
	 * The price of a job by the API document's table, in INR, when the run begins now; 0 for what
	 * an earlier try of the node did.
	 */
	estimate: (job: Job, itemIndex: number, now: number, sentBefore: SentBefore) => number;
	run: (job: Job, itemIndex: number, session: Session) => Promise<Result | Waiting>;
}
