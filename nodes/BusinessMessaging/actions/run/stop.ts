import type { IExecuteFunctions } from 'n8n-workflow';

import type { Failed, Failure } from '../../errors/failure';
import type { Purpose } from '../../errors/httpErrors';
import { toNodeError } from '../../errors/nodeError';
import type { Stop } from '../../errors/nodeError';
import { joinSentences } from '../../errors/sentences';
import type { SentBefore } from '../operation';
import type { Result } from '../result';
import { accountOf } from './account';
import { nothingDone } from './plan';
import type { Plan } from './plan';
import { wrongItems } from './wrongItems';

/** What earlier tries did, and the same for all other items. */
export function resultsSoFar(
	context: IExecuteFunctions,
	{ results }: SentBefore,
	others: Result,
): Result[] {
	return context.getInputData().map((_, itemIndex) => results.get(itemIndex) ?? others);
}

/** Stops a run that can't start, or has wrong items, before its first request. */
export function refuseRun(
	context: IExecuteFunctions,
	plan: Plan | Failed,
	purpose: Purpose,
	sentBefore: SentBefore,
): void {
	if ('failure' in plan) {
		throw stopError(context, plan.failure, resultsSoFar(context, sentBefore, plan));
	}
	const [first, ...others] = plan.readings.flatMap((reading, itemIndex) =>
		'failure' in reading && !sentBefore.results.has(itemIndex) ? [{ ...reading, itemIndex }] : [],
	);
	if (!first) return;
	plan.session.close();
	const failure = wrongItems([first, ...others], plan.readings.length);
	throw stopError(context, failure, resultsSoFar(context, sentBefore, first), {
		itemIndex: first.itemIndex,
		namesItem: others.length > 0,
		note: nothingDone(purpose, sentBefore),
	});
}

/**
 * The first item that failed by itself, in this try if there is one; those that were not started
 * come after it.
 * @param note what else the user has to know of the run
 */
export function throwFirstFailure(
	context: IExecuteFunctions,
	results: Result[],
	{ results: before }: SentBefore,
	note?: string,
): void {
	const failed = results.flatMap((result, itemIndex) =>
		'failure' in result ? [{ ...result, itemIndex }] : [],
	);
	const started = failed.filter(({ notStarted }) => !notStarted);
	const first = started.find(({ itemIndex }) => !before.has(itemIndex)) ?? started[0] ?? failed[0];
	if (first) throw stopError(context, first.failure, results, { itemIndex: first.itemIndex, note });
}

function stopError(
	context: IExecuteFunctions,
	failure: Failure,
	results: Result[],
	{ itemIndex, namesItem, note: remark }: Stop = {},
) {
	const { note, messageIds } = accountOf(results);
	const data = Object.keys(messageIds).length > 0 ? { messageIds } : {};
	const notes = joinSentences(remark, note);
	return toNodeError(context.getNode(), failure, { itemIndex, namesItem, note: notes, data });
}
