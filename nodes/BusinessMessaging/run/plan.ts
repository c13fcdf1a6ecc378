import type { IExecuteFunctions } from 'n8n-workflow';
import { Budget } from '../actions/budget';
import {
	concurrencyField,
	hasOption,
	includeInputField,
	spendingLimitField,
} from '../actions/fields';
import type { Job } from '../actions/job';
import { checkModelArguments } from '../actions/modelArguments';
import type { Operation } from '../actions/operation';
import type { RetryMemory } from '../actions/retryMemory';
import type { TestMessages } from '../actions/testMessages';
import type { Clock } from '../clock';
import { asUnknown, type Failed, failureOf, notStarted } from '../errors/failure';
import { InputError, NOTHING_SENT, refuseAs } from '../inputError';
import { FrequencyCap } from '../memory/frequencyCap';
import { isAboutAnother, type Ledger } from '../memory/ledger';
import { memoryProblem, openRows } from '../memory/rows';
import { SendOnce } from '../memory/sendOnce';
import { hasWorkflow } from '../n8n';
import { messageOf } from '../outcome';
import { checkOptions, EXPERT_OPTIONS, RAW, readNumber, readSwitch } from '../parameters';
import { formatAmount, formatEstimate, sumOf } from '../template/pricing';
import { ownAccountOf } from '../transport/credential';
import { isRecord } from '../values';
import { Accounts, type SharedContext } from './accounts';
import type { Lineage } from './lineage';
import { asInputError, nameField, openConnections, type ParsedItem, readItems } from './readItems';
import { nothingDone } from './sentReport';
import { readTestMessages, type Audience } from './testRecipient';

/** Everything that can be known before the first request. */
export interface Plan extends SharedContext {
	options: RunOptions;
	/** One per item, in their order. */
	parsedItems: ParsedItem[];
	accounts: Accounts;
}

/** What is known of a run before its items are read. */
interface Attempt {
	retryMemory: RetryMemory;
	/** None for what sends nothing, and for what an agent calls. */
	lineage?: Lineage;
	audience: Audience;
}

/**
 * Reads and checks the credential, the options and all items.
 * @returns the plan, or the reason why the whole run can't start
 */
