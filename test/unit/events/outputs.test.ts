import { NodeHelpers, Workflow } from 'n8n-workflow';
import type { INodeParameters, INodeTypes } from 'n8n-workflow';

import { BusinessMessagingTrigger } from '../../../nodes/BusinessMessaging/BusinessMessagingTrigger.node';
import { ANY_EVENT, EVENTS } from '../../../nodes/BusinessMessaging/events/catalogue';
import { OUTPUTS } from '../../../nodes/BusinessMessaging/events/outputs';
import { NODE } from '../../support/sendNode.ts';

const trigger = new BusinessMessagingTrigger();
const nodeTypes = { getByNameAndVersion: () => trigger } as unknown as INodeTypes;

/** What the editor computes. */
function outputsOf(parameters: INodeParameters) {
	const nodes = [{ ...NODE, parameters }];
	const workflow = new Workflow({ nodes, connections: {}, active: false, nodeTypes });
	return NodeHelpers.getNodeOutputs(workflow, workflow.nodes[NODE.name], trigger.description);
}

const labelsOf = (events: INodeParameters['events']) =>
	outputsOf({ outputMode: 'perEvent', events }).map(
		(output) => (output as { displayName: string }).displayName,
	);
const ALL = ['Received', 'Sent', 'Delivered', 'Read', 'Failed', 'Submitted', 'Updated', 'Other'];

it.each([['single'], [undefined], ['x']])(
	'is one output without a label for the mode %p',
	(outputMode) => {
		expect(outputsOf({ outputMode, events: ['message.read', '*'] })).toEqual(['main']);
	},
);

it('is one output for each event and one for all others, short and unlike any other', () => {
	const outputs = ALL.map((displayName) => ({ type: 'main', displayName }));
	expect(outputsOf({ outputMode: 'perEvent', events: ['*'] })).toEqual(outputs);
	expect(new Set(ALL).size).toBe(ALL.length);
	expect(ALL.filter((label) => label.length > 10 || label.includes(' '))).toEqual([]);
});

it('has the events of the catalogue, each once', () => {
	expect([...OUTPUTS].sort()).toEqual([...EVENTS.map(({ value }) => value), ANY_EVENT].sort());
});

// README, React to customers: choosing other events moves no connection
it.each<[INodeParameters['events'], string[]]>([
	[
		['message.incoming', 'message.failed'],
		['Received', 'Failed'],
	],
	[
		['message.failed', 'message.incoming', 'order.paid'],
		['Received', 'Failed'],
	],
	[['message.failed'], ['Failed']],
	[[], []],
	['={{ ["message.read"] }}', ALL],
	// n8n cannot compute it without data.
	['={{ $json.events }}', ALL],
])('stays in its place, and is off when it is not chosen, with %j', (events, on) => {
	const expected = ALL.map((label) => (on.includes(label) ? label : `Off: ${label}`));
	expect(labelsOf(events)).toEqual(expected);
});
