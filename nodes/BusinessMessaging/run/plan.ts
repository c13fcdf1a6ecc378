import type { IExecuteFunctions } from 'n8n-workflow';
import type { Job, RunContext } from '../actions/job';
import { checkModelArguments } from '../actions/modelArguments';
import type { Operation } from '../actions/operation';
import { checkHoldBack } from '../actions/options/holdBack';
import { readIncludesInput } from '../actions/options/includeInputFields';
import { readConcurrency } from '../actions/options/requests';
import { readSpendingLimit, Spending } from '../actions/options/spendingLimit';
import { type Audience, readTestMessages } from '../actions/options/testRecipient';
import type { RetryMemory } from '../actions/retryMemory';
import type { Clock } from '../clock';
import { asUnknown, failureOf, notStarted, failed, type Failed } from '../errors/failure';
import { InputError, NOTHING_SENT, refuseAs } from '../inputError';
import { ACTION_VERSION } from '../layouts';
import { FrequencyCap } from '../memory/frequencyCap';
import type { Ledger } from '../memory/ledger';
import { PeriodBudget } from '../memory/periodBudget';
import { lookForEach, openRows, type Rows } from '../memory/rows';
import { SendOnce } from '../memory/sendOnce';
import { openToolLedger } from '../memory/toolLedger';
import { hasWorkflow, isInChatHub } from '../n8n';
import { messageOf } from '../outcome';
import { checkOptions, checkVersion, RAW } from '../parameters';
import { sumOf } from '../template/pricing';
import { ownAccountOf } from '../transport/credential';
import { Accounts, byNumber, type SharedContext } from './accounts';
import type { Lineage } from './lineage';
import { asInputError, nameField, openConnections, type ParsedItem, readItems } from './readItems';
import { nothingDone } from './sentReport';

/** Everything that can be known before the first request. */
export interface Plan extends SharedContext {
	options: RunOptions;
	/** One per item, in their order. */
	parsedItems: ParsedItem[];
	accounts: Accounts;
}

/** What is known of a run before its options are read. */
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
	attempt: Attempt,
	clock: Clock,
): Promise<Plan | Failed> {
	try {
		const begun = await readRun(context, operation, attempt, clock);
		const read = await readJobs(begun);
		const opened = 'failure' in read ? read : await openLedger(read);
		return 'failure' in opened ? opened : await rehearse(opened);
	} catch (error) {
		const field = nameField(context, 0, operation.fields, error);
		return failed(failureOf(asInputError(error, field)));
	}
}

/** A run whose options were read. */
interface Begun extends Attempt {
	context: IExecuteFunctions;
	operation: Operation;
	clock: Clock;
	options: RunOptions;
	rows: () => Promise<Rows>;
	/** If the lineage has begun: a run that may send nothing begins it later. */
	ledger?: Ledger;
}

async function readRun(
	context: IExecuteFunctions,
	operation: Operation,
	attempt: Attempt,
	clock: Clock,
): Promise<Begun> {
	checkVersion(context.getNode(), ACTION_VERSION);
	checkModelArguments(context, operation);
	const options = refuseAs('wrongOption', () => {
		checkHoldBack(context);
		checkOptions(operation.fields, (path) => context.getNodeParameter(path, 0, {}, RAW));
		// Its value is read again when the run has ended.
		readIncludesInput(context);
		return readRunOptions(context, attempt.audience);
	});
	operation.checkRun?.(context);
	const rows = async () => await openRows(context, clock);
	const entered = context.getNodeParameter('options', 0, {}, RAW);
	const isSurelyNeeded = !('dryRun' in Object(entered));
	const ledger = isSurelyNeeded ? await attempt.lineage?.begin(rows) : undefined;
	return { ...attempt, context, operation, clock, options, rows, ledger };
}

/** A run whose items were read. */
interface Read extends Begun {
	parsedItems: ParsedItem[];
	jobs: Job[];
	/** The jobs that will ask something of the API, with their prices in INR. */
	due: ReadonlyMap<Job, number>;
	spending: Spending;
}

async function readJobs(run: Begun): Promise<Read | Failed> {
	const { context, operation, clock, options, retryMemory } = run;
	const connectionOf = await openConnections(context);
	const parsedItems = await readItems(context, operation, options.test, connectionOf, clock);
	if (parsedItems.length < context.getInputData().length) return notStarted();
	const jobs = parsedItems.flatMap((item) => ('job' in item ? item.job : []));
	refuseMemory(context, jobs);
	for (const { itemIndex, fromItem = {} } of jobs) retryMemory.complete(itemIndex, fromItem);
	const spending = new Spending(options.spendingLimit);
	for (const outcome of retryMemory.outcomes.values()) spending.learn(messageOf(outcome) ?? {});
	const due = new Map<Job, number>();
	for (const job of jobs) {
		const price = job.price({ clock, retryMemory, spending });
		if (price !== undefined) due.set(job, price);
	}
	return { ...run, parsedItems, jobs, due, spending };
}

/** What later calls must know is stored with a workflow. @throws InputError where none stays */
function refuseMemory(context: IExecuteFunctions, jobs: Job[]): void {
	const isForAgents = !hasWorkflow(context);
	if (!isForAgents && !isInChatHub(context)) return;
	const host = isForAgents ? "n8n's own Agents" : "n8n's Chat Hub";
	for (const { onceKey, cap, budget } of jobs) {
		const option = onceKey ? 'Send Once Key' : cap ? 'Frequency Cap' : budget && 'Budget';
		if (!option) continue;
		throw new InputError(
			`${option} can't be used in ${host}, because nothing is kept there between two calls`,
			`${NOTHING_SENT} Remove the option, or put this node into a workflow, and let the agent call that workflow as its tool.`,
			'memoryUnusable',
		);
	}
}

