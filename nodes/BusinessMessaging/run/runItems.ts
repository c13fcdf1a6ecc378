import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import type { Job, RunContext } from '../actions/job';
import type { Operation } from '../actions/operation';
import { includesInput } from '../actions/options/includeInputFields';
import { findAudience } from '../actions/options/testRecipient';
import { openRetryMemory } from '../actions/retryMemory';
import type { Clock } from '../clock';
import {
	asUnknown,
	causeOf,
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
import { internalsOf, isHumanReview, isOfAgent, isOfOtherVersion, isTool, liveNode } from '../n8n';
import { messageOf, outputNumberOf, OUTPUTS, type Result } from '../outcome';
import { byNumber } from './accounts';
import { refusalOf, resultsSoFar, throwFailures } from './failedRun';
import { Lineage } from './lineage';
import { type Plan, planRun } from './plan';
import { Progress } from './progress';
import { summarize } from './summary';

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
		const { accounts, options, spending } = plan;
		const hint = summarize(results, {
			jobs: accounts.all.map(({ jobs }) => jobs),
			spending,
			waitedMs: accounts.waitedMs,
			timeZone: context.getTimezone(),
			isTest: options.test !== undefined,
			memoryProblems: memoryProblemsOf(plan),
			earlier: [...retryMemory.outcomes].filter(
				([itemIndex, outcome]) => outcome.kind === 'sent' && outcome === results[itemIndex],
			).length,
			endsLoop: outputs[0].length === 0 && goesOnFromSentOnly(context),
			isContinued: lineage?.isContinued,
		});
		context.addExecutionHints(hint);
	}
	const [first] = results;
	if (isTool(node) && first.kind === 'failed') {
		const { message, remedy } = first.failure;
		// The model reads no remedy for a builder, who finds it here.
		context.addExecutionHints({
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
	return { ...result, failure: causeOf(result.failure, null) };
}

function memoryProblemsOf({ sendOnce, frequencyCap }: Plan): Array<string | undefined> {
	return [sendOnce.problem, frequencyCap.problem];
}

/** Whether the node is in a loop that ends when no item leaves through Sent, because Skipped does not lead back. */
function goesOnFromSentOnly(context: IExecuteFunctions): boolean {
	const { name } = context.getNode();
	const { main = [] } = internalsOf(context).workflow?.connectionsBySourceNode[name] ?? {};
	const parents = context.getParentNodes(name).map((parent) => parent.name);
	const [sent, skipped] = OUTPUTS.map((_, output) =>
		main[output]?.some(({ node }) => node === name || parents.includes(node)),
	);
	return sent === true && !skipped;
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
		this.progress = new Progress(context, plan, this.results, operation.sends);
	}

	/** @throws if an item failed, unless the run keeps going */
	async perform(): Promise<Result[]> {
		const { accounts, options, retryMemory, spending } = this.plan;
		const { context, keepsGoing } = this;
		const { sends } = this.operation;
		// Each account has workers of its own: while one account waits for its rate limit, the others go on.
		const workers = accounts.all.flatMap(({ run, jobs }) => {
			const queue = byNumber(jobs).values();
			const length = Math.min(options.concurrency, jobs.length);
			return Array.from({ length }, async () => await this.work(queue, run));
		});
		try {
			await Promise.all(workers);
			await Promise.all(this.ending);
		} finally {
			retryMemory.rememberSpent(spending.spent);
			accounts.close();
			this.progress.end();
		}
		const results = sends ? this.results : this.results.map(withoutNotSent);
		if (!keepsGoing) {
			throwFailures(context, results, retryMemory, sends, memoryProblemsOf(this.plan));
		}
		return results;
	}

	private async work(queue: Iterable<Job[]>, run: RunContext): Promise<void> {
		for (const jobs of queue) {
			for (const job of jobs) {
				if (this.plan.accounts.signal.aborted) return;
				await this.performItem(job, run);
			}
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
			// An exception fails its own item only.
			const ended = performing.catch((error) => {
				const message = soFar && messageOf(soFar);
				return failed(failureFromException(error, message ? 'unknown' : 'notSent'), message);
			});
			this.ending.push(ended.then(record));
		});
	}
}

/** Also if nothing gets through to the account, so that the item was not tried. */
function endsRun(result: Result): boolean {
	if (result.kind !== 'failed') return false;
	return result.notStarted === true || concernsOthers(result.failure);
}
