import { createHash } from 'crypto';
import type {
	FunctionsBase,
	IExecuteFunctions,
	INodeExecutionData,
	IWebhookFunctions,
} from 'n8n-workflow';
import { type Clock, HOUR_MS, systemClock } from '../clock';
import { reasonOf } from '../inputError';
import { claimEvent, type EventClaim } from '../memory/eventMemory';
import { openRows } from '../memory/rows';
import { isSetToEngineV2 } from '../n8n';
import { logDelivery } from './deliveryLog';

/** In each of two memories, which together take 9 MB at most. */
const MAX_KEYS = 50_000;

class RecentKeys {
	/** In ticks. */
	private readonly addedAt = new Map<string, number>();

	constructor(private readonly clock: Pick<Clock, 'ticks'>) {}

	has(key: string, hours: number): boolean {
		return (this.addedAt.get(key) ?? -Infinity) + hours * HOUR_MS > this.clock.ticks();
	}

	add(key: string): void {
		// A Map keeps the order of insertion: deleting first moves the key to the end.
		this.addedAt.delete(key);
		this.addedAt.set(key, this.clock.ticks());
		const [oldest] = this.addedAt.keys();
		if (this.addedAt.size > MAX_KEYS) this.addedAt.delete(oldest);
	}
}

/** What this process knows of events, for each node of each workflow apart. */
export class ProcessMemory {
	private readonly claimed: RecentKeys;
	/** Only in engine v2, which calls no execute(), so that no execution could claim an event. */
	private readonly stored: RecentKeys;

	constructor(clock: Pick<Clock, 'ticks'>) {
		this.claimed = new RecentKeys(clock);
		this.stored = new RecentKeys(clock);
	}

	/**
	 * Whether a delivery starts no execution, because an execution of this process has the event. That n8n has stored
	 * another delivery is not enough: n8n may lose that execution, and this one replaces it. If it was not lost, the
	 * execution of this one drops the event. Test events are always new.
	 */
	isRepeated(context: IWebhookFunctions, deliveryKey: string, hours: number): boolean {
		if (context.getMode() === 'manual') return false;
		const key = keyOf(context, deliveryKey);
		if (!isSetToEngineV2(context)) return this.claimed.has(key, hours);
		if (this.stored.has(key, hours)) return true;
		void isStoredByN8n(context).then((isStored) => isStored && this.stored.add(key));
		return false;
	}

	/**
	 * Takes the event for this execution.
	 * @returns false when another execution in this process has had it for less than so many hours
	 */
	claim(context: FunctionsBase, deliveryKey: string, hours: number): boolean {
		const key = keyOf(context, deliveryKey);
		if (this.claimed.has(key, hours)) return false;
		this.claimed.add(key);
		return true;
	}
}

/** Waits until n8n has stored the event, or could not (N8N.md: webhook). */
async function isStoredByN8n(context: IWebhookFunctions): Promise<boolean> {
	const response = context.getResponseObject();
	await new Promise((resolve) => response.once('close', resolve));
	return response.writableFinished && response.statusCode < 400;
}

/** A digest, because keys may be hundreds of characters long. 128 bits are enough to be unique. */
function keyOf(context: FunctionsBase, deliveryKey: string): string {
	const parts = [context.getWorkflow().id, context.getNode().id, deliveryKey];
	return createHash('sha256').update(parts.join('\n')).digest().toString('latin1', 0, 16);
}

export const processMemory = new ProcessMemory(systemClock);

const REPEATED =
	'This event was delivered before, and another execution has it, so this execution drops it. If the other one crashed, it is in the list of executions, where you can retry it. To run repeated events too, turn off Drop Repeated Events under Options.';

/**
 * Leaves out the items of events that belong to another execution, in this process or another one. Only for events
 * that came by webhook: tests and manual runs may repeat.
 */
export async function claimItems(
	context: IExecuteFunctions,
	items: INodeExecutionData[],
	hours: number,
	clock: Clock,
): Promise<INodeExecutionData[]> {
	if (context.getMode() !== 'webhook') return items;
	const claimed = { trigger: context.getNode().id, execution: context.getExecutionId(), hours };
	const claims = items.map(async ({ json: { deliveryKey: key, receivedAt: at } }) => {
		if (typeof key !== 'string') return true;
		const event = { ...claimed, key, receivedAt: Date.parse(String(at)) };
		return await isOurClaim(context, event, clock);
	});
	const ours = await Promise.all(claims);
	if (ours.includes(false)) {
		logDelivery(context, 'info', 'Webhook event dropped: another execution has this event already');
		context.addExecutionHints({ message: REPEATED, type: 'info', location: 'outputPane' });
	}
	return items.filter((_, index) => ours[index]);
}

async function isOurClaim(context: IExecuteFunctions, event: EventClaim, clock: Clock) {
	if (!processMemory.claim(context, event.key, event.hours)) return false;
	try {
		return await claimEvent(async () => await openRows(context, clock), event, clock);
	} catch (error) {
		// If in doubt, the event runs: running twice is better than losing it.
		const problem = `The memory for repeated events could not be used: ${reasonOf(error)}`;
		logDelivery(context, 'warn', problem);
		return true;
	}
}
