import type { INodeExecutionData } from 'n8n-workflow';

import { ANY_EVENT } from './catalogue';
import { OUTPUTS } from './outputs';

/** Spreads items over the outputs of their events; what has none leaves through "Other". */
export function spreadByEvent(items: INodeExecutionData[]): INodeExecutionData[][] {
	const spread = OUTPUTS.map((): INodeExecutionData[] => []);
	for (const item of items) {
		const own = OUTPUTS.indexOf(String(item.json.event));
		spread[own >= 0 ? own : OUTPUTS.indexOf(ANY_EVENT)].push(item);
	}
	return spread;
}
