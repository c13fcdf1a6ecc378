import type { IWebhookFunctions } from 'n8n-workflow';

import { createRecentKeys } from './duplicates';

/** About 20 MB at most. Only requests that passed the access check get here. */
const MAX_KEYS = 50_000;
const HOUR_MS = 60 * 60 * 1000;

const recentKeys = createRecentKeys(MAX_KEYS);

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
	const key = [context.getWorkflow().id, context.getNode().id, deliveryKey].join('\n');
	if (!recentKeys.add(key, hours * HOUR_MS, Date.now())) return true;
	releaseWhenRefused(context, key);
	return false;
}

/** n8n may yet fail to store the event; then the sender's next try must count. */
function releaseWhenRefused(context: IWebhookFunctions, key: string): void {
	const response = context.getResponseObject();
	response.once('close', () => {
		if (!response.writableFinished || response.statusCode >= 400) recentKeys.release(key);
	});
}
