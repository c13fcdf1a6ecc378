import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import type { Operation, Remarks, Result, RunContext } from '../actions/operation';
import { openRetryMemory } from '../actions/retryMemory';
import type { Clock } from '../clock';
import { asLookUpFailure, failureFromException, notStarted } from '../errors/failure';
import { sendsPerWindow, WINDOW_MS } from '../transport/pacer';
import { refuseRun, resultsSoFar, tellWhenStopped, throwFirstFailure } from './failedRun';
import { type Job, type Plan, planRun, readIncludesInput } from './plan';
import { Progress } from './progress';
import { type Circumstances, summarize } from './summary';
import { findReceivers } from './testRecipient';

/**
 * Runs an operation for every item. All items are read and checked before the first request, because otherwise
 * a wrong row 4,000 would be found after 3,999 paid messages.
 * @returns one result per item, in their order; failures only with "continue on error"
 * @throws NodeApiError, NodeOperationError naming the item, without "continue on error"
 */
export async function runItems(
	context: IExecuteFunctions,
	operation: Operation<unknown>,
	clock: Clock,
): Promise<Result[]> {
	const keepsGoing = context.continueOnFail();
	const receivers = await findReceivers(context);
	const retryMemory = openRetryMemory(context, receivers === 'testRecipient');
	const plan = await planRun(context, operation, retryMemory, receivers, clock);
	if (!keepsGoing) refuseRun(context, plan, operation.sends, retryMemory);

	// With Continue On Fail n8n answers an exception by passing the *input* on as output, which looks like success.
	const reached =
		'failure' in plan
			? resultsSoFar(context, retryMemory, plan)
			: await new ItemsRun(operation, plan, keepsGoing, progressOf(context, plan, clock)).perform(
					context,
				);
	const results = operation.sends ? reached : reached.map(withoutNotSent);
	const note = 'failure' in plan ? undefined : memoryProblemOf(plan);
	if (!keepsGoing) throwFirstFailure(context, results, retryMemory, note);
	if (!runsAgain(context, results)) retryMemory.forget();
	const hint =
		'failure' in plan
			? undefined
			: summarize(results, circumstancesOf(plan, operation, results, context.getInputData()));
	// Not there in older n8n.
	if (hint) context.addExecutionHints?.(hint);
	return includesInput(context) ? withInput(context, results) : results;
}

/** Also in a run that could not start. */
function includesInput(context: IExecuteFunctions): boolean {
	try {
		return readIncludesInput(context);
	} catch {
		// This is why the run could not start.
		return false;
	}
}

/** Only now, so that the memory for retries does not store the input. In the error output n8n itself adds it. */
function withInput(context: IExecuteFunctions, results: Result[]): Result[] {
	const items = context.getInputData();
	const hasErrorOutput = context.getNode().onError === 'continueErrorOutput';
	return results.map((result, itemIndex) => {
		const item = items[itemIndex];
		const hasIt = 'failure' in result ? hasErrorOutput : hasPassed(result, item);
		return hasIt ? result : { ...result, input: item.json };
	});
}

/** Whether an item leaves as it came, because there was nothing to do. */
function hasPassed(result: Result, { json }: INodeExecutionData): boolean {
	return 'json' in result && result.json === json;
}

/** The message of a failed look-up may have been sent long ago, so it is not `notSent`. */
function withoutNotSent(result: Result): Result {
	if (!('failure' in result) || result.failure.outcome !== 'notSent') return result;
	return { ...result, failure: asLookUpFailure(result.failure) };
}

function memoryProblemOf({ sendOnce, frequencyCap }: Plan): string | undefined {
	const problems = [sendOnce, frequencyCap].flatMap(({ problem }) => problem ?? []);
	return problems.length > 0 ? problems.join('. ') : undefined;
}

/** With "continue on error", Retry On Fail runs the node again when its first item failed. */
function runsAgain(context: IExecuteFunctions, [first]: Result[]): boolean {
	return context.getNode().retryOnFail === true && first !== undefined && 'failure' in first;
}

function progressOf(context: IExecuteFunctions, { parsedItems }: Plan, clock: Clock): Progress {
	return new Progress(context, parsedItems.filter((item) => 'job' in item).length, clock);
}

function circumstancesOf(
	plan: Plan,
	operation: Operation<unknown>,
	results: Result[],
	items: INodeExecutionData[],
): Circumstances {
	const { accounts, options } = plan;
	const sending = accounts.all.filter(({ jobs }) =>
		jobs.some(([itemIndex]) => results[itemIndex].sent),
	);
	return {
		waitedMs: accounts.waitedMs,
		accounts: sending.length,
		testRecipient: options.testRecipient,
		memoryProblem: memoryProblemOf(plan),
		repeated: accounts.all.flatMap(({ jobs }) => itemsByNumber(jobs, operation, results)),
		passed: results.filter((result, itemIndex) => hasPassed(result, items[itemIndex])).length,
		remarks: accounts.all.flatMap(({ jobs }) => remarksOn(jobs, operation, results)),
		durationMs: Math.max(0, ...accounts.all.map(({ jobs }) => durationOf(jobs, results))),
	};
}

