import { runInNewContext } from 'node:vm';

import { EVENTS } from '../../../nodes/BusinessMessaging/events/catalogue';
import { SUBTITLE_EXPRESSION } from '../../../nodes/BusinessMessaging/events/subtitle';

/** What the editor computes. */
function subtitleOf(events: unknown): unknown {
	const code = /^=\{\{(.*)\}\}$/s.exec(SUBTITLE_EXPRESSION)?.[1] ?? '';
	return runInNewContext(code, { $parameter: { events } });
}

it.each(EVENTS)('the subtitle calls $value what the list calls it', ({ name, value }) => {
	expect(subtitleOf([value])).toBe(name);
});

it.each<[unknown, string]>([
	[['message.read', 'flow.submitted'], 'Message Read, Form Submitted'],
	[['*'], 'All events'],
	[['order.paid'], 'order.paid'],
	['message.sent', 'Message Sent'],
	[[], ''],
	[undefined, ''],
	[null, ''],
])('the subtitle of %j is %j', (events, subtitle) => {
	expect(subtitleOf(events)).toBe(subtitle);
});
