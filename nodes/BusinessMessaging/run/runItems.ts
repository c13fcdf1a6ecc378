import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import type { Job, RunContext } from '../actions/job';
import type { Operation } from '../actions/operation';
import { includesInput } from '../actions/options/includeInputFields';
import { findAudience } from '../actions/options/testRecipient';
import { messageIn } from '../actions/output';
import { openRetryMemory } from '../actions/retryMemory';
import type { Clock } from '../clock';
import {
	asLookUpFailure,
	asUnknown,
	concernsOthers,
	type Failure,
	failureFromException,
	failureOf,
	notStarted,
	failed,
} from '../errors/failure';
import { errorForModel } from '../errors/modelWords';
import { joinSentences } from '../inputError';
import { SAVED_BY_OTHER_VERSION } from '../memory/ledger';
import { isHumanReview, isOfAgent, isOfOtherVersion, isTool, liveNode } from '../n8n';
import { messageOf, outputNumberOf, OUTPUTS, type Result, showsText } from '../outcome';
import { phoneOf } from '../template/phoneNumber';
import { sumOf } from '../template/pricing';
import { sendsPerWindow, WINDOW_MS } from '../transport/pacer';
import { textOf } from '../values';
import { refusalOf, resultsSoFar, throwFailures } from './failedRun';
import { Lineage } from './lineage';
import { goesOnFromSentOnly } from './loops';
import { type Plan, planRun } from './plan';
import { Progress } from './progress';
import { stoppedReport, tellWhenStopped } from './sentReport';
import { type Circumstances, type RepeatedNumber, summarize } from './summary';

/**
 * Runs an operation for every item. All items are read and checked before the first request, because otherwise
 * a wrong row 4,000 would be found after 3,999 paid messages.
 * @returns one output item per item, by output and in their order; failed ones only with "continue on error"
 * @throws NodeApiError, NodeOperationError naming the item, without "continue on error"
 */
export async function runItems(
	context: IExecuteFunctions,
	operation: Operation,
	clock: Clock,
): Promise<INodeExecutionData[][]> {
	const node = context.getNode();
	// Of a tool that fails, the model of an older agent reads nothing. A review that fails must not seem to be approved.
	const keepsGoing = context.continueOnFail() || (isTool(node) && !isHumanReview(node));
	// n8n empties the output that a model reads, even after a success.
	if (isTool(node) && node.onError === 'continueErrorOutput') {
		liveNode(context).onError = 'continueRegularOutput';
	}
	const audience = await findAudience(context);
	const retryMemory = openRetryMemory(context, audience === 'testRecipient');
	const isRemembered = retryMemory.outcomes.size > 0;
	// An agent's model calls the node again after a failure, and reads the first output only.
	const lineage =
		operation.sends && !isOfAgent(context)
			? new Lineage(context, clock, { isRemembered, isTest: audience === 'testRecipient' })
			: undefined;
	const plan = isOfOtherVersion(context)
		? failed(failureOf(SAVED_BY_OTHER_VERSION))
		: await planRun(context, operation, { retryMemory, lineage, audience }, clock);
	const refusal = keepsGoing ? undefined : refusalOf(context, plan, operation.sends, retryMemory);
	if (refusal) throw refusal;

	// With Continue On Fail n8n answers an exception by passing the *input* on as output, which looks like success.
	const results =
		'failure' in plan
			? resultsSoFar(context, retryMemory, lineage?.isUnsure ? asUnknown(plan) : plan)
			: await new ItemsRun(context, operation, plan, keepsGoing).perform();
	const outputs = outputsOf(context, operation, results);
	// With "continue on error", Retry On Fail runs the node again when the first item of its first output failed.
	const runsAgain = node.retryOnFail === true && outputs[0][0]?.json.error !== undefined;
	if (!('failure' in plan)) {
		const circumstances = circumstancesOf(context, plan, results);
		const endsLoop = outputs[0].length === 0 && goesOnFromSentOnly(context);
		const isContinued = lineage?.isContinued;
		const hint = summarize(results, { ...circumstances, endsLoop, isContinued });
		// Not there in older n8n.
		if (hint) context.addExecutionHints?.(hint);
	}
	const [first] = results;
	if (isTool(node) && first?.kind === 'failed') {
		const { message, remedy } = first.failure;
		// The model reads no remedy for a builder, who finds it here.
		context.addExecutionHints?.({
			message: joinSentences(`${message}.`, remedy),
			type: 'warning',
			location: 'outputPane',
		});
	}
	// Last: after an exception n8n may run the node again.
	if (!runsAgain) retryMemory.forget();
	lineage?.forget();
	return outputs;
}

