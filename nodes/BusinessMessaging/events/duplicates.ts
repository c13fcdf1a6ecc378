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

/**
 * `new`: goes to n8n. `claimed`: an execution of this process has the event. `inFlight`: whether n8n will store
 * another delivery of it is not known yet.
 */
type Arrival = 'new' | 'claimed' | 'inFlight';

/** The sender gives up after 5 s (6.4); a second is for n8n and the network. */
const LONGEST_HOLD_MS = 4000;
/** Each waiting request keeps what n8n set up for it. */
const MAX_WAITING = 100;

/** What this process knows of deliveries, for each node of each workflow apart. */
export class ProcessMemory {
	private readonly claimed: RecentKeys;
	/** By n8n, which may lose an execution nevertheless. */
	private readonly stored: RecentKeys;
	/** By key: ends when n8n has answered the delivery. */
	private readonly inFlight = new Map<string, Promise<void>>();
	private waiting = 0;

	constructor(private readonly clock: Clock) {
		this.claimed = new RecentKeys(clock);
		this.stored = new RecentKeys(clock);
	}

	/**
	 * Whether a delivery starts an execution. A delivery that comes while n8n stores another one of the event waits for
	 * the end of that, in case it fails. That n8n has stored one is not enough to drop others: n8n may lose that
	 * execution, and another one replaces it. If it was not lost, the other one drops the event, which in queue mode
	 * is what happens to all copies. Test events are always new.
	 */
	async arrive(context: IWebhookFunctions, deliveryKey: string, hours: number): Promise<Arrival> {
		if (context.getMode() === 'manual') return 'new';
		const key = keyOf(context, deliveryKey);
		const arriveNow = () => this.arriveNow(key, context, hours * HOUR_MS);
		const arrival = arriveNow();
		if (arrival !== 'inFlight' || this.waiting >= MAX_WAITING) return arrival;
		this.waiting++;
		try {
			const isTimeOver = this.clock.sleep(LONGEST_HOLD_MS).then(() => true);
			for (;;) {
				const isAnswered = this.inFlight.get(key)?.then(() => false);
				if (!isAnswered) return arriveNow();
				if (await Promise.race([isAnswered, isTimeOver])) return 'inFlight';
			}
		} finally {
			this.waiting--;
		}
	}

	/**
	 * Takes the event for this execution.
	 * @returns false when another execution in this process has had it for less than so many hours
	 */
	claim(context: FunctionsBase, deliveryKey: string, hours: number): boolean {
		return this.claimed.add(keyOf(context, deliveryKey), hours * HOUR_MS);
	}

	/** In one synchronous step, so that of two copies only one is new. */
	private arriveNow(key: string, context: IWebhookFunctions, withinMs: number): Arrival {
		if (this.claimed.has(key, withinMs)) return 'claimed';
		// Engine v2 calls no execute(), so no execution could claim the event.
		if (this.stored.has(key, withinMs)) return isSetToEngineV2(context) ? 'claimed' : 'new';
		if (this.inFlight.has(key)) return 'inFlight';
		const end = whenAnswered(context).then((isStored) => {
			this.inFlight.delete(key);
			if (isStored) this.stored.add(key, withinMs);
		});
		this.inFlight.set(key, end);
		return 'new';
	}
}

/**
 * Waits for n8n to store the event (N8N.md: webhook).
 * @returns whether n8n has stored it
 */
async function whenAnswered(context: IWebhookFunctions): Promise<boolean> {
	const response = context.getResponseObject();
	// A sender may have closed the connection before n8n got here. It does not close it again.
	if (!response.destroyed) await new Promise((resolve) => response.once('close', resolve));
	return response.writableFinished && response.statusCode < 400;
}

/** A digest, because keys may be hundreds of characters long. 128 bits are enough to be unique. */
function keyOf(context: FunctionsBase, deliveryKey: string): string {
	const parts = [context.getWorkflow().id, context.getNode().id, deliveryKey];
	return createHash('sha256').update(parts.join('\n')).digest().toString('latin1', 0, 16);
}

/** In each of two memories, which together take 9 MB at most. */
const MAX_KEYS = 50_000;

class RecentKeys {
	/** In ticks. */
	private readonly addedAt = new Map<string, number>();

	constructor(private readonly clock: Pick<Clock, 'ticks'>) {}

	has(key: string, withinMs: number): boolean {
		return (this.addedAt.get(key) ?? -Infinity) + withinMs > this.clock.ticks();
	}

	/** @returns whether the key is new */
	add(key: string, withinMs: number): boolean {
		if (this.has(key, withinMs)) return false;
		// A Map keeps the order of insertion: deleting first moves the key to the end.
		this.addedAt.delete(key);
		this.addedAt.set(key, this.clock.ticks());
		const [oldest] = this.addedAt.keys();
		if (this.addedAt.size > MAX_KEYS) this.addedAt.delete(oldest);
		return true;
	}
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
		return await isOurClaim(
			context,
			{ ...claimed, key, receivedAt: Date.parse(String(at)) },
			clock,
		);
	});
	const ours = await Promise.all(claims);
	if (ours.includes(false)) {
		logDelivery(context, 'info', 'Webhook event dropped: another execution has this event already');
		// Older n8n has no hints.
		context.addExecutionHints?.({ message: REPEATED, type: 'info', location: 'outputPane' });
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
