import { callWebhook, SECRET, type WebhookRequest, type WebhookSetting } from './webhookDouble.ts';
export const NOW = '2026-01-31T12:00:00.000Z';
let event = 0;

/** A body that no other test has. */
export function incoming(fields: object = {}): object {
	event++;
	return {
		event: 'message.incoming',
		timestamp: NOW,
		data: { from: '+14155552671', event },
		...fields,
	};
}

export function post(body: unknown, request: WebhookRequest = {}, setting: WebhookSetting = {}) {
	const rawBody = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
	return callWebhook(
		{ query: { token: SECRET }, rawBody, ...request },
		{
			...setting,
			parameters: { events: ['message.incoming'], ...setting.parameters },
		},
	);
}
