import type { IExecuteFunctions } from 'n8n-workflow';
import type { Operation, Result, RunContext } from '../actions/operation';
import { openRetryMemory } from '../actions/retryMemory';
import type { Clock } from '../clock';
import { asLookUpFailure, failureFromException, notStarted } from '../errors/failure';
import { refuseRun, resultsSoFar, tellWhenStopped, throwFirstFailure } from './failedRun';
import { type Plan, planRun } from './plan';
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
			: await new ItemsRun(operation, plan, keepsGoing).perform(context);
	const results = operation.sends ? reached : reached.map(withoutNotSent);
	const note = 'failure' in plan ? undefined : memoryProblemOf(plan);
	if (!keepsGoing) throwFirstFailure(context, results, retryMemory, note);
	if (!runsAgain(context, results)) retryMemory.forget();
	const hint = 'failure' in plan ? undefined : summarize(results, circumstancesOf(plan, results));
	// Not there in older n8n.
	if (hint) context.addExecutionHints?.(hint);
	return results;
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

function circumstancesOf(plan: Plan, results: Result[]): Circumstances {
	const { accounts, options } = plan;
	const sending = accounts.all.filter(({ jobs }) =>
		jobs.some(([itemIndex]) => results[itemIndex].sent),
	);
	return {
		waitedMs: accounts.waitedMs,
		accounts: sending.length,
		testRecipient: options.testRecipient,
		memoryProblem: memoryProblemOf(plan),
	};
}

/** Performs the jobs of all items, several at a time, and collects their results. */
class ItemsRun {
	private readonly results: Result[];
	/** Items that are being sent, or wait for the rate limit. */
	private readonly inFlight = new Set<number>();
	private readonly settling: Array<Promise<void>> = [];

	constructor(
		private readonly operation: Operation<unknown>,
		private readonly plan: Plan,
		private readonly keepsGoing: boolean,
	) {
		this.results = plan.parsedItems.map(
			(item, itemIndex): Result =>
				plan.retryMemory.results.get(itemIndex) ?? ('failure' in item ? item : notStarted()),
		);
	}

	async perform(context: IExecuteFunctions): Promise<Result[]> {
		const { accounts, options, retryMemory, budget } = this.plan;
		const { results, inFlight } = this;
		const told = this.operation.sends ? tellWhenStopped(context, { results, inFlight }) : undefined;
		// Each account has workers of its own: while one account waits for its rate limit, the others go on.
		const workers = accounts.all.flatMap(({ run, jobs }) => {
			const queue = jobs.values();
			const length = Math.min(options.concurrency, jobs.length);
			return Array.from({ length }, async () => await this.work(queue, run));
		});
		try {
			await Promise.all(workers);
			await Promise.all(this.settling);
		} finally {
			retryMemory.rememberSpent(budget.spent);
			accounts.close();
			told?.end();
		}
		return results;
	}

	private async work(queue: Iterable<[number, unknown]>, run: RunContext): Promise<void> {
		for (const [itemIndex, job] of queue) {
			if (this.plan.accounts.signal.aborted) return;
			this.inFlight.add(itemIndex);
			const result = await this.operation
				.perform(job, itemIndex, run)
				.catch((error) => unforeseen(error));
			this.settling.push(this.settle(itemIndex, result));
		}
	}

	private async settle(itemIndex: number, result: Result): Promise<void> {
		this.results[itemIndex] = result;
		this.inFlight.delete(itemIndex);
		const { accounts, retryMemory } = this.plan;
		// A failure of an earlier attempt must not keep the other items from being sent in this one.
		const isNew = result !== retryMemory.results.get(itemIndex);
		if ('failure' in result && !this.keepsGoing && isNew) accounts.stop();
		const { later, sent } = result;
		if (!later) return;
		await this.settle(itemIndex, await later.catch((error) => unforeseen(error, sent)));
	}
}

/** An exception fails its own item only. */
function unforeseen(error: unknown, sent?: Result['sent']): Result {
	return { failure: failureFromException(error, sent ? 'unknown' : 'notSent'), sent };
}