export async function planRun(
	context: IExecuteFunctions,
	operation: Operation,
	{ retryMemory, lineage, audience }: Attempt,
	clock: Clock,
): Promise<Plan | Failed> {
	try {
		checkModelArguments(context, operation);
		const entered = context.getNodeParameter('options', 0, {}, RAW);
		refuseAs('wrongOption', () =>
			checkOptions(operation.fields, (name) => context.getNodeParameter(name, 0, {}, RAW)),
		);
		operation.checkRun?.(context);
		// Its value is read again when the run has ended.
		refuseAs('wrongOption', () => readIncludesInput(context));
		const rows = async () => await openRows(context, clock);
		// Before the items are read, unless they may send nothing.
		const isSurelyNeeded = isRecord(entered) && !('dryRun' in entered);
		const begun = isSurelyNeeded ? await lineage?.begin(rows) : undefined;
		const options = refuseAs('wrongOption', () => readRunOptions(context, audience));
		const { test, spendingLimit } = options;
		const connectionOf = await openConnections(context);
		const parsedItems = await readItems(context, operation, test, connectionOf, clock);
		if (parsedItems.length < context.getInputData().length) return notStarted();
		if (!hasWorkflow(context)) refuseMemory(parsedItems);
		for (const [itemIndex, item] of parsedItems.entries()) {
			if ('job' in item) retryMemory.complete(itemIndex, item.job.fromItem ?? {});
		}
		const sendOnce = new SendOnce(rows, clock);
		const frequencyCap = new FrequencyCap(rows, clock);
		const isCapped = parsedItems.some((item) => 'job' in item && item.job.cap);
		const budget = new Budget(spendingLimit);
		for (const outcome of retryMemory.outcomes.values()) budget.learn(messageOf(outcome) ?? {});
		const prices = pricesOf(parsedItems, { clock, retryMemory, budget });
		const keyAt = (index: number) => {
			const item = parsedItems[index];
			return 'job' in item ? item.job.onceKey : undefined;
		};
		const dueKeys = () => [...prices.keys()].map(keyAt);
		const join = async () => (await lineage?.begin(rows)) ?? (await lineage?.join(rows));
		const isNeeded = prices.size > 0 || parsedItems.some((item) => 'failure' in item);
		const joined = begun ?? (isNeeded ? await join() : undefined);
		const refused = joined && 'failure' in joined ? joined : undefined;
		// Keys tell what was sent if the execution before had them, too, and not only another Retry.
		const isExcused =
			prices.size === 0 ||
			(refused?.failure.code === 'notStored' &&
				lineage?.isFirstRetry === true &&
				(await sendOnce.hasAnyOf(dueKeys())));
		if (refused && !isExcused) return refused;
		const ledger = joined && 'failure' in joined ? undefined : joined;
		if (ledger) await recall(context, ledger, parsedItems, { retryMemory, prices });
		if (ledger && lineage) await doubtUnread(context, parsedItems, ledger, lineage);
		// Its error lists what was sent, which is known by now.
		if (isCapped) await frequencyCap.check();
		if (spendingLimit < Infinity) {
			const used = await sendOnce.usedOf(dueKeys());
			for (const item of [...prices.keys()]) {
				if (used.has(keyAt(item))) prices.delete(item);
			}
			const due = estimateOf(prices, parsedItems, clock.now());
			const estimate = due === 0 ? 0 : sumOf([retryMemory.spent, due]);
			if (estimate > spendingLimit) {
				throw new InputError(
					`This run would cost about ${formatEstimate(estimate)}, more than the spending limit of ${formatAmount(spendingLimit)}`,
					`${nothingDone(context, operation.sends, retryMemory)} Send fewer items at once, or raise Spending Limit under Options.`,
					'overLimit',
				);
			}
		}
		budget.spent = retryMemory.spent;
		const inFlight = new Set<number>();
		const shared = { clock, retryMemory, sendOnce, frequencyCap, ledger, budget, inFlight };
		const work = { parsedItems, concurrency: options.concurrency, due: prices };
		const accounts = new Accounts(context, work, shared);
		return { options, parsedItems, accounts, ...shared };
	} catch (error) {
		const field = nameField(context, 0, operation.fields, error);
		return { failure: failureOf(asInputError(error, field)) };
	}
}

/** Options of the whole run, from its first item. */
export interface RunOptions {
	concurrency: number;
	/** INR; Infinity for no limit. */
	spendingLimit: number;
	/** Of a manual run. */
	test?: TestMessages;
}

/** @throws InputError */
export function readRunOptions(context: IExecuteFunctions, audience: Audience): RunOptions {
	// One by one: another wrong option of the first item must fail that item only.
	const { name, default: unset } = concurrencyField;
	const concurrency = context.getNodeParameter(`${EXPERT_OPTIONS.name}.${name}`, 0, unset);
	return {
		concurrency: Math.floor(readNumber(concurrency, concurrencyField, unset)),
		spendingLimit: readSpendingLimit(context),
		test: readTestMessages(context, audience),
	};
}

/** Whether each output item has the fields of its input item. @throws InputError */
export function readIncludesInput(context: IExecuteFunctions): boolean {
	const { name } = includeInputField;
	const value = context.getNodeParameter(`options.${name}`, 0, false);
	return readSwitch({ [name]: value }, includeInputField);
}

/** Without a default: an expression that gives nothing must not remove the limit. */
function readSpendingLimit(context: IExecuteFunctions): number {
	if (!hasOption(context, spendingLimitField)) return Infinity;
	const value = context.getNodeParameter(`options.${spendingLimitField.name}`, 0);
	return readNumber(value, spendingLimitField);
}

/** What must be known in later calls is stored with the workflow. @throws InputError where there is none */
function refuseMemory(parsedItems: ParsedItem[]): void {
	for (const item of parsedItems) {
		if ('failure' in item) continue;
		const { onceKey, cap } = item.job;
		const option = onceKey ? 'Send Once Key' : cap && 'Frequency Cap';
		if (!option) continue;
		throw new InputError(
			`${option} can't be used in n8n's own Agents, because they keep nothing between two calls`,
			`${NOTHING_SENT} Remove the option, or put this node into a workflow, and let the agent call that workflow as its tool.`,
			'memoryUnusable',
		);
	}
}

