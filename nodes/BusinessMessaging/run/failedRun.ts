import { type IExecuteFunctions, NodeApiError, NodeOperationError } from 'n8n-workflow';
import { receiptOf } from '../actions/output';
import type { RetryMemory } from '../actions/retryMemory';
import { concernsOthers, type Failure, type Failed, notStarted } from '../errors/failure';
import { wordsForModel } from '../errors/modelWords';
import { joinSentences } from '../inputError';
import { internalsOf, isInLoop, isTool } from '../n8n';
import { messageOf, type Result } from '../outcome';
import { grouped } from '../values';
import { formatItems, formatRows } from './figures';
import type { Plan } from './plan';
import { mayHaveBeenSent, messagesOf, nothingDone, otherRounds, wereSent } from './sentReport';

/** Why a run stops before its first request, if it can't start or has wrong items. */
export function refusalOf(
	context: IExecuteFunctions,
	plan: Plan | Failed,
	sends: boolean,
	retryMemory: RetryMemory,
): Error | undefined {
	if ('failure' in plan) {
		return stopError(context, plan.failure, resultsSoFar(context, retryMemory, plan), {
			note: otherRounds(context, sends),
		});
	}
	const wrong = plan.parsedItems.flatMap((item, itemIndex) =>
		'failure' in item && !retryMemory.outcomes.has(itemIndex) ? [{ ...item, itemIndex }] : [],
	);
	const [first] = wrong;
	if (!first) return undefined;
	plan.accounts.close();
	// What an earlier execution may have sent of the items that can be read, the memory knows.
	const results = resultsSoFar(context, retryMemory, notStarted());
	for (const item of wrong) results[item.itemIndex] = item;
	return stopError(
		context,
		failureOfAll(wrong, first, `of ${plan.parsedItems.length} items are wrong`),
		results,
		{
			itemIndex: first.itemIndex,
			namesItem: wrong.length > 1,
			note: joinSentences(nothingDone(context, sends, retryMemory), otherRounds(context, sends)),
		},
	);
}

/** The results of earlier attempts, and the same result for all other items. */
export function resultsSoFar(
	context: IExecuteFunctions,
	{ outcomes }: RetryMemory,
	others: Result,
): Result[] {
	return context.getInputData().map((_, itemIndex) => outcomes.get(itemIndex) ?? others);
}

interface FailedItem extends Failed {
	itemIndex: number;
}

/** All failures in that of the first item. @param what for example "of 9 items are wrong" */
function failureOfAll(items: FailedItem[], first: FailedItem, what: string): Failure {
	const { failure, itemIndex } = first;
	if (items.length < 2) return failure;
	const head = `${items.length} ${what}, the first is ${formatRows([itemIndex])}`;
	return { ...failure, message: `${head}: ${failure.message}`, remedy: listItems(items) };
}

const MAX_LISTED = 5;

/**
 * The first five failures with their items, and the other items by their numbers. A remedy that several of them need is
 * said once.
 */
function listItems(items: FailedItem[]): string {
	const byMessage = grouped(items, ({ failure }) => failure.message);
	const remedies = new Set<string>();
	const all = [...byMessage].map(([message, same]) => {
		const [{ failure }] = same;
		const remedy = !remedies.has(failure.remedy) && failure.remedy;
		remedies.add(failure.remedy);
		const where = formatRows(same.map(({ itemIndex }) => itemIndex));
		return joinSentences(`${where[0].toUpperCase()}${where.slice(1)}: ${message}`, remedy);
	});
	const listed = [...byMessage.keys()].slice(0, MAX_LISTED);
	const others = items.filter(({ failure }) => !listed.includes(failure.message));
	const numbers = others.map(({ itemIndex }) => itemIndex);
	return joinSentences(
		...all.slice(0, MAX_LISTED),
		numbers.length > 0 && `And ${numbers.length} more: ${formatItems(numbers)}.`,
	);
}

/**
 * Throws if an item failed. What concerns others, too, has ended the run, and comes first; items that were not started
 * come last.
 * @param problems what else the user has to know of the run
 */
