import type { IExecuteFunctions } from 'n8n-workflow';

import { toNodeError } from '../transport/errors';
import { notStarted } from '../transport/failure';
import type { Operation, Result } from './operation';
import { planRun } from './plan';
import type { Plan } from './plan';
import { summarize } from './summary';

/**
 * Runs an operation for every item. All items are read and checked before the first request, so
 * that a wrong row 4,000 is not found after 3,999 paid messages.
 * @returns one result per item, in their order; failures only with "continue on error"
 * @throws NodeApiError, NodeOperationError naming the item, without "continue on error"
 */
export async function runItems(
	context: IExecuteFunctions,
	operation: Operation<unknown>,
): Promise<Result[]> {
	const keepGoing = context.continueOnFail();
	const plan = await planRun(context, operation);
	if ('failure' in plan) {
		if (!keepGoing) throw toNodeError(context.getNode(), plan.failure);
		// Thrown, it would make n8n pass the input on as if it had been sent.
		return context.getInputData().map(() => plan);
	}
	if (!keepGoing) refuseWrongItems(context, plan);

	const results = await work(plan, operation, keepGoing);
	if (!keepGoing) throwFirstFailure(context, results);
	const hint = summarize(results, plan.session.client.waitedMs());
	// Not there in older n8n.
	if (hint) context.addExecutionHints?.(hint);
	return results;
}

async function work(
	{ session, options, readings }: Plan,
	operation: Operation<unknown>,
	keepGoing: boolean,
): Promise<Result[]> {
	const results: Result[] = readings.map((reading) =>
		'failure' in reading ? reading : { failure: notStarted() },
	);
	const later: Array<Promise<void>> = [];
	const settle = (itemIndex: number, result: Result) => {
		results[itemIndex] = result;
		if ('failure' in result && !keepGoing) session.stop();
	};
	const queue = readings.entries();
	const worker = async () => {
		for (const [itemIndex, reading] of queue) {
			if (session.signal.aborted) return;
			if ('failure' in reading) continue;
			const result = await operation.run(reading.job, itemIndex, session);
			if ('later' in result) {
				later.push(result.later.then((settled) => settle(itemIndex, settled)));
			} else {
				settle(itemIndex, result);
			}
		}
	};
	const workers = Math.min(options.concurrency, readings.length);
	try {
		await Promise.all(Array.from({ length: workers }, worker));
		await Promise.all(later);
	} finally {
		session.close();
	}
	return results;
}

function refuseWrongItems(context: IExecuteFunctions, { readings }: Plan): void {
	const wrong = readings.filter((reading) => 'failure' in reading);
	if (wrong.length === 0) return;
	const others = wrong.length > 1 ? `${wrong.length} items are wrong in all. ` : '';
	throw toNodeError(
		context.getNode(),
		wrong[0].failure,
		readings.indexOf(wrong[0]),
		`${others}Nothing was sent.`,
	);
}

/** The first item that failed by itself; those that were not started come after it. */
function throwFirstFailure(context: IExecuteFunctions, results: Result[]): void {
	const failed = results.flatMap((result, itemIndex) =>
		'failure' in result ? [{ failure: result.failure, itemIndex }] : [],
	);
	const first = failed.find(({ failure }) => failure.message !== notStarted().message) ?? failed[0];
	if (!first) return;
	const sent = results.filter((result) => result.sent).length;
	const note = sent > 0 ? `${sent} of ${results.length} messages were sent before it stopped.` : '';
	throw toNodeError(context.getNode(), first.failure, first.itemIndex, note);
}
