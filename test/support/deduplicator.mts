import { DataDeduplicationService } from 'n8n-core';
import { ProcessedData } from './processedData.mts';

/**
 * Gives n8n's engine its memory of processed items, as the server does, but not in a database. To be called once
 * in a test file.
 */
export async function useDeduplicator() {
	let failure: { reason: string; after: number } | undefined;
	const table = new ProcessedData(async () => {
		if (failure && failure.after-- <= 0) throw new Error(failure.reason);
	});
	await DataDeduplicationService.init(table);
	return {
		rows: table.rows,
		statements: table.statements,
		/** Its database does not answer any more, after so many statements; without a reason it does. */
		fail(reason?: string, after = 0): void {
			failure = reason === undefined ? undefined : { reason, after };
		},
	};
}
