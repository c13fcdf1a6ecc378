import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { reasonOf } from '../errors/sentences';
import { claimKey } from '../memory/claim';
import { databaseMemory } from '../memory/databaseMemory';
import { processMemory } from './duplicates/processMemory';
import { lineForLog } from './log';

const REPEATED =
	'This event was delivered before and ran in another execution, so it was left out here. To run repeated events too, switch off Drop Repeated Events under Options.';

/** Each event takes two entries, its key and its claim. */
const MAX_ENTRIES = 10_000;

/**
 * Leaves out the items of events that another execution handles, in this process or another one.
 * Only for events that came by webhook: tests and runs by hand may repeat as they like.
 */
export async function claimItems(
	context: IExecuteFunctions,
	items: INodeExecutionData[],
): Promise<INodeExecutionData[]> {
	if (context.getMode() !== 'webhook') return items;
	const claims = items.map(async ({ json }) => {
		return typeof json.deliveryKey !== 'string' || (await claimEvent(context, json.deliveryKey));
	});
	const ours = await Promise.all(claims);
	if (ours.includes(false)) {
		// Not there in older n8n.
		context.addExecutionHints?.({ message: REPEATED, type: 'info', location: 'outputPane' });
	}
	return items.filter((_, index) => ours[index]);
}

/** @returns whether the event is this execution's to handle */
async function claimEvent(context: IExecuteFunctions, deliveryKey: string): Promise<boolean> {
	if (!processMemory.claim(context, deliveryKey)) return false;
	// Queue mode never runs an execution in the process that received the event.
	const isShared = !processMemory.hasAccepted(context, deliveryKey);
	try {
		const memory = databaseMemory(context, { isShared, maxEntries: MAX_ENTRIES });
		// Rather twice than never.
		return (await claimKey(memory, deliveryKey, context.getExecutionId())) !== 'taken';
	} catch (error) {
		const problem = `The memory for repeated events could not be used: ${reasonOf(error)}`;
		context.logger.warn(lineForLog(problem));
		return true;
	}
}
