import type { IExecuteFunctions, ISourceData } from 'n8n-workflow';
import { roundOf } from '../../../nodes/BusinessMessaging/run/round';
import { NODE } from '../../support/sendNode.mts';

/** `Loop`, `Loop 1` for its second run, `If.1` for its second output. */
function source(text: string): ISourceData | null {
	if (text === '') return null;
	const [, previousNode, output, run] = /^(\w+)(?:\.(\d))?(?: (\d))?$/.exec(text) ?? [];
	return {
		previousNode,
		...(output ? { previousNodeOutput: Number(output) } : {}),
		...(run ? { previousNodeRun: Number(run) } : {}),
	};
}

/** @param runs by node: where the inputs of each of its runs came from, with commas between them */
function round(own: string, runs: Record<string, string[]>): number {
	const runData = Object.fromEntries(
		Object.entries(runs).map(([node, sources]) => [
			node === 'Send' ? NODE.name : node,
			sources.map((each) => ({ source: each.split(',').map(source) })),
		]),
	);
	return roundOf({
		getNode: () => NODE,
		getExecuteData: () => ({ source: { main: own.split(',').map(source) } }),
		runExecutionData: { resultData: { runData } },
	} as unknown as IExecuteFunctions);
}

const LOOP = { Trigger: [''], Loop: ['Trigger', 'Send', 'Send 1'] };

// docs/after-a-crash.md: loops
it.each<[string, number, string, Record<string, string[]>]>([
	['its first run', 0, 'Trigger', { Trigger: [''] }],
	['its first run in a loop', 0, 'Loop', { ...LOOP, Loop: ['Trigger'] }],
	['its third run in a loop', 2, 'Loop 2', { ...LOOP, Send: ['Loop', 'Loop 1'] }],
	[
		'its third run behind a node with several inputs, of which one got something',
		2,
		'Merge 2',
		{
			...LOOP,
			Merge: [',Loop', ',Loop 1', ',Loop 2'],
			Send: ['Merge', 'Merge 1'],
		},
	],
	['its second run, with several inputs itself', 1, ',Loop 1', { ...LOOP, Send: [',Loop'] }],
	['a run that is repeated', 1, 'Loop 1', { ...LOOP, Send: ['Loop', 'Loop 1'] }],
	['a run after one that was repeated', 1, 'Loop 1', { ...LOOP, Send: ['Loop', 'Loop'] }],
	[
		'the first run since a Retry began at the trigger once more',
		0,
		'Loop 2',
		{ Trigger: ['', ''], Loop: ['Trigger', 'Send', 'Trigger 1'], Send: ['Loop', 'Loop 1'] },
	],
	[
		'the second run since then',
		1,
		'Loop 3',
		{
			Trigger: ['', ''],
			Loop: ['Trigger', 'Send', 'Trigger 1', 'Send 2'],
			Send: ['Loop', 'Loop 1', 'Loop 2'],
		},
	],
	[
		'a run for the other output of a node',
		1,
		'If.1',
		{ Trigger: [''], If: ['Trigger'], Send: ['If.0'] },
	],
	[
		'a run that is repeated, of an output that has no number,',
		0,
		'If.0',
		{ Trigger: [''], If: ['Trigger'], Send: ['If'] },
	],
	['a run of its own', 0, '', {}],
	['another run of its own', 0, '', { Send: [''] }],
])('%s is in round %d', (_, expected, own, runs) => {
	expect(round(own, runs)).toBe(expected);
});

it('a path through nodes that n8n has forgotten begins where it is known', () => {
	expect(round('Lost 3', { Send: ['Lost 2'] })).toBe(0);
	expect(roundOf({ getNode: () => NODE, getExecuteData: () => ({}) } as never)).toBe(0);
});
