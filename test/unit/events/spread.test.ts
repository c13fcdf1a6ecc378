import { spreadByEvent } from '../../../nodes/BusinessMessaging/events/spread';

function items(...events: string[]) {
	return events.map((event) => ({ json: { event } }));
}

function spread(chosen: string[], ...events: string[]) {
	return spreadByEvent(items(...events), chosen).map((output) =>
		output.map(({ json }) => json.event),
	);
}

it.each([
	[
		'to the outputs of their events',
		['message.read', 'flow.submitted'],
		['flow.submitted', 'message.read'],
		[['message.read'], ['flow.submitted']],
	],
	[
		'of the first output not to "Other"',
		['message.read', '*'],
		['message.read'],
		[['message.read'], []],
	],
	['that are not chosen to "Other"', ['message.read', '*'], ['order.paid'], [[], ['order.paid']]],
	[
		'to the outputs that they had before another event was added behind "Other"',
		['message.read', '*', 'message.sent'],
		['message.read', 'order.paid', 'message.sent'],
		[['message.read'], ['order.paid'], ['message.sent']],
	],
	[
		'of test data that is not chosen to the first output',
		['message.read', 'flow.submitted'],
		['message.sent'],
		[['message.sent'], []],
	],
])('spreads items %s', (_, chosen, events, expected) => {
	expect(spread(chosen, ...events)).toEqual(expected);
});
