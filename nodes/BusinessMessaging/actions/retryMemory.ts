import { createHash } from 'crypto';
import {
	deepCopy,
	type IContextObject,
	type IDataObject,
	type IExecuteFunctions,
} from 'n8n-workflow';
import type { Failure } from '../errors/failure';
import type { Claim } from '../memory/frequencyCap';
import type { KeyClaim } from '../memory/sendOnce';
import { isTool } from '../n8n';
import { isUnknown, type Result } from './operation';
import { sentOf } from './output';

/**
 * The memory lies in the execution's context of the node, which n8n stores with the execution.
 * @param isTest whether all messages go to a test recipient
 */
export function openRetryMemory(context: IExecuteFunctions, isTest: boolean): RetryMemory {
	const store = context.getContext('node');
	if (isTool(context.getNode())) return new ToolRetryMemory(store);
	// Loops run a node again; a retry does not count.
	const runIndex = Number(context.getWorkflowDataProxy(0).$runIndex ?? 0);
	return new RetryMemory(store, runIndex, isTest);
}

interface Store {
	runIndex: number;
	/** By item: its output. A copy, because n8n may add fields to an output. */
	sent: Record<string, IDataObject>;
	/** By item: why it is not known whether the message was sent, or why what was sent was not delivered. */
	unknown: Record<string, Failure>;
	/** By item that was repeated: why an earlier request may have sent the message too. */
	earlierUnknown?: Record<string, Failure>;
	/** By item of unknown outcome, or whose delivery is awaited. */
	claims?: Record<string, Claim>;
	/** By item whose delivery is awaited. */
	keyClaims?: Record<string, KeyClaim>;
	/** INR */
	spent?: number;
}

/**
 * n8n's Retry On Fail, and Retry in the list of executions, run the whole node again. This memory keeps a
 * retry from sending what an earlier attempt sent, or may have sent. It knows a message by its item, not by its
 * text: expressions are computed again in each attempt, and a new code or time does not make it another message.
 */
export class RetryMemory {
	/** What earlier attempts did, by item. */
	readonly results: ReadonlyMap<number, Result>;
	/** What earlier attempts have spent, in INR, including messages that may have been sent. */
	readonly spent: number;
	private readonly key: string;
	private readonly store: Store;

	/**
	 * @param runIndex the memory of another run of the node is dropped: only the last run can be retried
	 * @param isTest a message to a test recipient is not one to the customer, and vice versa
	 */
	constructor(
		private readonly context: IContextObject,
		runIndex: number,
		isTest = false,
	) {
		this.key = isTest ? 'testMessages' : 'sentMessages';
		const known = context[this.key] as Store | undefined;
		if (known && known.runIndex !== runIndex) this.forget();
		this.store = (context[this.key] as Store | undefined) ?? { runIndex, sent: {}, unknown: {} };
		this.results = resultsIn(this.store);
		this.spent = this.store.spent ?? 0;
	}

	/** @param content what is sent, and to whom; only the tool's memory compares it */
	find(itemIndex: number, content: unknown): Result | undefined;
	find(itemIndex: number): Result | undefined {
		return this.results.get(itemIndex);
	}

	/** Writes at once, so that a later exception can't lose it. */
	remember(itemIndex: number, _: unknown, result: Result): void {
		const { sent, unknown } = this.store;
		delete unknown[itemIndex];
		if (!result.sent) delete sent[itemIndex];
		if ('json' in result) sent[itemIndex] = { ...result.json };
		else unknown[itemIndex] = result.failure;
		const { claim, keyClaim, earlierUnknown } = result;
		if (earlierUnknown) (this.store.earlierUnknown ??= {})[itemIndex] = earlierUnknown;
		if (claim) (this.store.claims ??= {})[itemIndex] = claim;
		if (keyClaim) (this.store.keyClaims ??= {})[itemIndex] = keyClaim;
		this.context[this.key] = this.store;
	}

	rememberSpent(spent: number): void {
		if (spent === 0) return;
		this.store.spent = spent;
		this.context[this.key] = this.store;
	}

	/** This run will not be retried. */
	forget(): void {
		delete this.context[this.key];
	}
}

function resultsIn(store: Store): Map<number, Result> {
	const { sent, unknown, earlierUnknown = {}, claims = {}, keyClaims = {} } = store;
	const results = new Map<number, Result>();
	const others = (item: string) => ({
		...(item in earlierUnknown ? { earlierUnknown: earlierUnknown[item] } : {}),
		...(item in claims ? { claim: claims[item] } : {}),
		...(item in keyClaims ? { keyClaim: keyClaims[item] } : {}),
	});
	for (const [item, failure] of Object.entries(unknown)) {
		const wasSent = item in sent ? { sent: sentOf(sent[item]) } : {};
		results.set(Number(item), { failure, ...wasSent, ...others(item) });
	}
	for (const [item, stored] of Object.entries(sent)) {
		if (item in unknown) continue;
		const json = deepCopy(stored);
		results.set(Number(item), { json, sent: sentOf(json), ...others(item) });
	}
	return results;
}

const UNKNOWN_OUTCOMES = 'unknownOutcomes';

/** With the `earlierUnknown` of its result. */
type StoredFailure = Failure & Pick<Result, 'earlierUnknown'>;

/**
 * The same for the tool of an AI agent: n8n counts each call of it as a run of its own, so it knows a message by its
 * content, for the whole execution. It keeps unknown outcomes only, because after a success the model may order
 * the same message again.
 */
class ToolRetryMemory extends RetryMemory {
	constructor(private readonly execution: IContextObject) {
		super({}, 0);
	}

	override find(_: number, content: unknown): Result | undefined {
		const stored = this.failures[hashOf(content)] as StoredFailure | undefined;
		if (!stored) return undefined;
		const { earlierUnknown, ...failure } = stored;
		return earlierUnknown ? { failure, earlierUnknown } : { failure };
	}

	override remember(_: number, content: unknown, result: Result): void {
		if (!('failure' in result) || !isUnknown(result)) return;
		const { failure, earlierUnknown } = result;
		const stored: StoredFailure = earlierUnknown ? { ...failure, earlierUnknown } : failure;
		this.execution[UNKNOWN_OUTCOMES] = { ...this.failures, [hashOf(content)]: stored };
	}

	private get failures(): Record<string, StoredFailure> {
		return (this.execution[UNKNOWN_OUTCOMES] ?? {}) as Record<string, StoredFailure>;
	}
}

function hashOf(content: unknown): string {
	return createHash('sha256').update(JSON.stringify(content)).digest('hex');
}
