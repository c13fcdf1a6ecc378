import type { INodeExecutionData } from 'n8n-workflow';
import { InputError, quote } from '../inputError';
import { isText } from '../values';

/** The choice of every event, including those that the API adds later. */
export const ANY_EVENT = '*';

interface EventKind {
	/** As users call it, in two words. */
	name: string;
	value: string;
	description: string;
	/**
	 * Its output in the mode "One Output per Event". Never change it: workflows store connections by it. A new event
	 * leaves the output Other for one that workflows have not connected, so the changelog has to say it.
	 */
	output: number;
	/** How its deliveries are recognized as one event. */
	identity: Identity;
	/** Whether others follow as a rule, of the same message or by the customer's reply. */
	othersFollow?: true;
	/** What its item has in addition to the data. */
	adds?: 'serviceWindow' | 'remedy';
}

/**
 * | Identity | Two deliveries are one event if they share | Because |
 * |---|---|---|
 * | message | message ID and recipient (6.3) | it happens once; each delivery may have a timestamp of its own |
 * | submission | submission ID (6.3) | it happens once; later changes are updates |
 * | dataWithId | `data`, if it has a message ID | the timestamp may be that of the delivery, and the ID alone may be that of the message answered |
 * | envelope | timestamp and `data` (6.1) | a second "Yes" and a form changed back differ in nothing but the timestamp |
 *
 * Events that are not listed, or lack these fields, have the identity `envelope`. Without a timestamp, each
 * delivery is an event of its own.
 */
type Identity = 'message' | 'submission' | 'dataWithId' | 'envelope';

/** 6.2, in the order of the editor's list. */
export const EVENTS: EventKind[] = [
	{
		name: 'Form Submitted',
		value: 'flow.submitted',
		description: 'A customer submitted a form flow (flow.submitted)',
		output: 5,
		identity: 'submission',
	},
	{
		name: 'Form Updated',
		value: 'flow.updated',
		description: 'A submitted form flow was changed (flow.updated)',
		output: 6,
		identity: 'envelope',
	},
	{
		name: 'Message Delivered',
		value: 'message.delivered',
		description: "Your message is on the customer's phone (message.delivered)",
		output: 2,
		identity: 'message',
		othersFollow: true,
	},
	{
		name: 'Message Failed',
		value: 'message.failed',
		description: 'Your message could not be delivered (message.failed)',
		output: 4,
		identity: 'message',
		adds: 'remedy',
	},
	{
		name: 'Message Read',
		value: 'message.read',
		description: 'The customer read your message (message.read)',
		output: 3,
		identity: 'message',
		othersFollow: true,
	},
	{
		name: 'Message Received',
		value: 'message.incoming',
		description: 'A customer wrote to you (message.incoming)',
		output: 0,
		identity: 'dataWithId',
		adds: 'serviceWindow',
	},
	{
		name: 'Message Sent',
		value: 'message.sent',
		description: 'Your message was handed to the network (message.sent). It is not delivered yet.',
		output: 1,
		identity: 'message',
		othersFollow: true,
	},
];

/** Of events without an output of their own. It stays: n8n stores connections by the number of the output. */
const OTHER_OUTPUT = 7;

/** 6.3, and what the same API calls it elsewhere (2.2). */
export const RECIPIENT = ['recipient', 'to'];

/** @returns undefined for an event that the API has added since */
export function kindOf(event: string): EventKind | undefined {
	return EVENTS.find(({ value }) => value === event);
}

/**
 * @throws InputError when an expression gives no list, because any part of a text would count as chosen; or a list
 * without names, because the sender would never repeat the events that are ignored
 */
export function readChosen(events: unknown): string[] {
	const isList = Array.isArray(events) && events.every((event) => typeof event === 'string');
	if (isList && events.some(isText)) return events;
	throw new InputError(
		`Trigger On is ${quote(events)}`,
		'Choose events from the list, or let the expression give a list such as ["message.read"].',
	);
}

export function isChosen(event: string, chosen: string[]): boolean {
	return chosen.includes(event) || chosen.includes(ANY_EVENT);
}

/** All outputs in the order of their numbers, whatever is chosen. A new event's output comes after the last one, Other. */
const EVENT_OUTPUTS = [...EVENTS, { name: 'Other', value: ANY_EVENT, output: OTHER_OUTPUT }].sort(
	(one, other) => one.output - other.output,
);

/** Last words, because about ten characters fit: "Message Received" and "Message Read" would look the same. */
const LABELS = JSON.stringify(
	EVENT_OUTPUTS.map(({ name, value }) => [value, name.split(' ').at(-1)]),
);

/**
 * The node's outputs, computed by the editor. Outputs of events that are not chosen are labeled "Off". An
 * expression in Trigger On is not computed, because n8n removes all outputs when that fails.
 */
export const EVENT_OUTPUTS_EXPRESSION = `={{ $parameter["outputMode"] !== "perEvent"
	? ["main"]
	: ((chosen) => ${LABELS}.map(([event, label]) => ({
		type: "main",
		displayName: chosen.some((one) => one === event || /^[${ANY_EVENT}=]/.test(one)) ? label : "Off: " + label,
	})))([].concat($rawParameter["events"] ?? "${ANY_EVENT}")) }}` as const;

/** The items of each output, in an Output Mode. */
export function eventOutputsOf(items: INodeExecutionData[], mode: unknown): INodeExecutionData[][] {
	if (mode !== 'perEvent') return [items];
	const spread = EVENT_OUTPUTS.map((): INodeExecutionData[] => []);
	for (const item of items) {
		spread[kindOf(String(item.json.event))?.output ?? OTHER_OUTPUT].push(item);
	}
	return spread;
}
