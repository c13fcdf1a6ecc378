import type { FunctionsBase, IWebhookFunctions } from 'n8n-workflow';

import { createRecentKeys } from './duplicates';

/** About 20 MB at most. Only requests that passed the access check get here. */
const MAX_KEYS = 50_000;
const HOUR_MS = 60 * 60 * 1000;

/** What webhook() accepted in this process, and what execute() handles in it. */
const accepted = createRecentKeys(MAX_KEYS);
const claimed = createRecentKeys(MAX_KEYS);

/**
 * Whether this process accepted the same delivery for this node before; remembers it when not. Test
 * events are never repeated ones.
 */
export function isRepeated(
	context: IWebhookFunctions,
	deliveryKey: string,
	hours: number,
): boolean {
	if (context.getMode() === 'manual') return false;
	const key = keyOf(context, deliveryKey);
	if (!accepted.add(key, hours * HOUR_MS, Date.now())) return true;
	releaseWhenRefused(context, key);
	return false;
}

/** Whether webhook() accepted the delivery in this very process. */
export function wasAcceptedHere(context: FunctionsBase, deliveryKey: string): boolean {
	return accepted.has(keyOf(context, deliveryKey), Date.now());
}

/** Whether another execution in this process has the event; remembers this one when not. */
export function isClaimedHere(context: FunctionsBase, deliveryKey: string): boolean {
	return !claimed.add(keyOf(context, deliveryKey), HOUR_MS, Date.now());
}

function keyOf(context: FunctionsBase, deliveryKey: string): string {
	return [context.getWorkflow().id, context.getNode().id, deliveryKey].join('\n');
}

/** n8n may yet fail to store the event; then the sender's next try must count. */
function releaseWhenRefused(context: IWebhookFunctions, key: string): void {
	const response = context.getResponseObject();
	const release = () => {
		if (!response.writableFinished || response.statusCode >= 400) accepted.release(key);
	};
	// A sender that lost patience before n8n got here will not close the connection again.
	if (response.destroyed) release();
	else response.once('close', release);
}
