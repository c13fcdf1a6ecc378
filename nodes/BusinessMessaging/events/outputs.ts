import type { INodeExecutionData } from 'n8n-workflow';

import { ANY_EVENT, EVENTS, kindOf, OTHER_OUTPUT } from './catalogue';

/** All of them, whatever is chosen: by their numbers, so that a new event takes the next one. */
const OUTPUTS = [...EVENTS, { name: 'Other', value: ANY_EVENT, output: OTHER_OUTPUT }].sort(
	(one, other) => one.output - other.output,
);

/** About ten characters fit: "Message Received" and "Message Read" would look the same. */
function lastWordOf(name: string): string {
	return name.slice(name.lastIndexOf(' ') + 1);
}

const LABELS = JSON.stringify(OUTPUTS.map(({ name, value }) => [value, lastWordOf(name)]));

/**
 * The node's outputs, computed by the editor. Those of events that are not chosen say so. Events that
 * an expression chooses are not computed: n8n takes all outputs away when that fails.
 */
export const OUTPUTS_EXPRESSION = `={{ $parameter["outputMode"] !== "perEvent"
	? ["main"]
	: ((chosen) => ${LABELS}.map(([event, label]) => ({
		type: "main",
		displayName: chosen.some((one) => one === event || /^[${ANY_EVENT}=]/.test(one)) ? label : "Off: " + label,
	})))([].concat($rawParameter["events"] ?? "${ANY_EVENT}")) }}` as const;

/** What leaves through each output, in an Output Mode. */
export function outputsOf(items: INodeExecutionData[], mode: unknown): INodeExecutionData[][] {
	return mode === 'perEvent' ? spreadByEvent(items) : [items];
}

/** Items without an output of their own leave through "Other". */
function spreadByEvent(items: INodeExecutionData[]): INodeExecutionData[][] {
	const spread = OUTPUTS.map((): INodeExecutionData[] => []);
	for (const item of items) {
		spread[kindOf(String(item.json.event))?.output ?? OTHER_OUTPUT].push(item);
	}
	return spread;
}
