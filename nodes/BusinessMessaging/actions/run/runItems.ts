import type { IExecuteFunctions } from 'n8n-workflow';

import type { Clock } from '../../clock';
import { notStarted, outcomeFor } from '../../errors/failure';
import type { Purpose } from '../../errors/httpErrors';
import { failureFromException } from '../../errors/nodeError';
import type { Operation, Session } from '../operation';
import type { Result } from '../result';
import { openSentBefore } from '../sentBefore/openSentBefore';
import { planRun } from './plan';
import type { Plan } from './plan';
import { refuseRun, resultsSoFar, throwFirstFailure } from './stop';
import { tellWhenStopped } from './stopped';
import { summarize } from './summary';
import type { Circumstances } from './summary';
import { findReceivers } from './testRecipient';

/**
 * Runs an operation for every item. All items are read and checked before the first request, so
 * that a wrong row 4,000 is not found after 3,999 paid messages.
 * @returns one result per item, in their order; failures only with "continue on error"
 * @throws NodeApiError, NodeOperationError naming the item, without "continue on error"
 */
export async function runItems(
	context: IExecuteFunctions,
	operation: Operation<unknown>,
	clock: Clock,
): Promise<Result[]> {
	const keepGoing = context.continueOnFail();
	const receivers = await findReceivers(context);
	const sentBefore = openSentBefore(context, receivers === 'testRecipient');
	const plan = await planRun(context, operation, sentBefore, receivers, clock);
	if (!keepGoing) refuseRun(context, plan, operation.purpose, sentBefore);

	// Thrown, a failure would make n8n pass the input on as if it had been sent.
	const results =
		'failure' in plan
			? resultsSoFar(context, sentBefore, plan)
			: await work(context, plan, operation, keepGoing);
	const remark = 'failure' in plan ? undefined : plan.session.sendOnce.problem;
	if (!keepGoing) throwFirstFailure(context, results, sentBefore, remark);
	if (!runsAgain(context, results)) sentBefore.forget();
	const hint = 'failure' in plan ? undefined : summarize(results, storyOf(plan, results));
	// Not there in older n8n.
	if (hint) context.addExecutionHints?.(hint);
	return results;
}

async function work(
	context: IExecuteFunctions,
	{ session, options, readings }: Plan,
	operation: Operation<unknown>,
	keepGoing: boolean,
): Promise<Result[]> {
	const before = session.sentBefore.results;
	const results = readings.map(
		(reading, itemIndex): Result =>
			before.get(itemIndex) ?? ('failure' in reading ? reading : notStarted(operation.purpose)),
	);
	const underWay = new Set<number>();
	const told =
		operation.purpose === 'send' ? tellWhenStopped(context, { results, underWay }) : undefined;
	const settle = async (itemIndex: number, result: Result): Promise<void> => {
		results[itemIndex] = result;
		underWay.delete(itemIndex);
		// What failed in an earlier try must not keep the rest from being sent in this one.
		if ('failure' in result && !keepGoing && result !== before.get(itemIndex)) session.stop();
		if (!result.later) return;
		const unforeseen = unforeseenAt(operation.purpose, result.sent);
		await settle(itemIndex, await result.later.catch(unforeseen));
	};
	const settling: Array<Promise<void>> = [];
	const workOff = async (queue: Iterable<[number, unknown]>, account: Session) => {
		for (const [itemIndex, job] of queue) {
			if (session.signal.aborted) return;
			underWay.add(itemIndex);
			const running = operation.perform(job, itemIndex, account);
			const result = await running.catch(unforeseenAt(operation.purpose));
			settling.push(settle(itemIndex, result));
		}
	};
	// Workers of its own for each account: where one has to wait for its rate limit, the others go on.
	const workers = session.accounts.flatMap(({ session: account, jobs }) => {
		const queue = jobs.values();
		const length = Math.min(options.concurrency, jobs.length);
		return Array.from({ length }, async () => await workOff(queue, account));
	});
	try {
		await Promise.all(workers);
		await Promise.all(settling);
	} finally {
		session.sentBefore.rememberSpent(session.budget.spent);
		session.close();
		told?.end();
	}
	return results;
}

function storyOf({ session, options: { testRecipient } }: Plan, results: Result[]): Circumstances {
	const accounts = session.accounts.filter(({ jobs }) =>
		jobs.some(([itemIndex]) => results[itemIndex].sent),
	);
	const memoryProblem = session.sendOnce.problem;
	return { waitedMs: session.waitedMs(), accounts: accounts.length, testRecipient, memoryProblem };
}

/** An exception takes nothing but its own item with it. */
function unforeseenAt(purpose: Purpose, sent?: Result['sent']): (error: unknown) => Result {
	const outcome = outcomeFor(purpose, sent ? 'unknown' : 'notSent');
	return (error) => ({ failure: failureFromException(error, outcome), sent });
}

/** With "continue on error", Retry On Fail runs the node again when its first item failed. */
function runsAgain(context: IExecuteFunctions, [first]: Result[]): boolean {
	return context.getNode().retryOnFail === true && first !== undefined && 'failure' in first;
}
