import type {
	FunctionsBase,
	IExecuteFunctions,
	INodeExecutionData,
	IWebhookFunctions,
} from 'n8n-workflow';
import { type Clock, HOUR_MS, systemClock } from '../clock';
import { reasonOf } from '../inputError';
import { claimEvent, type EventClaim } from '../memory/eventMemory';
import { digestOf, openRows } from '../memory/rows';
import { isSetToEngineV2 } from '../n8n';
import { logDelivery } from './deliveryLog';

/** They take 4.5 MB at most. */
const MAX_KEYS = 50_000;

/** What this process knows of events, for each node of each workflow apart. */
export class ProcessMemory {
	/** In ticks. */
	private readonly addedAt = new Map<string, number>();

	constructor(private readonly clock: Pick<Clock, 'ticks'>) {}

	/**
	 * Whether a delivery starts no execution, because an execution of this process has the event. That n8n has stored
	 * another delivery is not enough: n8n may lose that execution, and this one replaces it. If it was not lost, the
	 * execution of this one drops the event. Test events are always new.
	 */
	isRepeated(context: IWebhookFunctions, deliveryKey: string, hours: number): boolean {
		if (context.getMode() === 'manual') return false;
		if (!isSetToEngineV2(context)) return this.has(keyOf(context, 'claimed', deliveryKey), hours);
		// Engine v2 calls no execute(), so no execution could claim the event.
		const stored = keyOf(context, 'stored', deliveryKey);
		if (this.has(stored, hours)) return true;
		void isStoredByN8n(context).then((isStored) => isStored && this.add(stored));
		return false;
	}

	/**
	 * Takes the event for this execution.
	 * @returns false when another execution in this process has had it for less than so many hours
	 */
	claim(context: FunctionsBase, deliveryKey: string, hours: number): boolean {
		const key = keyOf(context, 'claimed', deliveryKey);
		if (this.has(key, hours)) return false;
		this.add(key);
		return true;
	}

	private has(key: string, hours: number): boolean {
		return (this.addedAt.get(key) ?? -Infinity) + hours * HOUR_MS > this.clock.ticks();
	}

	private add(key: string): void {
		// A Map keeps the order of insertion: deleting first moves the key to the end.
		this.addedAt.delete(key);
		this.addedAt.set(key, this.clock.ticks());
		const [oldest] = this.addedAt.keys();
		if (this.addedAt.size > MAX_KEYS) this.addedAt.delete(oldest);
	}
}

/** Waits until n8n has stored the event, or could not (N8N.md: webhook). */
async function isStoredByN8n(context: IWebhookFunctions): Promise<boolean> {
	const response = context.getResponseObject();
	await new Promise((resolve) => response.once('close', resolve));
	return response.writableFinished && response.statusCode < 400;
}

/** A digest, because keys may be hundreds of characters long. */
function keyOf(context: FunctionsBase, state: 'claimed' | 'stored', deliveryKey: string): string {
	return digestOf([context.getWorkflow().id, context.getNode().id, state, deliveryKey].join('\n'));
}

export const processMemory = new ProcessMemory(systemClock);

const REPEATED =
	'This event was delivered before, and another execution has it, so this execution drops it. If the other one crashed, it is in the list of executions, where you can retry it. To run repeated events too, turn off Drop Repeated Events under Options.';

/**
 * Whether an event belongs to this execution, and not to another one, in this process or another. Only of an event that
 * came by webhook: tests and manual runs may repeat.
 * @param hours undefined if repeated events run, too
 */
export async function isOurs(
	context: IExecuteFunctions,
	{ json: { deliveryKey: key, receivedAt } }: INodeExecutionData,
	hours: number | undefined,
	clock: Clock,
): Promise<boolean> {
	if (!hours || context.getMode() !== 'webhook' || typeof key !== 'string') return true;
	const [trigger, execution] = [context.getNode().id, context.getExecutionId()];
	const event = { trigger, execution, key, receivedAt: Date.parse(String(receivedAt)), hours };
	if (processMemory.claim(context, key, hours) && (await isRowOurs(context, event, clock))) {
		return true;
	}
	logDelivery(context, 'info', 'Webhook event dropped: another execution has this event already');
	context.addExecutionHints({ message: REPEATED, type: 'info', location: 'outputPane' });
	return false;
}

async function isRowOurs(context: IExecuteFunctions, event: EventClaim, clock: Clock) {
	try {
		return await claimEvent(async () => await openRows(context, clock), event, clock);
	} catch (error) {
		// If in doubt, the event runs: running twice is better than losing it.
		const problem = `The memory for repeated events could not be used: ${reasonOf(error)}`;
		logDelivery(context, 'warn', problem);
		return true;
	}
}
