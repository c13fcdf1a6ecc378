import type { IExecuteFunctions } from 'n8n-workflow';
import type { RetryMemory } from '../actions/retryMemory';
import { joinSentences, NOTHING_SENT } from '../inputError';
import { isSentBefore, isUnknown, messageOf, type Result } from '../outcome';
import { formatCount, formatItems } from './figures';

/** For a run that is refused before its first request. */
export function nothingDone(sends: boolean, { outcomes }: RetryMemory): string {
	if (!sends) return 'Nothing was looked up.';
	return outcomes.size > 0 ? 'Nothing more was sent.' : NOTHING_SENT;
}

/** Letters, digits and underscores; n8n allows 255 characters for the value. */
const KEY = 'messages_when_stopped';
const MAX_LENGTH = 255;

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

/** The log is all that is left of such a run. */
const MAX_RANGES = 1000;

export function stoppedReport(results: Result[], inFlight: Iterable<number> = []): string {
	const { sent, unknown } = messagesOf(results);
	const open = [...inFlight].sort((a, b) => a - b);
	return joinSentences(
		wereSent(sent, results.length, MAX_RANGES),
		mayHaveBeenSent(unknown, MAX_RANGES),
		open.length > 0 && `In flight: ${formatItems(open)}`,
	);
}

/** The items whose message was sent, or may have been. */
export function messagesOf(results: Result[]): { sent: number[]; unknown: number[] } {
	const items = (filter: (result: Result) => unknown) =>
		results.flatMap((result, itemIndex) => (filter(result) ? [itemIndex] : []));
	return {
		sent: items((result) => isSentBefore(result) || (messageOf(result) && !isUnknown(result))),
		unknown: items(isUnknown),
	};
}

export function wereSent(items: number[], total: number, maxRanges?: number): string {
	const which = items.length > 0 ? `: ${formatItems(items, maxRanges)}` : '';
	return `${formatCount(items.length)} of ${formatCount(total)} messages were sent${which}`;
}

export function mayHaveBeenSent(items: number[], maxRanges?: number): string {
	return items.length > 0 ? `May have been sent: ${formatItems(items, maxRanges)}` : '';
}
