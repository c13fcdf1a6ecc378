import { createHash } from 'crypto';
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { type Failure, failed, type Failed } from '../errors/failure';
import type { NodeContext } from '../layouts';
import { isAboutAnother } from '../memory/ledger';
import { contextOf, isTool, runIndexOf } from '../n8n';
import { type Outcome, type SentBeforeOutcome, type SentOutcome } from '../outcome';
import { sumOf } from '../template/pricing';
import { isRecord } from '../values';

/**
 * The memory lies in the execution's context of the node, which n8n stores with the execution.
 * @param isTest whether all messages go to a test recipient
 */
export function openRetryMemory(context: IExecuteFunctions, isTest: boolean): RetryMemory {
	// n8n counts each call of a tool as a run of its own: see ToolLedger.
	const stored = isTool(context.getNode()) ? {} : contextOf(context);
	return new RetryMemory(stored, runIndexOf(context), isTest);
}

interface Store {
	runIndex: number;
	/** Their messages have a checksum in place of each field that comes from the item. */
	items: Partial<Record<string, ItemRecord>>;
	/** INR */
	spent?: number;
}

/** The message as the API accepted it, and why it is not known whether it was sent, or why it was not delivered. */
type ItemRecord =
	{ message: IDataObject; failure?: undefined } | { message?: IDataObject; failure: Failure };

/** Fields that come from the item. They are not stored here, because n8n's redaction does not reach it. */
const FROM_ITEM = ['to', 'intendedTo', 'template_name', 'preview'];

/** What an earlier attempt did, and a later one does not repeat. */
type RememberedOutcome = SentOutcome | SentBeforeOutcome | Failed;

/**
 * n8n's Retry On Fail, and Retry in the list of executions, run the whole node again. This memory keeps a
 * retry from sending what an earlier attempt sent, or may have sent. It knows a message by its item, not by its
 * text: expressions are computed again in each attempt, and a new code or time does not make it another message.
 */
export class RetryMemory {
	/** What earlier attempts did, by item. */
	readonly outcomes: Map<number, RememberedOutcome>;
	private readonly key: 'sentMessages' | 'testMessages';
	private readonly store: Store;
	/** What the messages cost of which it is not known whether another execution sent them, in INR. */
	private inDoubt = 0;

	/**
	 * @param runIndex the memory of another run of the node is dropped: only the last run can be retried
	 * @param isTest a message to a test recipient is not one to the customer, and vice versa
	 */
	constructor(
		private readonly context: NodeContext,
		runIndex: number,
		isTest?: boolean,
	) {
		this.key = isTest ? 'testMessages' : 'sentMessages';
		const known = context[this.key] as Store | undefined;
		this.store = known?.runIndex === runIndex ? known : { runIndex, items: {} };
		if (known !== this.store) this.forget();
		const items = Object.entries(this.store.items);
		this.outcomes = new Map(items.map(([item, record]) => [Number(item), outcomeOf(record!)]));
	}

	/** What earlier attempts have spent, in INR, including messages that may have been sent. */
	get spent(): number {
		return sumOf([this.store.spent ?? 0, this.inDoubt]);
	}

	/** What a run did that was interrupted, so that n8n has not stored it. @param price INR */
	recall(itemIndex: number, outcome: RememberedOutcome, price: number): void {
		this.outcomes.set(itemIndex, outcome);
		// A later attempt may find out what became of it, and counts it then.
		if (isAboutAnother(outcome)) return void (this.inDoubt = sumOf([this.inDoubt, price]));
		this.remember(itemIndex, outcome);
		// At once, because this run may be refused, and a later one begins with what is stored.
		this.rememberSpent(sumOf([this.spent, price]));
	}

	/** Puts the fields that come from the item back into its message, except those that have changed since. */
	complete(itemIndex: number, fields: IDataObject): void {
		const record = this.store.items[itemIndex];
		if (record) this.outcomes.set(itemIndex, outcomeOf(record, fields));
	}

	/** Writes at once, so that a later exception can't lose it. */
	remember(itemIndex: number, outcome: Outcome): void {
		const { items } = this.store;
		if (outcome.kind === 'failed') {
			const { failure, message: own } = outcome;
			// A fallback that failed keeps the message before it, which has an ID and a cost.
			const message = own ? withoutItem(own) : items[itemIndex]?.message;
			items[itemIndex] = { message, failure };
		} else if (outcome.kind === 'sent' || outcome.kind === 'sentBefore') {
			items[itemIndex] = { message: withoutItem(outcome.json) };
		} else return;
		this.context[this.key] = this.store;
	}

	rememberSpent(spent: number): void {
		if (spent === 0) return;
		this.store.spent = sumOf([spent, -this.inDoubt]);
		this.context[this.key] = this.store;
	}

	/** This run will not be retried. */
	forget(): void {
		delete this.context[this.key];
	}
}

function outcomeOf({ message, failure }: ItemRecord, fields: IDataObject = {}): RememberedOutcome {
	if (failure) return failed(failure, message && withItem(message, fields));
	const json = withItem(message, fields);
	return { kind: json.sentBefore === true ? 'sentBefore' : 'sent', json };
}

function withItem(message: IDataObject, fields: IDataObject): IDataObject {
	return changed(message, (name, checksum) => {
		const value = fields[name];
		return checksumOf(value) === checksum ? value : undefined;
	});
}

/** A copy of the message, because n8n may add fields to an output. */
function withoutItem(message: IDataObject): IDataObject {
	return changed(message, (_, value) => checksumOf(value));
}

/** @param change gives the new value of a field that comes from the item; undefined leaves it out */
function changed(
	message: IDataObject,
	change: (name: string, value: unknown) => IDataObject[string],
): IDataObject {
	const fields = Object.entries(message).map(([name, value]) => {
		// Raw Response has the message in the envelope.
		if (name === 'data' && isRecord(value)) return [name, changed(value, change)];
		return [name, FROM_ITEM.includes(name) ? change(name, value) : value];
	});
	return Object.fromEntries(fields.filter(([, value]) => value !== undefined)) as IDataObject;
}

/** Too short to find a phone number by. The API may leave out the plus sign. */
function checksumOf(value: unknown): string {
	const text = String(value).replace(/^\+/, '');
	return createHash('sha256').update(text).digest('hex').slice(0, 4);
}
