import { runInNewContext } from 'node:vm';

import { EVENTS } from '../../../nodes/BusinessMessaging/events/catalogue';
import { OUTPUTS_EXPRESSION } from '../../../nodes/BusinessMessaging/events/outputs';

/** What the editor computes; as plain data of this realm. */
function outputsOf($parameter: { outputMode?: string; events?: unknown }): unknown[] {
	const code = /^=\{\{(.*)\}\}$/s.exec(OUTPUTS_EXPRESSION)?.[1] ?? '';
	return JSON.parse(JSON.stringify(runInNewContext(code, { $parameter }))) as unknown[];
}

const labelsOf = (events: string[]) =>
	outputsOf({ outputMode: 'perEvent', events }).map(
		(output) => (output as { displayName: string }).displayName,
	);

it.each([['single'], [undefined]])(
	'is one output without a label for the mode %p',
	(outputMode) => {
		expect(outputsOf({ outputMode, events: ['message.read', '*'] })).toEqual(['main']);
	},
);

// README, React to customers: a later event adds an output behind the others
it('is one output per event that is chosen, in the order of choosing', () => {
	const events = ['message.read', '*', 'message.incoming', 'order.paid'];
	expect(outputsOf({ outputMode: 'perEvent', events })).toEqual([
		{ type: 'main', displayName: 'Read' },
		{ type: 'main', displayName: 'Other' },
		{ type: 'main', displayName: 'Received' },
		{ type: 'main', displayName: 'order.paid' },
	]);
});

it.each([[[]], [undefined], [null]])('is none as long as the events are %j', (events) => {
	expect(outputsOf({ outputMode: 'perEvent', events })).toEqual([]);
});

it('has the last word of each event as its label, short and unlike any other', () => {
	for (const { name, value } of EVENTS) {
		const [label] = labelsOf([value]);
		expect(label).not.toContain(' ');
		expect(name.endsWith(` ${label}`)).toBe(true);
		expect(label.length).toBeLessThanOrEqual(10);
	}
	expect(new Set(labelsOf(EVENTS.map(({ value }) => value))).size).toBe(EVENTS.length);
});
