import type { IExecuteFunctions } from 'n8n-workflow';
import { receiptOf } from '../actions/output';
import type { RetryMemory } from '../actions/retryMemory';
import type { Failed, Failure } from '../errors/failure';
import { type Stop, toNodeError } from '../errors/nodeErrors';
import { joinSentences } from '../inputError';
import { internalsOf } from '../n8n';
import { failed, messageOf, type Result } from '../outcome';
import { formatItems } from './figures';
import type { Plan } from './plan';
import { earlierRounds, mayHaveBeenSent, messagesOf, nothingDone, wereSent } from './sentReport';

/** Why a run stops before its first request, if it can't start or has wrong items. */
export function refusalOf(
	context: IExecuteFunctions,
	plan: Plan | Failed,
	sends: boolean,
	retryMemory: RetryMemory,
): Error | undefined {
	if ('failure' in plan) {
		return stopError(context, plan.failure, resultsSoFar(context, retryMemory, failed(plan)), {
			note: earlierRounds(context, sends),
		});
	}
	const [first, ...others] = plan.parsedItems.flatMap((item, itemIndex) =>
		'failure' in item && !retryMemory.outcomes.has(itemIndex) ? [{ ...item, itemIndex }] : [],
	);
	if (!first) return undefined;
	plan.accounts.close();
	const failure = wrongItems([first, ...others], plan.parsedItems.length);
	return stopError(context, failure, resultsSoFar(context, retryMemory, failed(first)), {
		itemIndex: first.itemIndex,
		namesItem: others.length > 0,
		note: joinSentences(nothingDone(context, sends, retryMemory), earlierRounds(context, sends)),
	});
}

/** The results of earlier attempts, and the same result for all other items. */
export function resultsSoFar(
	context: IExecuteFunctions,
	{ outcomes }: RetryMemory,
	others: Result,
): Result[] {
	return context.getInputData().map((_, itemIndex) => outcomes.get(itemIndex) ?? others);
}

interface WrongItem extends Failed {
	itemIndex: number;
}

const MAX_WRONG_ITEMS = 5;

/**
 * All wrong items of a run in the failure of the first one: the first five with their failures, the others by their
 * numbers. A remedy that several items need is said once.
 */
function wrongItems(wrong: [WrongItem, ...WrongItem[]], total: number): Failure {
	const [{ failure, itemIndex: first }] = wrong;
	if (wrong.length === 1) return failure;
	const remedies = new Set<string>();
	const shown = wrong
		.slice(0, MAX_WRONG_ITEMS)
		.map(({ itemIndex, failure: { message, remedy } }) => {
			const isNew = !remedies.has(remedy);
			remedies.add(remedy);
			return joinSentences(`Item ${itemIndex}: ${message}`, isNew && remedy);
		});
	const others = wrong.slice(MAX_WRONG_ITEMS).map(({ itemIndex }) => itemIndex);
	return {
		...failure,
		message: `${wrong.length} of ${total} items are wrong, the first is item ${first}: ${failure.message}`,
		remedy: joinSentences(
			...shown,
			others.length > 0 && `And ${others.length} more: ${formatItems(others)}.`,
		),
	};
}

/**
 * Throws the first failure of an item that was started, preferably in this attempt; the failure of an
 * item that was not started comes last.
 * @param problem what else the user has to know of the run
 */
export function throwFirstFailure(
	context: IExecuteFunctions,
	results: Result[],
	{ outcomes: before }: RetryMemory,
	sends: boolean,
	problem?: string,
): void {
	const all = results.flatMap((result, itemIndex) =>
		result.kind === 'failed' ? [{ ...result, itemIndex }] : [],
	);
	const started = all.filter(({ notStarted }) => !notStarted);
	const first = started.find(({ itemIndex }) => !before.has(itemIndex)) ?? started[0] ?? all[0];
	if (!first) return;
	const note = joinSentences(earlierRounds(context, sends), problem);
	throw stopError(context, first.failure, results, { itemIndex: first.itemIndex, note });
}

/** n8n shows the error of a sub-workflow in the workflow that calls it, too. */
function retrySentence(context: IExecuteFunctions): string {
	return internalsOf(context).runExecutionData?.parentExecution
		? 'A Retry of this execution does not send these again, but a Retry of the workflow that calls it does.'
		: 'Retry in the list of executions does not send these again.';
}

/** As many as the editor can show with an error. */
const MAX_MESSAGE_IDS = 1000;

function stopError(
	context: IExecuteFunctions,
	failure: Failure,
	results: Result[],
	stop: Omit<Stop, 'data'> = {},
) {
	const { sent, unknown } = messagesOf(results);
	// The error of a single item says it all.
	const isTold = results.length > 1 && sent.length + unknown.length > 0;
	const note = joinSentences(
		stop.note,
		isTold && sent.length > 0 && wereSent(sent, results.length),
		isTold && mayHaveBeenSent(unknown),
		isTold && retrySentence(context),
	);
	const messageIds = Object.fromEntries(
		results
			.flatMap((result, itemIndex) => {
				const message = messageOf(result);
				return message ? [[itemIndex, receiptOf(message).messageId]] : [];
			})
			.slice(0, MAX_MESSAGE_IDS),
	);
	const data = Object.keys(messageIds).length > 0 ? { messageIds } : undefined;
	return toNodeError(context.getNode(), failure, { ...stop, note, data });
}
