import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import type { Clock } from '../clock';
import { reasonOf } from '../errors/sentences';
import { claimEvent } from '../memory/eventMemory';
import { openRows } from '../memory/rows';
import { processMemory } from './duplicates/processMemory';
import { lineForLog } from './log';

const REPEATED =
	'This event was delivered before, and another execution has it, so this execution drops it. If the other one crashed, it is in the list of executions, where you can retry it. To run repeated events too, switch off Drop Repeated Events under Options.';

/**
 * Leaves out the items of events that another execution has, in this process or another one.
 * Only for events that came by webhook: tests and runs by hand may repeat as they like.
 */
export async function claimItems(
	context: IExecuteFunctions,
	items: INodeExecutionData[],
	clock: Clock,
): Promise<INodeExecutionData[]> {
	if (context.getMode() !== 'webhook') return items;
	const claims = items.map(async ({ json }) => {
		return typeof json.deliveryKey !== 'string' || (await isOurs(context, json.deliveryKey, clock));
	});
	const ours = await Promise.all(claims);
	if (ours.includes(false)) {
		// Not there in older n8n.
		context.addExecutionHints?.({ message: REPEATED, type: 'info', location: 'outputPane' });
	}
	return items.filter((_, index) => ours[index]);
}

async function isOurs(context: IExecuteFunctions, key: string, clock: Clock): Promise<boolean> {
	if (!processMemory.claim(context, key)) return false;
	try {
		const rows = await openRows(context, clock);
		const trigger = context.getNode().id;
		return await claimEvent(rows, { trigger, key, execution: context.getExecutionId() });
	} catch (error) {
		// If in doubt the event runs: running twice is better than losing it.
		const problem = `The memory for repeated events could not be used: ${reasonOf(error)}`;
		context.logger.warn(lineForLog(problem));
		return true;
	}
}