/** Finds out what the executions before this one have sent. */
async function openLedger(run: Read): Promise<Read | Failed> {
	const { lineage, rows, parsedItems, due, jobs } = run;
	if (!lineage) return run;
	const isNeeded = due.size > 0 || parsedItems.length > jobs.length;
	const join = async () => (await lineage.begin(rows)) ?? (await lineage.join(rows));
	const ledger = run.ledger ?? (isNeeded ? await join() : undefined);
	if (!ledger) return run;
	if ('failure' in ledger) return due.size > 0 ? ledger : run;
	await recall(run, ledger);
	await doubtUnread(run, lineage);
	return { ...run, ledger };
}

/** Puts into the memory for retries what earlier executions of the lineage have sent. */
async function recall(
	{ context, parsedItems, retryMemory, due, jobs }: Read,
	ledger: Ledger,
): Promise<void> {
	const messages = parsedItems.flatMap((item) => {
		if ('failure' in item || !item.job.ledgerEntry) return [];
		const { itemIndex, ledgerEntry: entry } = item.job;
		const content = [ownAccountOf(item.connection) ?? '', entry.content];
		return { ...entry, content, itemIndex, apiKey: item.connection.apiKey };
	});
	const signal = context.getExecutionCancelSignal() ?? new AbortController().signal;
	const outcomes = await ledger.recall(messages, retryMemory.outcomes, signal);
	for (const job of jobs) {
		const outcome = outcomes.get(job.itemIndex);
		if (!outcome) continue;
		retryMemory.recall(job.itemIndex, outcome, due.get(job) ?? 0);
		ledger.tell(job.itemIndex);
	}
}

/** What a Retry, or a run by hand that goes on, can't read may have been read, and sent, before. */
async function doubtUnread({ parsedItems, retryMemory }: Read, lineage: Lineage): Promise<void> {
	const hasSent = lineage.isContinued && retryMemory.outcomes.size > 0;
	if (!lineage.isUnsure && !hasSent) return;
	lineage.isUnsure = false;
	const unread = parsedItems.filter((item) => 'failure' in item);
	if (unread.length === 0 || (await lineage.isComplete())) return;
	for (const item of unread) Object.assign(item, asUnknown(item));
}

/** @throws InputError when what may go out now costs more than the spending limit */
async function rehearse(run: Read): Promise<Plan> {
	const { context, operation, retryMemory, rows, clock, ledger } = run;
	const { options, parsedItems, due, spending } = run;
	spending.spent = retryMemory.spent;
	const memories = () => ({
		sendOnce: new SendOnce(rows, clock),
		frequencyCap: new FrequencyCap(rows, clock),
		periodBudget: new PeriodBudget(rows, clock),
	});
	const inFlight = new Set<number>();
	const toolLedger = await openToolLedger(context, rows, clock);
	const ledgers = { retryMemory, ledger, toolLedger };
	const shared = { clock, spending, inFlight, ...ledgers, ...memories() };
	const { concurrency } = options;
	const accounts = new Accounts(context, { parsedItems, concurrency, due }, shared);
	const plan = { options, parsedItems, accounts, ...shared };
	if (spending.limit === Infinity) return plan;
	try {
		const price = await estimateOf(accounts, due, memories());
		spending.check(price, nothingDone(context, operation.sends, retryMemory));
		return plan;
	} catch (error) {
		accounts.close();
		return await Promise.reject(error);
	}
}

/**
 * What the messages cost that may go out now. Those to one number are rehearsed one after the other, the dearest first,
 * because Frequency Cap may let only some of them through. What has an open key stays unknown, so it costs nothing.
 * @param memories of their own, because they count what is shown
 */
async function estimateOf(
	accounts: Accounts,
	due: ReadonlyMap<Job, number>,
	memories: Pick<RunContext, 'sendOnce' | 'frequencyCap' | 'periodBudget'>,
): Promise<number> {
	const priceOf = (job: Job) => due.get(job) ?? 0;
	const groups = accounts.all.flatMap(({ run, jobs }) => {
		const ofAccount = jobs.filter((job) => due.has(job));
		const dearestFirst = ofAccount.sort((one, other) => priceOf(other) - priceOf(one));
		return byNumber(dearestFirst).map((ofNumber) => ({ run: { ...run, ...memories }, ofNumber }));
	});
	const estimates: number[] = [];
	await lookForEach(groups, async ({ run, ofNumber }) => {
		for (const job of ofNumber) {
			const outcome = await job.rehearse?.(run);
			if (outcome?.kind === 'shown') estimates.push(outcome.estimate);
		}
	});
	return sumOf(estimates);
}

type RunOptions = ReturnType<typeof readRunOptions>;

/** Options of the whole run, from its first item. @throws InputError */
function readRunOptions(context: IExecuteFunctions, audience: Audience) {
	// One by one: another wrong option of the first item must fail that item only.
	return {
		concurrency: readConcurrency(context),
		/** INR; Infinity for no limit. */
		spendingLimit: readSpendingLimit(context),
		/** Of a manual run. */
		test: readTestMessages(context, audience),
	};
}
