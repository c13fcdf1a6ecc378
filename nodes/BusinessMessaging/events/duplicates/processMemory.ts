import { createHash } from 'crypto';
import type { FunctionsBase, IWebhookFunctions } from 'n8n-workflow';

import { systemClock } from '../../clock';
import type { Clock } from '../../clock';
import { createArrivals } from './arrivals';
import type { Arrival, Arrivals } from './arrivals';
import { createRecentKeys } from './recentKeys';

/** Both memories together take 9 MB at most, however long the IDs are. */
const MAX_KEYS = 50_000;
const HOUR_MS = 60 * 60 * 1000;

/** What this process knows of deliveries, apart for each node of each workflow. */
export function createProcessMemory(clock: Clock) {
	const arrivals = createArrivals(createRecentKeys(MAX_KEYS, clock), clock);
	const claimed = createRecentKeys(MAX_KEYS, clock);
	return {
		/**
		 * Whether this process got the same delivery for this node before, and whether n8n has stored
		 * it; remembers it when not. Test events are never repeated ones.
		 */
		async arrive(context: IWebhookFunctions, deliveryKey: string, hours: number): Promise<Arrival> {
			if (context.getMode() === 'manual') return 'first';
			const key = keyOf(context, deliveryKey);
			const arrival = await arrivals.arrive(key, hours * HOUR_MS);
			if (arrival === 'first') settleWhenAnswered(context, key, arrivals);
			return arrival;
		},

		/** Takes the event for this execution. @returns false when another one in this process has it */
		claim: (context: FunctionsBase, deliveryKey: string): boolean =>
			claimed.add(keyOf(context, deliveryKey), HOUR_MS),
	};
}

export const processMemory = createProcessMemory(systemClock);

/** A digest, since keys may be hundreds of characters long. 128 bits are enough to be unique. */
function keyOf(context: FunctionsBase, deliveryKey: string): string {
	const parts = [context.getWorkflow().id, context.getNode().id, deliveryKey];
	return createHash('sha256').update(parts.join('\n')).digest().toString('latin1', 0, 16);
}

/** n8n stores the event when webhook() is over, and answers 200 when that is done (1.x: before). */
function settleWhenAnswered(context: IWebhookFunctions, key: string, arrivals: Arrivals): void {
	const response = context.getResponseObject();
	const settle = () => arrivals.settle(key, response.writableFinished && response.statusCode < 400);
	// A sender that lost patience before n8n got here will not close the connection again.
	if (response.destroyed) settle();
	else response.once('close', settle);
}