/**
 * Only one of the items with a key is sent: their highest price counts once, at the first of them.
 * @returns prices by item, for each item that will ask something of the API
 */
function pricesOf(
	parsedItems: ParsedItem[],
	run: Parameters<Job['price']>[0],
): Map<number, number> {
	const firstWith = new Map<string | number, number>();
	const prices = new Map<number, number>();
	for (const [itemIndex, item] of parsedItems.entries()) {
		if ('failure' in item) continue;
		const price = item.job.price(run);
		// An item without a key goes by its own index.
		const key = item.job.onceKey ?? itemIndex;
		if (price === undefined) continue;
		const first = firstWith.get(key) ?? itemIndex;
		firstWith.set(key, first);
		prices.set(first, Math.max(price, prices.get(first) ?? 0));
	}
	return prices;
}

/** Puts into the memory for retries what earlier executions of the lineage have sent. */
async function recall(
	context: IExecuteFunctions,
	ledger: Ledger,
	parsedItems: ParsedItem[],
	{ retryMemory, prices }: { retryMemory: RetryMemory; prices: Map<number, number> },
): Promise<void> {
	const messages = parsedItems.flatMap((item, itemIndex) => {
		const entry = 'job' in item && item.job.ledgerEntry;
		if (!entry) return [];
		const { apiKey } = item.connection;
		const content = [ownAccountOf(item.connection) ?? '', entry.content];
		return { ...entry, content, itemIndex, apiKey };
	});
	const signal = context.getExecutionCancelSignal() ?? new AbortController().signal;
	for (const [itemIndex, outcome] of await ledger.recall(messages, retryMemory.outcomes, signal)) {
		retryMemory.recall(itemIndex, outcome, prices.get(itemIndex) ?? 0);
		if (!isAboutAnother(outcome)) ledger.tell(itemIndex);
		prices.delete(itemIndex);
	}
}

/** What a Retry can't read may have been read, and sent, before. */
async function doubtUnread(
	context: IExecuteFunctions,
	parsedItems: ParsedItem[],
	ledger: Ledger,
	lineage: Lineage,
): Promise<void> {
	const input = context.getInputData();
	const unread = parsedItems.flatMap((item, itemIndex) =>
		'failure' in item ? [[input[itemIndex].json, item.failure.message]] : [],
	);
	if (unread.length === 0) return void (lineage.isUnsure = false);
	try {
		if (!lineage.hasPast)
			return void (context.continueOnFail() && (await ledger.noteUnread(unread)));
		const isCertain = (await ledger.wereUnread(unread)) || (await lineage.isComplete());
		lineage.isUnsure = false;
		if (isCertain) return;
	} catch (error) {
		throw memoryProblem('sent messages', error);
	}
	for (const item of parsedItems) {
		if ('failure' in item) Object.assign(item, asUnknown(item));
	}
}

/** What the messages cost that are not held back now: of a number with a cap, the dearest that it may get. */
function estimateOf(prices: Map<number, number>, parsedItems: ParsedItem[], now: number): number {
	const isOpen = (item: ParsedItem) => 'job' in item && !item.job.isHeldBack?.(now);
	/** What is held back leaves its key to the next item. */
	const openKeys = new Set(
		parsedItems.flatMap((item) => ('job' in item && isOpen(item) ? (item.job.onceKey ?? []) : [])),
	);
	const dearestFirst = [...prices].sort(([, one], [, other]) => other - one);
	const counts = new Map<string, number>();
	const due = dearestFirst.filter(([itemIndex]) => {
		const item = parsedItems[itemIndex];
		if ('failure' in item) return false;
		const { onceKey: key, cap } = item.job;
		if (key === undefined ? !isOpen(item) : !openKeys.has(key)) return false;
		if (!cap) return true;
		const name = JSON.stringify(cap);
		const count = (counts.get(name) ?? 0) + 1;
		counts.set(name, count);
		return count <= cap.messages;
	});
	return sumOf(due.map(([, price]) => price));
}
