import { type INodeParameters, type INodeTypes, NodeHelpers, Workflow } from 'n8n-workflow';
import { runInNewContext } from 'node:vm';

import {
	BusinessMessagingTrigger,
	SUBTITLE_EXPRESSION,
} from '../../../nodes/BusinessMessaging/BusinessMessagingTrigger.node';
import {
	ANY_EVENT,
	EVENTS,
	isChosen,
	OTHER_OUTPUT,
	outputsOf as leaving,
	readChosen,
} from '../../../nodes/BusinessMessaging/events/catalogue';
import { NODE } from '../../support/sendNode.ts';

it.each([
	['message.read', ['message.sent', 'message.read'], true],
	['message.read', [], false],
	['message', ['message.read'], false],
	['message.read', ['message'], false],
	['template.approved', ['message.read', ANY_EVENT], true],
	['template.approved', ['message.read'], false],
])('%s starts a workflow for which %j is chosen: %p', (event, chosen, expected) => {
	expect(isChosen(event, chosen)).toBe(expected);
});

it.each([[[]], [['message.read', '*']]])('the events %j are chosen', (events) => {
	expect(readChosen(events)).toEqual(events);
});

it.each([
	['message.incoming', 'Trigger On is "message.incoming"'],
	[undefined, 'Trigger On is "undefined"'],
	[['*', 7], 'Trigger On is "["*",7]"'],
])('the events are refused when an expression gives %j', (events, message) => {
	expect(() => readChosen(events)).toThrow(message);
});

/** What the editor computes below the node's name. */
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
])('the subtitle of %j is %j', (events, subtitle) => {
	expect(subtitleOf(events)).toBe(subtitle);
});

const trigger = new BusinessMessagingTrigger();
const nodeTypes = { getByNameAndVersion: () => trigger } as unknown as INodeTypes;

/** The outputs that the editor computes. */
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
	'the trigger has one output without a label in the mode %p',
	(outputMode) => {
		expect(outputsOf({ outputMode, events: ['message.read', '*'] })).toEqual(['main']);
	},
);

it('the trigger has an output for each event and one for all others, short and unlike any other', () => {
	const outputs = ALL.map((displayName) => ({ type: 'main', displayName }));
	expect(outputsOf({ outputMode: 'perEvent', events: ['*'] })).toEqual(outputs);
	expect(new Set(ALL).size).toBe(ALL.length);
	expect(ALL.filter((label) => label.length > 10 || label.includes(' '))).toEqual([]);
});

it('the outputs are numbered from 0 on, without a gap', () => {
	const numbers = [...EVENTS.map(({ output }) => output), OTHER_OUTPUT].sort((a, b) => a - b);
	expect(numbers).toEqual([...numbers.keys()]);
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
])('each output stays in its place, and is off when it is not chosen, with %j', (events, on) => {
	const expected = ALL.map((label) => (on.includes(label) ? label : `Off: ${label}`));
	expect(labelsOf(events)).toEqual(expected);
});

describe('an item', () => {
	const received = (event: unknown, n = 0) => ({ json: { event, n } as never });
	const spread = (...items: Array<ReturnType<typeof received>>) => leaving(items, 'perEvent');
	const outputOf = (event: unknown) =>
		spread(received(event)).findIndex((items) => items.length > 0);

	it('leaves through the output of its event', () => {
		for (const { value, output } of EVENTS) expect(outputOf(value)).toBe(output);
		expect(spread()).toEqual(ALL.map(() => []));
	});

	it('keeps its place among the others', () => {
		const [one, other, third] = [
			received('message.read', 1),
			received('message.sent', 2),
			received('message.read', 3),
		];
		expect(spread(one, other, third)[outputOf('message.read')]).toEqual([one, third]);
	});

	it.each([['order.paid'], ['*'], [undefined]])(
		'of %p, which has no output, leaves through "Other"',
		(event) => {
			expect(outputOf(event)).toBe(ALL.indexOf('Other'));
		},
	);
});