export function throwFailures(
	context: IExecuteFunctions,
	results: Result[],
	{ outcomes: before }: RetryMemory,
	sends: boolean,
	problems: Array<string | undefined>,
): void {
	const all = results.flatMap((result, itemIndex) =>
		result.kind === 'failed' ? [{ ...result, itemIndex }] : [],
	);
	const started = all.filter(({ notStarted }) => !notStarted);
	const ending = started.find(
		({ itemIndex, failure }) => !before.has(itemIndex) && concernsOthers(failure),
	);
	const first = ending ?? started[0] ?? all[0];
	if (!first) return;
	const others = started.filter(({ failure }) => failure.message !== first.failure.message);
	const failure = ending
		? { ...first.failure, remedy: joinSentences(first.failure.remedy, listItems(others)) }
		: failureOfAll(started, first, `of ${results.length} items failed`);
	throw stopError(context, failure, results, {
		itemIndex: first.itemIndex,
		namesItem: !ending && started.length > 1,
		note: joinSentences(otherRounds(context, sends), ...problems),
		howToGoOn: joinSentences(NOTHING_BEHIND, !ending && started.length > 0 && GO_ON),
	});
}

const NOTHING_BEHIND = 'The nodes behind this one did not run for these items.';

/** What was sent leaves as sent, and the rest is tried once more. */
const GO_ON =
	'To go on without the items that failed, set On Error in the settings of this node to "Continue (using error output)", save the workflow, and choose "Retry with currently saved workflow" at this execution in the list of executions.';

/** n8n shows the error of a sub-workflow in the workflow that calls it, too. */
function retrySentence(context: IExecuteFunctions): string {
	return internalsOf(context).runExecutionData?.parentExecution
		? 'A Retry of this execution does not send these again. A Retry of the workflow that calls it is refused.'
		: 'Retry in the list of executions does not send these again.';
}

/** Where a run stops, and what the user should know besides. */
interface Stop {
	/** Undefined when the whole run could not start. */
	itemIndex?: number;
	/** Whether the message names the item already. */
	namesItem?: boolean;
	/** Follows the remedy. */
	note?: string;
	/** Of a run that had begun. */
	howToGoOn?: string;
}

/**
 * The error that stops the execution. It is built from the failure alone, because errors of the HTTP client hold the
 * header with the API key.
 */
function stopError(
	context: IExecuteFunctions,
	failure: Failure,
	results: Result[],
	{ itemIndex, namesItem, note, howToGoOn }: Stop,
): NodeApiError | NodeOperationError {
	const node = context.getNode();
	const messages = messagesOf(results);
	const { sent, before, unknown } = messages;
	const hasSeveral = results.length > 1;
	// The error of a single item says it all.
	const isTold = hasSeveral && sent.length + before.length + unknown.length > 0;
	const description = joinSentences(
		failure.remedy,
		note,
		isTold && sent.length + before.length > 0 && wereSent(messages, results.length),
		isTold && mayHaveBeenSent(messages),
		isTold && retrySentence(context),
		(hasSeveral || isInLoop(context)) && howToGoOn,
	);
	const own = itemIndex === undefined || namesItem ? undefined : [itemIndex];
	const place = own ? ` [${hasSeveral ? formatRows(own) : formatItems(own)}]` : '';
	// A Human review can't go on. An agent's model gets only the message.
	const message = isTool(node) ? wordsForModel(failure, node) : failure.message + place;
	const { outcome, httpStatus, retryable } = failure;
	// No request was made, and trying again would not help.
	const isWrongInput =
		!retryable && (outcome === 'notSent' || (outcome === null && httpStatus === null));
	const httpCode = httpStatus?.toString();
	const error = isWrongInput
		? new NodeOperationError(node, message, { description, itemIndex })
		: new NodeApiError(node, { message }, { message, description, itemIndex, httpCode });
	error.context.data = { ...failure, ...messageIdsOf(results) };
	return error;
}

/** As many as the editor can show under "Error details". */
const MAX_MESSAGE_IDS = 1000;

/** By item. */
function messageIdsOf(results: Result[]): { messageIds?: Record<string, string> } {
	const all = results.flatMap((result, itemIndex) => {
		const message = messageOf(result);
		return message ? [[itemIndex, receiptOf(message).messageId]] : [];
	});
	return all.length > 0 ? { messageIds: Object.fromEntries(all.slice(0, MAX_MESSAGE_IDS)) } : {};
}
