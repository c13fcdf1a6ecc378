import { showItems } from './itemRanges';
import type { Result } from './operation';

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
		} else if ('failure' in result && result.failure.outcome === 'unknown') {
			unknown.push(itemIndex);
		}
	}
	return { note: noteOf(sent, unknown, results.length), messageIds };
}

function noteOf(sent: number[], unknown: number[], total: number): string {
	if (total === 1 || sent.length + unknown.length === 0) return '';
	const sentences = [
		sent.length > 0 && `${sent.length} of ${total} messages were sent: ${showItems(sent)}.`,
		unknown.length > 0 && `May have been sent: ${showItems(unknown)}.`,
		'Retry in the list of executions does not send these again.',
	];
	return sentences.filter(Boolean).join(' ');
}
