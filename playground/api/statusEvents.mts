import type { StoredMessage } from './messages.mts';
import type { Timers } from './timers.mts';
import type { Webhooks } from './webhooks.mts';

/** Why a message fails after it was sent: an entry of section 7.2 of the API document. */
export const DELIVERY_ERROR = { code: 131026, message: 'Invalid Phone Number' };

/** Announces what becomes of a message. Only what somebody listens to gets timers: 100,000 messages may be on their way. */
export function announce(message: StoredMessage, webhooks: Webhooks, timers: Timers): void {
	if (webhooks.urls.length === 0) return;
	const { messageId: message_id, to: recipient, sentAt, deliveredAt, readAt, failedAt } = message;
	const iso = (time: number) => new Date(time).toISOString();

	function at(time: number | undefined, event: string, data: (time: number) => object): void {
		if (time === undefined) return;
		// A timer may fire up to 1 ms early, and the status lookup must not lag behind the event.
		timers.after(Math.max(0, time - Date.now() + 1), (stopped) => {
			if (!stopped) void webhooks.emit(event, { message_id, recipient, ...data(time) });
		});
	}

	at(sentAt, 'message.sent', (time) => ({ status: 'sent', sent_at: iso(time) }));
	at(deliveredAt, 'message.delivered', (time) => ({
		status: 'delivered',
		delivered_at: iso(time),
	}));
	at(readAt, 'message.read', (time) => ({ status: 'read', read_at: iso(time) }));
	at(failedAt, 'message.failed', () => ({
		status: 'failed',
		error: DELIVERY_ERROR,
	}));
}
