import type { IDataObject } from 'n8n-workflow';
import type { Clock } from '../clock';
import type { Cap, FrequencyCap } from '../memory/frequencyCap';
import type { Ledger, LedgerMessage } from '../memory/ledger';
import type { PeriodBudget, PeriodLimit } from '../memory/periodBudget';
import type { SendOnce } from '../memory/sendOnce';
import type { ToolLedger } from '../memory/toolLedger';
import type { Outcome, Result } from '../outcome';
import type { Client } from '../transport/client';
import type { Pace } from '../transport/pacer';
import type { Spending } from './options/spendingLimit';
import type { RetryMemory } from './retryMemory';

/** What one item asks for, as the run needs to know it. */
export interface Job {
	itemIndex: number;
	/** In INR, if the run begins now; undefined when the job will ask nothing of the API. */
	price: (run: Pick<RunContext, 'clock' | 'retryMemory' | 'spending'>) => number | undefined;
	/** The number that its message goes to, and the customer's: with a test recipient they differ. */
	recipient?: { to: string; customer: string };
	/** Of all messages with this key only one is sent, also by later executions. */
	onceKey?: string;
	/** How many messages its number may get; it needs the memory of Frequency Cap. */
	cap?: Cap;
	/** It needs the memory of Budget. */
	budget?: PeriodLimit;
	/** How the rate limit paces its message. */
	pace?: Pace;
	remarks?: Remarks;
	/** By what a Retry knows its message, if the run was interrupted. */
	ledgerEntry?: LedgerEntry;
	/** The fields of its message that come from its item. The memory for retries does not store them. */
	fromItem?: IDataObject;
	/** What would become of its message now. It sends and stores nothing. */
	rehearse?: (run: RunContext) => Promise<Outcome>;
	/** @param onWaiting the item waits, with this result so far: it is the next item's turn */
	perform: (run: RunContext, onWaiting: (result: Result) => void) => Promise<Result>;
}

/** What is known of a message in the ledger when its item is read. */
export type LedgerEntry = Omit<LedgerMessage, 'itemIndex' | 'apiKey'>;

/** What the hint above the output says about a message, besides its result. */
export interface Remarks {
	/** Line breaks, tabs or many spaces in its values were replaced. */
	whitespaceNormalized?: boolean;
	/** Why the template text may be wrong. */
	doubt?: string;
	/** How many numbers the list of Do Not Send To has. */
	listSize?: number;
	/** Raw data that customers read, and where, such as `a date in {{1}}`. */
	rawData?: string[];
	/** The names of the placeholders of which some expressions gave nothing, beside others that gave something. */
	incomplete: string[];
}

/** What a job needs to reach the API with one account. */
export interface RunContext {
	client: Client;
	clock: Clock;
	/** Aborted when the execution is canceled, or ends early. */
	signal: AbortSignal;
	retryMemory: RetryMemory;
	sendOnce: SendOnce;
	frequencyCap: FrequencyCap;
	periodBudget: PeriodBudget;
	/** Only where n8n tells what a Retry repeats, and not for the only message of an execution. */
	ledger?: Ledger;
	/** Of an agent's tool. */
	toolLedger?: ToolLedger;
	spending: Spending;
	/** Items of which a request may be sending the message at this moment. If the run is stopped, it names them. */
	inFlight: Set<number>;
}