function outputsOf(
	context: IExecuteFunctions,
	{ skips }: Operation,
	results: Result[],
): INodeExecutionData[][] {
	const items = itemsOf(context, results);
	if (!skips || isOfAgent(context)) return [items];
	return OUTPUTS.map((_, output) =>
		items.filter((__, item) => outputNumberOf(results[item]) === output),
	);
}

/** One output item per item. In the error output n8n itself adds the fields of the input. */
function itemsOf(context: IExecuteFunctions, results: Result[]): INodeExecutionData[] {
	const input = includesInput(context) ? context.getInputData() : undefined;
	const node = context.getNode();
	const hasErrorOutput = node.onError === 'continueErrorOutput';
	const errorOf = (failure: Failure): IDataObject =>
		isTool(node) ? errorForModel(failure, node) : { ...failure };
	return results.map((result, item) => {
		const json: IDataObject =
			result.kind === 'failed' ? { error: errorOf(result.failure) } : { ...result.json };
		const hasInput = result.kind === 'passed' || (result.kind === 'failed' && hasErrorOutput);
		if (input && !hasInput) json.input = input[item].json;
		return { json, pairedItem: { item } };
	});
}

/** The message of a failed look-up may have been sent long ago, so it is not `notSent`. */
function withoutNotSent(result: Result): Result {
	if (result.kind !== 'failed' || result.failure.outcome !== 'notSent') return result;
	return { ...result, failure: asLookUpFailure(result.failure) };
}

function memoryProblemOf({ sendOnce, frequencyCap, periodBudget }: Plan): string | undefined {
	const memories = [sendOnce, frequencyCap, periodBudget];
	return memories.flatMap(({ problem }) => problem ?? []).join('. ') || undefined;
}

function circumstancesOf(context: IExecuteFunctions, plan: Plan, results: Result[]): Circumstances {
	const { accounts, options } = plan;
	const sending = accounts.all.filter(({ jobs }) =>
		jobs.some(({ itemIndex }) => messageOf(results[itemIndex])),
	);
	const shown = accounts.all
		.flatMap(({ jobs }) => jobs)
		.filter(({ itemIndex }) => showsText(results[itemIndex]));
	return {
		waitedMs: accounts.waitedMs,
		timeZone: context.getTimezone(),
		accounts: sending.length,
		isTest: options.test !== undefined,
		memoryProblem: memoryProblemOf(plan),
		earlier: [...plan.retryMemory.outcomes].filter(
			([itemIndex, outcome]) => outcome.kind === 'sent' && outcome === results[itemIndex],
		).length,
		exceededLimit: exceededLimit(plan, results),
		repeated: accounts.all.flatMap(({ jobs }) => repeatedNumbers(jobs, results)),
		durationMs: Math.max(0, ...accounts.all.map(({ jobs }) => durationOf(jobs, results))),
		misdirected: shown.flatMap(({ itemIndex, recipient }) => {
			const message = messageOf(results[itemIndex]);
			return message && wentElsewhere(message, recipient) ? itemIndex : [];
		}),
		remarks: shown.flatMap(({ remarks }) => remarks ?? []),
	};
}

/** Whether the API says that the message went to another number than it should. */
function wentElsewhere(message: IDataObject, asked?: { to: string }): boolean {
	const told = textOf(messageIn(message).to).replace(/\D/g, '');
	return told !== '' && asked !== undefined && phoneOf(`+${told}`) !== asked.to;
}

/** The spending limit, if it would stop the run without its dry run. */
function exceededLimit({ spending }: Plan, results: Result[]): number | undefined {
	const estimates = results.flatMap((each) => (each.kind === 'shown' ? each.estimate : []));
	return spending.allows(sumOf(estimates)) ? undefined : spending.limit;
}

/** How long the rate limit of an account lets the messages of a dry run take. */
function durationOf(jobs: Job[], results: Result[]): number {
	const paces = jobs.flatMap(({ itemIndex, pace }) =>
		results[itemIndex].kind === 'shown' ? (pace ?? []) : [],
	);
	const windows = paces.map((pace) => 1 / sendsPerWindow(pace, paces.length));
	return Math.round(WINDOW_MS * windows.reduce((sum, share) => sum + share, 0));
}

