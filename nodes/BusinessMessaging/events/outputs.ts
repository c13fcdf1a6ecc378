import { ANY_EVENT, EVENTS } from './catalogue';

/** About ten characters fit: "Message Received" and "Message Read" would look the same. */
const LABELS = JSON.stringify({
	...Object.fromEntries(EVENTS.map(({ name, value }) => [value, name.split(' ').at(-1)])),
	[ANY_EVENT]: 'Other',
});

/**
 * The node's outputs, computed by the editor. One for all events, or with `outputMode` `perEvent`
 * one for each in the order of their choosing, so that adding one moves no connection.
 */
export const OUTPUTS_EXPRESSION = `={{ $parameter["outputMode"] !== "perEvent"
	? ["main"]
	: [].concat($parameter["events"] ?? [])
		.map((event) => ({ type: "main", displayName: (${LABELS})[event] || event })) }}` as const;
