import type { ApiCall } from './calls.mts';
import { statusRecord } from './messages.mts';
import type { ServerState } from './state.mts';

/** The newest requests, deliveries and messages, the oldest of them first. */
export function logOf(state: ServerState, newest: number) {
	const last = <T,>(list: T[]) => list.slice(Math.max(0, list.length - newest));
	const now = Date.now();
	return {
		calls: last(state.calls).map(withoutKey),
		deliveries: last(state.webhooks.deliveries),
		messages: last([...state.messages.values()]).map((message) => ({
			...statusRecord(message, now),
			category: message.category,
			template_variables: message.templateVariables,
		})),
	};
}

// Somebody may have sent the key of a real account here.
function withoutKey(call: ApiCall): ApiCall {
	const key = call.headers['x-api-key'];
	if (key === undefined) return call;
	return { ...call, headers: { ...call.headers, 'x-api-key': `…${String(key).slice(-4)}` } };
}
