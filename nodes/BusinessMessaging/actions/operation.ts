import type { IDataObject, IExecuteFunctions, INodeProperties } from 'n8n-workflow';
import type { Clock } from '../clock';
import type { Cap, FrequencyCap } from '../memory/frequencyCap';
import type { Ledger, LedgerMessage } from '../memory/ledger';
import type { SendOnce } from '../memory/sendOnce';
import type { Result } from '../outcome';
import type { TemplateVariables } from '../template/variables';
import type { Client } from '../transport/client';
import type { Pace } from '../transport/pacer';
import type { Budget } from './budget';
import type { RetryMemory } from './retryMemory';
import type { TestMessages } from './testMessages';

/** What the parameter `operation` can be. */
export type OperationName = 'getStatus' | 'sendTemplate' | 'sendAndWait';

/** One operation of the action node. A `Job` is what it reads from the parameters of one item. */
export interface Operation<Job> {
	fields: INodeProperties[];
	/** Whether it sends messages. A failed look-up must not be reported as `notSent`. */
	sends: boolean;
	/** Whether it has an output for skipped items. */
	skips?: true;
	/** What must hold for the run as a whole. @throws InputError */
	checkRun?: (context: IExecuteFunctions) => void;
	/**
	 * Reads and checks everything of one item.
	 * @param now epoch ms
	 * @param test its recipient gets the message in place of the customer
	 * @throws InputError
	 */
	read: (context: IExecuteFunctions, itemIndex: number, now: number, test?: TestMessages) => Job;
	/**
	 * The price of a job by the API document's table, in INR, if the run begins now.
	 * @returns undefined when the job will ask nothing of the API
	 */
	estimatedPrice: (job: Job, itemIndex: number, run: Beginning) => number | undefined;
	/** How many messages its number may get; it needs the memory of Frequency Cap. */
	capOf?: (job: Job) => Cap | undefined;
	/** Whether its message would be skipped at this moment, epoch ms. */
	isHeldBack?: (job: Job, now: number) => boolean;
	/** Of all messages with this key only one is sent, also by later executions. */
	onceKey?: (job: Job) => string | undefined;
	/** By what a Retry knows its message, if the run was interrupted; undefined when it sends none. */
	ledgerEntry?: (job: Job) => LedgerEntry | undefined;
	/** The fields of a message that come from its item. The memory for retries does not store them. */
	messageFields?: (job: Job) => IDataObject;
	/** The number that a message goes to, and the customer's: with a test recipient they differ. */
	recipient?: (job: Job) => { to: string; customer: string };
	/** How the rate limit paces the message. */
	pace?: (job: Job) => Pace;
	/** What the hint above the output says of the job, besides its result. */
	remarks?: (job: Job) => Remarks;
	/** @param onWaiting the item waits, with this result so far: it is the next item's turn */
	perform: (
		job: Job,
		itemIndex: number,
		run: RunContext,
		onWaiting: (result: Result) => void,
	) => Promise<Result>;
}

/** What an operation knows of a message in the ledger. */
export type LedgerEntry = Omit<LedgerMessage, 'itemIndex' | 'apiKey'>;

/** What the hint above the output says about a message. */
export interface Remarks {
	/** Its number was read with the Default Country, and could begin with another country code. */
	readAsNational?: boolean;
	/** Line breaks, tabs or many spaces in its values were replaced. */
	whitespaceNormalized?: boolean;
	/** Why the template text may be wrong. */
	doubt?: string;
	/** How many numbers the list of Do Not Send To has. */
	listSize?: number;
	/** Raw data that customers read, and where, such as `a date in {{1}}`. */
	rawData?: string[];
	/** By position. */
	variables?: TemplateVariables;
	/** The names of the placeholders of which some expressions gave nothing, beside others that gave something. */
	incomplete: string[];
}

/** What is known of a run before its first request. */
export interface Beginning {
	/** Epoch ms. */
	now: number;
	retryMemory: RetryMemory;
	/** In INR, with what the API has told of costs. */
	priceOf: Budget['priceOf'];
}

/** What an operation needs to reach the API with one account. */
export interface RunContext {
	client: Client;
	/** Of the client, if items have accounts of their own. */
	account?: string;
	clock: Clock;
	/** Aborted when the execution is canceled, or ends early. */
	signal: AbortSignal;
	retryMemory: RetryMemory;
	sendOnce: SendOnce;
	frequencyCap: FrequencyCap;
	/** Only where n8n tells what a Retry repeats, and not for the only message of an execution. */
	ledger?: Ledger;
	budget: Budget;
	/** Items of which a request may be sending the message at this moment. If the run is stopped, it names them. */
	inFlight: Set<number>;
}
