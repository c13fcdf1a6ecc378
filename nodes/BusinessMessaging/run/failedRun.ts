import type { IExecuteFunctions } from 'n8n-workflow';
import type { Result } from '../actions/operation';
import { sentOf } from '../actions/output';
import type { RetryMemory } from '../actions/retryMemory';
import type { Failed, Failure } from '../errors/failure';
import { type Stop, toNodeError } from '../errors/nodeErrors';
import { joinSentences } from '../inputError';
import { failed, isUnknown, messageOf } from '../outcome';
import { nothingDone, type Plan } from './plan';

/** Stops a run before its first request, if it can't start or has wrong items. */
export function refuseRun(
	context: IExecuteFunctions,
	plan: Plan | Failed,
	sends: boolean,
	retryMemory: RetryMemory,
): void {
	if ('failure' in plan) {
		throw stopError(context, plan.failure, resultsSoFar(context, retryMemory, failed(plan)));
	}
	const [first, ...others] = plan.parsedItems.flatMap((item, itemIndex) =>
		'failure' in item && !retryMemory.outcomes.has(itemIndex) ? [{ ...item, itemIndex }] : [],
	);
	if (!first) return;
	plan.accounts.close();
	const failure = wrongItems([first, ...others], plan.parsedItems.length);
	throw stopError(context, failure, resultsSoFar(context, retryMemory, failed(first)), {
		itemIndex: first.itemIndex,
		namesItem: others.length > 0,
		note: nothingDone(sends, retryMemory),
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
			others.length > 0 && `And ${others.length} more: ${showItems(others)}.`,
		),
	};
}

/**
 * Throws the first failure of an item that was started, preferably in this attempt; the failure of an
 * item that was not started comes last.
 * @param note what else the user has to know of the run
 */
export function throwFirstFailure(
	context: IExecuteFunctions,
	results: Result[],
	{ outcomes: before }: RetryMemory,
	note?: string,
): void {
	const all = results.flatMap((result, itemIndex) =>
		result.kind === 'failed' ? [{ ...result, itemIndex }] : [],
	);
	const started = all.filter(({ notStarted }) => !notStarted);
	const first = started.find(({ itemIndex }) => !before.has(itemIndex)) ?? started[0] ?? all[0];
	if (first) throw stopError(context, first.failure, results, { itemIndex: first.itemIndex, note });
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
		isTold && 'Retry in the list of executions does not send these again.',
	);
	const messageIds = Object.fromEntries(
		results
			.flatMap((result, itemIndex) => {
				const message = messageOf(result);
				return message ? [[itemIndex, sentOf(message).messageId]] : [];
			})
			.slice(0, MAX_MESSAGE_IDS),
	);
	const data = Object.keys(messageIds).length > 0 ? { messageIds } : {};
	return toNodeError(context.getNode(), failure, { ...stop, note, data });
}

/** Letters, digits and underscores; n8n allows 255 characters for the value. */
const KEY = 'messages_when_stopped';
const MAX_LENGTH = 255;

interface StoppedRun {
	results: Result[];
	inFlight: Iterable<number>;
}

/**
 * Tells which messages were sent when somebody stops the run. n8n then stores neither output nor error nor hint, but
 * only the custom data that the execution has at that moment, and the log. n8n calls the handlers of
 * onExecutionFinish() after that moment, and before the requests in flight have ended.
 */
export function tellWhenStopped(context: IExecuteFunctions, { results, inFlight }: StoppedRun) {
	const signal = context.getExecutionCancelSignal();
	const store = () => {
		// Not there in older n8n.
		context.customData?.set(KEY, stoppedReport(results, inFlight).slice(0, MAX_LENGTH));
	};
	signal?.addEventListener('abort', store);
	return {
		/** All requests have ended. */
		end() {
			signal?.removeEventListener('abort', store);
			if (!signal?.aborted) return;
			const { name } = context.getNode();
			const execution = context.getExecutionId();
			context.logger.warn(
				`Execution ${execution} was stopped in "${name}". ${stoppedReport(results)}`,
			);
		},
	};
}

export function stoppedReport(results: Result[], inFlight: Iterable<number> = []): string {
	const { sent, unknown } = messagesOf(results);
	const open = [...inFlight].sort((a, b) => a - b);
	return joinSentences(
		wereSent(sent, results.length),
		mayHaveBeenSent(unknown),
		open.length > 0 && `In flight: ${showItems(open)}`,
	);
}

/** The items whose message was sent, or may have been. */
function messagesOf(results: Result[]): { sent: number[]; unknown: number[] } {
	const items = (filter: (result: Result) => unknown) =>
		results.flatMap((result, itemIndex) => (filter(result) ? [itemIndex] : []));
	return {
		sent: items((result) => messageOf(result) && !isUnknown(result)),
		unknown: items(isUnknown),
	};
}

function wereSent(items: number[], total: number): string {
	const which = items.length > 0 ? `: ${showItems(items)}` : '';
	const [sent, all] = [items.length, total].map((count) => count.toLocaleString('en-US'));
	return `${sent} of ${all} messages were sent${which}`;
}

function mayHaveBeenSent(items: number[]): string {
	return items.length > 0 ? `May have been sent: ${showItems(items)}` : '';
}

const MAX_RANGES = 20;

/** For example "item 7", "items 0-4, 7"; after 20 ranges it says how many more items there are. */
export function showItems(itemIndexes: number[]): string {
	const ranges: Array<{ from: number; to: number }> = [];
	for (const itemIndex of itemIndexes) {
		const last = ranges.at(-1);
		if (last?.to === itemIndex - 1) last.to = itemIndex;
		else ranges.push({ from: itemIndex, to: itemIndex });
	}
	const shown = ranges.slice(0, MAX_RANGES);
	const more = ranges.slice(MAX_RANGES).reduce((sum, { from, to }) => sum + to - from + 1, 0);
	const texts = shown.map(({ from, to }) => (from === to ? `${from}` : `${from}-${to}`));
	return `${itemIndexes.length === 1 ? 'item' : 'items'} ${texts.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
