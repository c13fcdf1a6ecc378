import type { INodeExecutionData } from 'n8n-workflow';

import { ANY_EVENT } from './catalogue';

/** Spreads items over the outputs of their events, which are in the order of their choosing. */
export function spreadByEvent(
	items: INodeExecutionData[],
	outputs: string[],
): INodeExecutionData[][] {
	if (outputs.length === 0) return [items];
	const spread = outputs.map((): INodeExecutionData[] => []);
	for (const item of items) {
		const own = outputs.indexOf(String(item.json.event));
		// Pinned or edited test data may hold an event that is not chosen.
		const index = own >= 0 ? own : outputs.indexOf(ANY_EVENT);
		(spread[index] ?? spread[0]).push(item);
	}
	return spread;
}
