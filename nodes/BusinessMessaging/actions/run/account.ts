import { joinSentences } from '../../errors/sentences';
import { isUnknown } from '../result';
import type { Result } from '../result';
import { showItems } from './itemRanges';

/** As many as fit into what the editor shows of an error. */
const MAX_MESSAGE_IDS = 1000;

/** Which messages of a run that stopped were sent, or may have been. */
export interface Account {
	/** Empty when there is nothing to say beyond the error itself. */
	note: string;
	/** Of the messages that were sent, by item. */
	messageIds: Record<string, string>;
}

/** @param results one per item, in their order */
export function accountOf(results: Result[]): Account {
	const sent: number[] = [];
	const unknown: number[] = [];
	const messageIds: Account['messageIds'] = {};
	for (const [itemIndex, result] of results.entries()) {
		if (result.sent) {
			sent.push(itemIndex);
			const { messageId } = result.sent;
			if (messageId && sent.length <= MAX_MESSAGE_IDS) messageIds[itemIndex] = messageId;
		} else if (isUnknown(result)) {
			unknown.push(itemIndex);
		}
	}
	return { note: noteOf(sent, unknown, results.length), messageIds };
}

/**
 * The same of a run that somebody stopped, which n8n can't retry.
 * @param underWay items that are being sent, or wait for their turn
 */
export function accountOfStopped(results: Result[], underWay: Iterable<number> = []): string {
	const items = (filter: (result: Result) => unknown) =>
		results.flatMap((result, itemIndex) => (filter(result) ? [itemIndex] : []));
	const sent = items((result) => result.sent);
	const open = [...underWay].sort((a, b) => a - b);
	return joinSentences(
		wereSent(sent, results.length),
		mayHaveGone(items((result) => !result.sent && isUnknown(result))),
		open.length > 0 && `Under way: ${showItems(open)}`,
	);
}

function noteOf(sent: number[], unknown: number[], total: number): string {
	if (total === 1 || sent.length + unknown.length === 0) return '';
	return joinSentences(
		sent.length > 0 && wereSent(sent, total),
		mayHaveGone(unknown),
		'Retry in the list of executions does not send these again.',
	);
}

function wereSent(items: number[], total: number): string {
	const which = items.length > 0 ? `: ${showItems(items)}` : '';
	return `${items.length} of ${total} messages were sent${which}`;
}

function mayHaveGone(items: number[]): string {
	return items.length > 0 ? `May have been sent: ${showItems(items)}` : '';
}
