import { ANY_EVENT, EVENTS } from './catalogue';

/**
 * The outputs of `outputMode` `perEvent`, always all of them: a workflow stores its connections by
 * the number of the output, so one that went would hand its connection to the next event. New events
 * come last.
 */
export const OUTPUTS = [
	'message.incoming',
	'message.sent',
	'message.delivered',
	'message.read',
	'message.failed',
	'flow.submitted',
	'flow.updated',
	ANY_EVENT,
];

/** About ten characters fit: "Message Received" and "Message Read" would look the same. */
function labelOf(output: string): string {
	const title = EVENTS.find(({ value }) => value === output)?.name ?? 'Other';
	return title.slice(title.lastIndexOf(' ') + 1);
}

const LABELS = JSON.stringify(OUTPUTS.map((output) => [output, labelOf(output)]));

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
