import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { claimEvent, databaseMemory } from './sharedMemory';

/**
 * Leaves out the items of events that another execution handles, in this process or another one.
 * Only for events that came by webhook: tests and runs by hand may repeat as they like.
 */
export async function claimItems(
	context: IExecuteFunctions,
	items: INodeExecutionData[],
): Promise<INodeExecutionData[]> {
	if (context.getMode() !== 'webhook') return items;
	const memory = databaseMemory(context);
	const claims = items.map(async ({ json }) => {
		if (typeof json.deliveryKey !== 'string') return true;
		try {
			return await claimEvent(memory, json.deliveryKey, context.getExecutionId());
		} catch (error) {
			const reason = error instanceof Error ? error.message : String(error);
			context.logger.warn(`The memory for repeated events could not be used: ${reason}`);
			return true;
		}
	});
	const isOurs = await Promise.all(claims);
	return items.filter((_, index) => isOurs[index]);
}
