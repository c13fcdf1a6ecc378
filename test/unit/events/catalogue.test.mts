import { type INodeParameters, type INodeTypes, NodeHelpers, Workflow } from 'n8n-workflow';
import { runInNewContext } from 'node:vm';

import {
	BusinessMessagingTrigger,
	SUBTITLE_EXPRESSION,
} from '../../../nodes/BusinessMessaging/BusinessMessagingTrigger.node';
import { EVENTS, eventOutputsOf } from '../../../nodes/BusinessMessaging/events/catalogue';
import { NODE } from '../../support/sendNode.mts';

it.each<[unknown, string]>([
	[['message.read', '*', 'order.paid'], 'Message Read, All events, order.paid'],
	['message.sent', 'Message Sent'],
	[undefined, ''],
])('the subtitle of %j, below the name of the node, is %j', (events, subtitle) => {
	const code = /^=\{\{(.*)\}\}$/s.exec(SUBTITLE_EXPRESSION)?.[1] ?? '';
	expect(runInNewContext(code, { $parameter: { events } })).toBe(subtitle);
});

const trigger = new BusinessMessagingTrigger();
const nodeTypes = { getByNameAndVersion: () => trigger } as unknown as INodeTypes;

/** The outputs that the editor computes. */
function displayed(parameters: INodeParameters) {
	const nodes = [{ ...NODE, parameters }];
	const workflow = new Workflow({ nodes, connections: {}, active: false, nodeTypes });
	return NodeHelpers.getNodeOutputs(workflow, workflow.nodes[NODE.name], trigger.description);
}

const ALL = ['Received', 'Sent', 'Delivered', 'Read', 'Failed', 'Submitted', 'Updated', 'Other'];

it('the trigger has one output unless each event has its own', () => {
	expect(displayed({ outputMode: 'single', events: ['message.read', '*'] })).toEqual(['main']);
});

// docs/trigger.md: choosing other events moves no connection
it.each<[INodeParameters['events'], string[]]>([
	[['*'], ALL],
	[
		['message.failed', 'message.incoming', 'order.paid'],
		['Received', 'Failed'],
	],
	[[], []],
	// n8n cannot compute it without data.
	['={{ $json.events }}', ALL],
])('each output stays in its place, and is off when it is not chosen, with %j', (events, on) => {
	const expected = ALL.map((label) => ({
		type: 'main',
		displayName: on.includes(label) ? label : `Off: ${label}`,
	}));
	expect(displayed({ outputMode: 'perEvent', events })).toEqual(expected);
});

it('each item leaves through the output of its event, or of all others, in order', () => {
	const values = EVENTS.toSorted((one, other) => one.output - other.output);
	const events = [...values.map(({ value }) => value), 'order.paid', '*', undefined];
	const items = [...events, 'message.read'].map((event, n) => ({ json: { event, n } as never }));
	const leaving = eventOutputsOf(items, 'perEvent').map((output) =>
		output.map(({ json }) => json.n),
	);
	expect(leaving).toEqual([[0], [1], [2], [3, 10], [4], [5], [6], [7, 8, 9]]);
	// As in the editor, there is one output in a mode that is not known.
	expect(eventOutputsOf(items, 'x')).toEqual([items]);
});
