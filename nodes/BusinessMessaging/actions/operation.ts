import type { IDataObject, IExecuteFunctions, INodeProperties } from 'n8n-workflow';
import type { Clock } from '../clock';
import type { Failed, Failure } from '../errors/failure';
import type { Claim, FrequencyCap } from '../memory/frequencyCap';
import type { KeyClaim, SendOnce } from '../memory/sendOnce';
import type { Client } from '../transport/client';
import type { Pace } from '../transport/pacer';
import type { AwaitedStatus } from '../transport/pollStatus';
import type { Budget } from './budget';
import type { RetryMemory } from './retryMemory';

/** What the parameter `operation` can be. */
export type OperationName = 'getStatus' | 'sendTemplate' | 'sendAndWait';

/** One operation of the action node. A `Job` is what it reads from the parameters of one item. */
export interface Operation<Job> {
	fields: INodeProperties[];
	/** Whether it sends messages. A failed look-up must not be reported as `notSent`. */
	sends: boolean;
	/** What must hold for the run as a whole. @throws InputError */
	checkRun?: (context: IExecuteFunctions) => void;
	/**
	 * Reads and checks everything of one item.
	 * @param now epoch ms
	 * @param testRecipient E.164; gets the message in place of the customer
	 * @throws InputError
	 */
	read: (context: IExecuteFunctions, itemIndex: number, now: number, testRecipient?: string) => Job;
	/**
	 * The price of a job by the API document's table, in INR, if the run begins now.
	 * @returns undefined when the job will ask nothing of the API
	 */
	estimatedPrice: (job: Job, itemIndex: number, run: Beginning) => number | undefined;
	/** Whether it needs the memory of At Most Once per Number. */
	isCapped?: (job: Job) => boolean;
	/** The key with which a message is sent only once, also by later executions, and its recipient. */
	onceKey?: (job: Job) => { key: string; recipient: string } | undefined;
	/** The number that a message goes to, and the customer's: with a test recipient they differ. */
	recipient?: (job: Job) => { to: string; customer: string };
	remarks?: (job: Job) => Remarks;
	perform: (job: Job, itemIndex: number, run: RunContext) => Promise<Result>;
}

/** What the line above the output says about the text of a message. */
export interface Remarks {
	/** Why the template text may be wrong. */
	doubt?: string;
	/** The names of the placeholders of which some expressions gave nothing, beside others that gave something. */
	incomplete: string[];
}

/** What is known of a run before its first request. */
export interface Beginning {
	/** Epoch ms. */
	now: number;
	retryMemory: RetryMemory;
}

/** What an operation needs to reach the API with one account. */
export interface RunContext {
	client: Client;
	clock: Clock;
	/** Aborted when the execution is canceled or stops at a failed item. */
	signal: AbortSignal;
	retryMemory: RetryMemory;
	sendOnce: SendOnce;
	frequencyCap: FrequencyCap;
	budget: Budget;
	/** Items of which a request may be sending the message at this moment. If the run is stopped, it names them. */
	inFlight: Set<number>;
}

/** The outcome of one item. */
export type Result = ({ json: IDataObject } | Failed) & {
	/** The message went out, now or in an earlier attempt; its price is the API's. */
	sent?: { messageId?: string; cost?: number; currency?: string };
	/** An earlier request of the run may have sent the message too, so it is not repeated any more. */
	earlierUnknown?: Failure;
	/** The last status that was seen by a look-up or while waiting. */
	seen?: Seen;
	/** Line breaks, tabs or many spaces in its values were replaced. */
	whitespaceNormalized?: boolean;
	/** The workflow waits for the answer to this question. */
	asked?: Asked;
	/** Why nothing was sent, though nothing failed. */
	skipped?: Skipped;
	/** From when on a skipped message may be sent, as an ISO time. */
	sendAfter?: string;
	/** What keeps other messages from going to the number, if the outcome is unknown or the delivery is awaited. */
	claim?: Claim;
	/** The same for the Send Once Key, if the delivery is awaited. */
	keyClaim?: KeyClaim;
	/** The price that the message of a dry run would have, and how it would be sent. */
	estimate?: number;
	pace?: Pace;
	/** The fields of the input item, if the output item is to have them. */
	input?: IDataObject;
	/** The result after waiting for delivery, while other items are sent. */
	later?: Promise<Result>;
};

/**
 * A message with the same Send Once Key was sent; it is outside of the hours of Send Between; or another message went
 * to the number.
 */
export type Skipped = 'sentBefore' | 'quietHours' | 'sentRecently';

export interface Seen {
	status: string;
	/** `timedOut`: the awaited status did not come. `problem`: why the last look-up failed. */
	wait?: { awaited: AwaitedStatus; timedOut: boolean; timeoutMs: number; problem?: string };
}

/** Whether it is not known if the message was sent. */
export function isUnknown(result: Result): boolean {
	return 'failure' in result && result.failure.outcome === 'unknown';
}

/** The question on the page that a message links to. */
export interface Question {
	kind: 'approval' | 'answers' | 'freeText';
	text: string;
	/** The labels of the buttons, in their order; the first one of an approval approves. None for a free text. */
	choices: string[];
	/** Whether the page asks somebody who declines for a reason. */
	asksReason: boolean;
	/** Whether the page asks for the code in the message. */
	asksCode?: true;
}

/** A question that was sent. It lies in the execution's context of the node, which n8n stores. */
export interface Asked {
	/** From 1. In a loop the node asks again, and a link of an earlier round must not answer. */
	round: number;
	question: Question;
	/** Epoch ms; later answers do not count. */
	until: number;
	/** The message, as Send Template puts it out. */
	message: IDataObject;
	isReview: boolean;
}
