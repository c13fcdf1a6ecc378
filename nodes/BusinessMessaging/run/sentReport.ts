import type { IExecuteFunctions } from 'n8n-workflow';
import { isFirstAsService } from '../actions/output';
import type { RetryMemory } from '../actions/retryMemory';
import { isWindowClosed } from '../errors/responseErrors';
import { joinSentences, NOTHING_SENT } from '../inputError';
import { isInLoop, isOfAgent, runIndexOf } from '../n8n';
import { isUnknown, messageOf, type Result } from '../outcome';
import { formatCount, formatItems } from './figures';

/** For a run that is refused before its first request. */
export function nothingDone(
	context: IExecuteFunctions,
	sends: boolean,
	{ outcomes }: RetryMemory,
): string {
	if (!sends) return 'Nothing was looked up.';
	if (outcomes.size > 0) return 'Nothing more was sent.';
	return runIndexOf(context) > 0 ? 'This round of the loop has sent nothing.' : NOTHING_SENT;
}

/** What a user has to know of a loop that ended with an error, before they run it anew. */
export function otherRounds(context: IExecuteFunctions, sends: boolean): string {
	return joinSentences(
		sends &&
			// Each call of a tool is a run of its own.
			!isOfAgent(context) &&
			runIndexOf(context) > 0 &&
			'The rounds of the loop before it may have sent messages: a Retry does not send those again, but a new run does.',
		isInLoop(context) && 'Later rounds of the loop, if there are any, were not reached.',
	);
}

/** Letters, digits and underscores; n8n allows 255 characters for the value. */
const CUSTOM_DATA_KEY = 'messages_when_stopped';
const MAX_REPORT_LENGTH = 255;
const MOST_STORED_RANGES = 50;

/**
 * Tells which messages were sent when somebody stops the run. n8n then stores neither output nor error nor hint, but
 * only the custom data that the execution has at that moment, and the log. n8n calls the handlers of
 * onExecutionFinish() after that moment, and before the requests in flight have ended.
 */
export function tellWhenStopped(
	context: IExecuteFunctions,
	results: Result[],
	inFlight: Iterable<number>,
) {
	const signal = context.getExecutionCancelSignal();
	const store = () => {
		let report = '';
		for (let ranges = MOST_STORED_RANGES; ranges > 0; ranges--) {
			report = stoppedReport(results, inFlight, ranges);
			if (report.length <= MAX_REPORT_LENGTH) break;
		}
		// Not there in older n8n.
		context.customData?.set(CUSTOM_DATA_KEY, report);
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

/** The log is all that is left of such a run. */
const MOST_RANGES = 1000;

export function stoppedReport(
	results: Result[],
	inFlight: Iterable<number> = [],
	maxRanges = MOST_RANGES,
): string {
	const messages = messagesOf(results);
	const open = [...inFlight].sort((a, b) => a - b);
	return joinSentences(
		wereSent(messages, results.length, maxRanges),
		mayHaveBeenSent(messages, maxRanges),
		open.length > 0 && `In flight: ${formatItems(open, maxRanges)}`,
	);
}

/** Items by what became of their messages. `before`: an earlier execution sent it. */
interface Messages {
	sent: number[];
	before: number[];
	unknown: number[];
}

export function messagesOf(results: Result[]): Messages {
	const items = (filter: (result: Result) => unknown) =>
		results.flatMap((result, itemIndex) => (filter(result) ? [itemIndex] : []));
	/** A Retry may send it with Fallback Category. */
	const isOpen = (result: Result) =>
		result.kind === 'failed' &&
		(isWindowClosed(result.failure) || isFirstAsService(messageOf(result) ?? {}));
	const isSent = (result: Result) => messageOf(result) && !isUnknown(result) && !isOpen(result);
	return {
		sent: items(isSent),
		before: items(({ kind }) => kind === 'sentBefore'),
		unknown: items(isUnknown),
	};
}

export function wereSent({ sent, before }: Messages, total: number, maxRanges?: number): string {
	const which = (items: number[]) => (items.length > 0 ? `: ${formatItems(items, maxRanges)}` : '');
	return joinSentences(
		`${formatCount(sent.length)} of ${formatCount(total)} messages were sent${which(sent)}`,
		before.length > 0 && `${formatCount(before.length)} were sent before${which(before)}`,
	);
}

export function mayHaveBeenSent({ unknown }: Messages, maxRanges?: number): string {
	return unknown.length > 0 ? `May have been sent: ${formatItems(unknown, maxRanges)}` : '';
}
