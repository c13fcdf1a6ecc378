import { outputEvents, spreadByEvent } from '../../../nodes/BusinessMessaging/events/spread';

function items(...events: string[]) {
	return events.map((event) => ({ json: { event } }));
}

function spread(chosen: string[], ...events: string[]) {
	return spreadByEvent(items(...events), chosen).map((output) =>
		output.map(({ json }) => json.event),
	);
}

it('has an output per chosen event in the order of choosing, and "Other" last', () => {
	expect(outputEvents(['message.read', '*', 'flow.submitted'])).toEqual([
		'message.read',
		'flow.submitted',
		'*',
	]);
});

it('does not move the outputs that there are when an event is added', () => {
	const before = outputEvents(['message.read', 'flow.submitted']);
	expect(outputEvents([...before, 'flow.updated']).slice(0, 2)).toEqual(before);
});

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
		'of test data that is not chosen to the first output',
		['message.read', 'flow.submitted'],
		['message.sent'],
		[['message.sent'], []],
	],
])('spreads items %s', (_, chosen, events, expected) => {
	expect(spread(chosen, ...events)).toEqual(expected);
});
