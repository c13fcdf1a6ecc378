import { OUTPUTS } from '../../../nodes/BusinessMessaging/events/outputs';
import { spreadByEvent } from '../../../nodes/BusinessMessaging/events/spread';

function spread(...events: unknown[]) {
	const outputs = spreadByEvent(events.map((event) => ({ json: { event } as object })) as never);
	return Object.fromEntries(
		outputs.flatMap((items, index) =>
			items.length > 0 ? [[OUTPUTS[index], items.map(({ json }) => json.event)]] : [],
		),
	);
}

it('gives each event its own output, whatever else is there', () => {
	const events = OUTPUTS.slice(0, -1);
	expect(spread(...events)).toEqual(Object.fromEntries(events.map((event) => [event, [event]])));
	expect(spreadByEvent([])).toEqual(OUTPUTS.map(() => []));
});

it('keeps the order of items', () => {
	const outputs = spreadByEvent([
		{ json: { event: 'message.read', n: 1 } },
		{ json: { event: 'message.sent', n: 2 } },
		{ json: { event: 'message.read', n: 3 } },
	]);
	expect(outputs[OUTPUTS.indexOf('message.read')].map(({ json }) => json.n)).toEqual([1, 3]);
});

it.each([['order.paid'], ['*'], [undefined]])('gives %p, which has none, to "Other"', (event) => {
	expect(spread(event)).toEqual({ '*': [event] });
});