/** The customers who get more than one message from an account. */
function repeatedNumbers(jobs: Job[], results: Result[]): RepeatedNumber[] {
	const byCustomer = new Map<string, { items: number[]; texts: Set<string> }>();
	for (const { itemIndex, recipient: { customer } = {}, remarks } of jobs) {
		const result = results[itemIndex];
		const isHeldBack = result.kind === 'skipped' && !showsText(result);
		const getsNone = isHeldBack || ['shownAsSkipped', 'sentBefore'].includes(result.kind);
		if (customer === undefined || getsNone) continue;
		const { items, texts } = byCustomer.get(customer) ?? { items: [], texts: new Set() };
		byCustomer.set(customer, { items, texts });
		items.push(itemIndex);
		const { variables = itemIndex } = remarks ?? {};
		texts.add(JSON.stringify(variables));
	}
	return [...byCustomer.values()].flatMap(({ items, texts }) =>
		items.length > 1 ? { items, isSameText: texts.size === 1 } : [],
	);
}

/** Performs the jobs of all items, several at a time, and collects their results. */
class ItemsRun {
	private readonly results: Result[];
	private readonly ending: Array<Promise<void>> = [];
	private readonly progress: Progress;

	constructor(
		private readonly context: IExecuteFunctions,
		private readonly operation: Operation,
		private readonly plan: Plan,
		private readonly keepsGoing: boolean,
	) {
		this.results = plan.parsedItems.map(
			(item, itemIndex): Result =>
				plan.retryMemory.outcomes.get(itemIndex) ?? ('failure' in item ? item : notStarted()),
		);
		const { results } = this;
		const items = plan.parsedItems.filter((item) => 'job' in item).length;
		this.progress = new Progress(context, items, plan.clock, () =>
			operation.sends ? stoppedReport(results, plan.inFlight) : '',
		);
	}

	/** @throws if an item failed, unless the run keeps going */
	async perform(): Promise<Result[]> {
		const { accounts, options, retryMemory, spending, inFlight } = this.plan;
		const { context, keepsGoing } = this;
		const { sends } = this.operation;
		const told = sends ? tellWhenStopped(context, this.results, inFlight) : undefined;
		// Each account has workers of its own: while one account waits for its rate limit, the others go on.
		const workers = accounts.all.flatMap(({ run, jobs }) => {
			const queue = jobs.values();
			const sending = new Map<unknown, Job[]>();
			const length = Math.min(options.concurrency, jobs.length);
			return Array.from({ length }, async () => await this.work(queue, sending, run));
		});
		try {
			await Promise.all(workers);
			await Promise.all(this.ending);
		} finally {
			retryMemory.rememberSpent(spending.spent);
			accounts.close();
			this.progress.end();
			told?.end();
		}
		const results = sends ? this.results : this.results.map(withoutNotSent);
		if (!keepsGoing) {
			throwFailures(context, results, retryMemory, sends, memoryProblemOf(this.plan));
		}
		return results;
	}

	/** @param sending by number: the item that is being sent, and those queued behind it */
	private async work(
		queue: Iterable<Job>,
		sending: Map<unknown, Job[]>,
		run: RunContext,
	): Promise<void> {
		for (const first of queue) {
			const number = first.recipient?.to ?? first.itemIndex;
			const busy = sending.get(number);
			if (busy) {
				busy.push(first);
				continue;
			}
			const ofNumber = [first];
			sending.set(number, ofNumber);
			// Grows while its items are sent.
			for (const each of ofNumber) {
				if (this.plan.accounts.signal.aborted) return;
				await this.performItem(each, run);
			}
			sending.delete(number);
		}
	}

	/** @returns when it is the next item's turn: this one has ended, or only waits for its delivery */
	private async performItem(job: Job, run: RunContext): Promise<void> {
		const { accounts, inFlight, retryMemory } = this.plan;
		const { itemIndex } = job;
		await new Promise<void>((goOn) => {
			let soFar: Result | undefined;
			const record = (result: Result) => {
				const isNew = result !== retryMemory.outcomes.get(itemIndex);
				if (!soFar) this.progress.count(result, isNew);
				this.results[itemIndex] = result;
				inFlight.delete(itemIndex);
				// A failure of an earlier attempt must not keep the other items from being sent in this one.
				if (isNew && !this.keepsGoing && endsRun(result)) accounts.stop();
				goOn();
			};
			const performing = job.perform(run, (result) => {
				record(result);
				soFar = result;
			});
			const ended = performing.catch((error) => unforeseen(error, soFar && messageOf(soFar)));
			this.ending.push(ended.then(record));
		});
	}
}

/** Also if nothing gets through to the account, so that the item was not tried. */
function endsRun(result: Result): boolean {
	if (result.kind !== 'failed') return false;
	return result.notStarted === true || concernsOthers(result.failure);
}

/** An exception fails its own item only. @param message that the API has accepted */
function unforeseen(error: unknown, message?: IDataObject): Result {
	const failure = failureFromException(error, message ? 'unknown' : 'notSent');
	return failed(failure, message);
}
