import { ANY_EVENT, EVENTS } from './catalogue';

const TITLES = JSON.stringify({
	...Object.fromEntries(EVENTS.map(({ name, value }) => [value, name])),
	[ANY_EVENT]: 'All events',
});

/** What stands below the node's name, computed by the editor: the chosen events as the list calls them. */
export const SUBTITLE_EXPRESSION = `={{ [].concat($parameter["events"] ?? [])
	.map((event) => (${TITLES})[event] || event).join(", ") }}`;