/** How long the rate limit of an account lets the messages of a dry run take. */
function durationOf(jobs: Job[], results: Result[]): number {
	const paces = jobs.flatMap(([itemIndex]) => results[itemIndex].pace ?? []);
	const windows = paces.map((pace) => 1 / sendsPerWindow(pace, paces.length));
	return Math.round(WINDOW_MS * windows.reduce((sum, share) => sum + share, 0));
}

/** The items of each customer who gets more than one message from an account. */
function itemsByNumber(
	jobs: Job[],
	{ recipient }: Operation<unknown>,
	results: Result[],
): number[][] {
	const items = new Map<string, number[]>();
	for (const [itemIndex, job] of jobs) {
		const { customer } = recipient?.(job) ?? {};
		if (customer === undefined || results[itemIndex].skipped) continue;
		const others = items.get(customer) ?? [];
		items.set(customer, others);
		others.push(itemIndex);
	}
	return [...items.values()].filter(({ length }) => length > 1);
}

/** Of the messages that were not skipped. */
function remarksOn(jobs: Job[], { remarks }: Operation<unknown>, results: Result[]): Remarks[] {
	return jobs.flatMap(([itemIndex, job]) =>
		results[itemIndex].skipped ? [] : (remarks?.(job) ?? []),
	);
}

/** Performs the jobs of all items, several at a time, and collects their results. */
class ItemsRun {
	private readonly results: Result[];
	private readonly settling: Array<Promise<void>> = [];

	constructor(
		private readonly operation: Operation<unknown>,
		private readonly plan: Plan,
		private readonly keepsGoing: boolean,
		private readonly progress: Progress,
	) {
		this.results = plan.parsedItems.map(
			(item, itemIndex): Result =>
				plan.retryMemory.results.get(itemIndex) ?? ('failure' in item ? item : notStarted()),
		);
	}

	async perform(context: IExecuteFunctions): Promise<Result[]> {
		const { accounts, options, retryMemory, budget, inFlight } = this.plan;
		const { results } = this;
		const told = this.operation.sends ? tellWhenStopped(context, { results, inFlight }) : undefined;
		// Each account has workers of its own: while one account waits for its rate limit, the others go on.
		const workers = accounts.all.flatMap(({ run, jobs }) => {
			const queue = jobs.values();
			const sending = new Map<unknown, Job[]>();
			const length = Math.min(options.concurrency, jobs.length);
			return Array.from({ length }, async () => await this.work(queue, sending, run));
		});
		try {
			await Promise.all(workers);
			await Promise.all(this.settling);
		} finally {
			retryMemory.rememberSpent(budget.spent);
			accounts.close();
			this.progress.end();
			told?.end();
		}
		return results;
	}

	/** @param sending for each number that gets a message now: its item, and the later ones, which wait for it */
	private async work(
		queue: Iterable<Job>,
		sending: Map<unknown, Job[]>,
		run: RunContext,
	): Promise<void> {
		for (const first of queue) {
			const [itemIndex, job] = first;
			const number = this.operation.recipient?.(job).to ?? itemIndex;
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

	private async performItem([itemIndex, job]: Job, run: RunContext): Promise<void> {
		const result = await this.operation
			.perform(job, itemIndex, run)
			.catch((error) => unforeseen(error));
		this.progress.count(result, this.isNew(itemIndex, result));
		this.settling.push(this.settle(itemIndex, result));
	}

	private isNew(itemIndex: number, result: Result): boolean {
		return result !== this.plan.retryMemory.results.get(itemIndex);
	}

	private async settle(itemIndex: number, result: Result): Promise<void> {
		this.results[itemIndex] = result;
		this.plan.inFlight.delete(itemIndex);
		// A failure of an earlier attempt must not keep the other items from being sent in this one.
		const stops = !this.keepsGoing && this.isNew(itemIndex, result);
		if ('failure' in result && stops) this.plan.accounts.stop();
		const { later, sent } = result;
		if (!later) return;
		await this.settle(itemIndex, await later.catch((error) => unforeseen(error, sent)));
	}
}

/** An exception fails its own item only. */
function unforeseen(error: unknown, sent?: Result['sent']): Result {
	return { failure: failureFromException(error, sent ? 'unknown' : 'notSent'), sent };
}
