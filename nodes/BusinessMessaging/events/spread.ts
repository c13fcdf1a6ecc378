import type { INodeExecutionData } from 'n8n-workflow';

import { ANY_EVENT } from './catalogue';

/**
 * The outputs of "one output per event": the chosen events in the order of their choosing, so that
 * adding one moves no connection; "Other" last.
 */
export function outputEvents(chosen: string[]): string[] {
	const named = chosen.filter((event) => event !== ANY_EVENT);
	return chosen.includes(ANY_EVENT) ? [...named, ANY_EVENT] : named;
}

/** Spreads items over the outputs of their events. */
export function spreadByEvent(
	items: INodeExecutionData[],
	chosen: string[],
): INodeExecutionData[][] {
	const outputs = outputEvents(chosen);
	const spread = outputs.map((): INodeExecutionData[] => []);
	for (const item of items) {
		const own = outputs.indexOf(String(item.json.event));
		// Pinned or edited test data may hold an event that is not chosen.
		const index = own >= 0 ? own : outputs.indexOf(ANY_EVENT);
		(spread[index] ?? spread[0]).push(item);
	}
	return spread;
}
