import { DataDeduplicationService } from 'n8n-core';
import { UnexpectedError } from 'n8n-workflow';
import type { IDataDeduplicator } from 'n8n-workflow';

function unavailable(): never {
	throw new UnexpectedError('Not used by the nodes');
}

/**
 * Gives n8n's engine its memory of processed items, as the server does, but not in a database. To be called once
 * in a test file.
 */
export async function useDeduplicator() {
	const entries = new Set<unknown>();
	let failure: { reason: string; after: number } | undefined;
	const answering = () => {
		if (failure && failure.after-- <= 0) throw new Error(failure.reason);
	};
	const deduplicator: IDataDeduplicator = {
		async checkProcessedAndRecord(items) {
			answering();
			const processed = items.filter((item) => entries.has(item));
			const added = items.filter((item) => !entries.has(item));
			for (const item of added) entries.add(item);
			return { new: added, processed };
		},
		async removeProcessed(items) {
			answering();
			for (const item of items) entries.delete(item);
		},
		clearAllProcessedItems: unavailable,
		getProcessedDataCount: unavailable,
	};
	await DataDeduplicationService.init(deduplicator);
	return {
		entries,
		/** Its database does not answer any more, after so many times; without a reason it does. */
		fail(reason?: string, after = 0): void {
			failure = reason === undefined ? undefined : { reason, after };
		},
	};
}
