import type { IExecuteFunctions } from 'n8n-workflow';
import type { RetryMemory } from '../actions/retryMemory';
import { joinSentences, NOTHING_SENT } from '../inputError';
import { isInLoop, isOfAgent, runIndexOf } from '../n8n';
import { isUnknown, type Result } from '../outcome';
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

/** Items by what became of their messages. `before`: an earlier execution sent it. */
export function messagesOf(results: Result[]) {
	const items = (filter: (result: Result) => unknown) =>
		results.flatMap((result, itemIndex) => (filter(result) ? [itemIndex] : []));
	return {
		sent: items(({ kind }) => kind === 'sent'),
		before: items(({ kind }) => kind === 'sentBefore'),
		unknown: items(isUnknown),
	};
}

type Messages = ReturnType<typeof messagesOf>;

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
