import { readFileSync } from 'node:fs';
import type { LocalApi } from '../../playground/api/server.mts';
import type { Execution, OutputItem } from '../../playground/n8n/rest/executions.mts';

export const IN_PARALLEL = 20;

/** The parameters of a node that sends each row of a sheet once. */
export function sendsOnce(sheet: string) {
	return {
		operation: 'sendTemplate',
		to: '={{ $json.to }}',
		templateName: 'order_update',
		variablesInput: 'none',
		options: {
			sendOnceKey: `=${sheet}-{{ $json.to }}`,
			concurrency: IN_PARALLEL,
			requestsPerMinute: 0,
		},
	};
}

/** Numbers that belong to nobody: there is no area 555. */
export function customersOf(rows: number): string[] {
	return Array.from({ length: rows }, (_, index) => `+1555${String(index).padStart(7, '0')}`);
}

/** What became of the rows of one run that goes on after errors, and the hint above the output. */
export function rowsOf({ data }: Execution, node: string) {
	const [run] = data.resultData.runData[node] ?? [];
	const outputs = (run?.data?.main ?? []).map((items) => items ?? []);
	const items = outputs
		.flat()
		.sort((one, other) => itemOf(one) - itemOf(other))
		.map(({ json }) => json);
	return {
		sent: items.filter(({ message_id }) => message_id),
		sentBefore: items.filter(({ sentBefore }) => sentBefore),
		sentRecently: items.filter(({ skipped }) => skipped === 'sentRecently'),
		/** By their index. */
		unknown: items.flatMap(({ error }, index) =>
			(error as { outcome?: string } | undefined)?.outcome === 'unknown' ? [index] : [],
		),
		hint: run?.hints?.[0]?.message,
	};
}

function itemOf({ pairedItem }: OutputItem): number {
	return pairedItem?.item ?? Number.NaN;
}

/** How many messages each customer got. */
export function messagesByCustomer({ messages }: Pick<LocalApi, 'messages'>): Map<string, number> {
	const counts = new Map<string, number>();
	for (const { to } of messages.values()) counts.set(to, (counts.get(to) ?? 0) + 1);
	return counts;
}

/** Whether a process has told in its log what was sent of a run that was stopped: all its requests have ended. */
export function hasToldOfStopped(executionId: string, logFile: string): boolean {
	return readFileSync(logFile, 'utf8').includes(`Execution ${executionId} was stopped`);
}
