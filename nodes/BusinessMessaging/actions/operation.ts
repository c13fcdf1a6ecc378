import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import type { Clock } from '../clock';
import type { Purpose } from '../errors/httpErrors';
import type { SendOnce } from '../memory/sendOnce';
import type { Client } from '../transport/client';
import type { Budget } from './budget';
import type { Result } from './result';

/** What the parameter `operation` can be. */
export type OperationName = 'getStatus' | 'sendTemplate' | 'sendAndWait';

/** One operation of the action node. `Job` is what it reads from the parameters of one item. */
export interface Operation<Job> {
	fields: INodeProperties[];
	/** What its requests are for: of a message that was only looked up nothing is said to be unsent. */
	purpose: Purpose;
	/** What must hold for the run as a whole. @throws InputError */
	checkRun?: (context: IExecuteFunctions) => void;
	/** Reads and checks everything of one item. @param now epoch ms @throws InputError */
	read: (context: IExecuteFunctions, itemIndex: number, now: number, options?: RunOptions) => Job;
	/** The highest price of a job by the API document's table, in INR, when the run begins now. */
	price: (job: Job, itemIndex: number, now: number) => number;
	/** Whether a job asks nothing of the API. */
	isDryRun?: (job: Job) => boolean;
	/** What an earlier try of the node did for the item, unless it has to be done again. */
	recall?: (job: Job, itemIndex: number, sentBefore: SentBefore) => Result | undefined;
	/** By which a message is sent once, also by other runs; and to whom. */
	onceKey?: (job: Job) => OnceKey | undefined;
	perform: (job: Job, itemIndex: number, session: Session) => Promise<Result>;
}

export interface OnceKey {
	key: string;
	recipient: string;
}

/** Options that hold for a whole run; they are read from its first item. */
export interface RunOptions {
	concurrency: number;
	/** INR; Infinity for no limit. */
	spendingLimit: number;
	/** E.164; to whom everything goes in a run by hand. */
	testRecipient?: string;
}

/** What an operation needs to reach the API. */
export interface Session {
	client: Client;
	clock: Clock;
	/** Aborted when the execution is canceled or stops at a failed item. */
	signal: AbortSignal;
	sentBefore: SentBefore;
	sendOnce: SendOnce;
	budget: Budget;
}

/**
 * n8n's Retry On Fail, and Retry in the list of executions, run the whole node again. This memory
 * keeps the second try from sending what the first one sent, or may have sent.
 */
export interface SentBefore {
	/** What became of items in earlier tries of this run of the node. */
	results: ReadonlyMap<number, Result>;
	find: (itemIndex: number, content: unknown) => Result | undefined;
	remember: (itemIndex: number, content: unknown, result: Result) => void;
	/** What the earlier tries have spent, in INR, with the price of what may have been sent. */
	spent: number;
	rememberSpent: (spent: number) => void;
	/** No further try of this run will come. */
	forget: () => void;
}
