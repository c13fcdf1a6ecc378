import type { INodePropertyOptions } from 'n8n-workflow';

import { InputError, quote } from '../errors/inputError';

/** Chosen for every event, also for one that the API adds later. */
export const ANY_EVENT = '*';

/** 6.2, with what a user reads. */
export const EVENTS: Array<INodePropertyOptions & { value: string }> = [
	{
		name: 'Form Submitted',
		value: 'flow.submitted',
		description: 'A customer submitted a form flow (flow.submitted)',
	},
	{
		name: 'Form Updated',
		value: 'flow.updated',
		description: 'A submitted form flow was changed (flow.updated)',
	},
	{
		name: 'Message Delivered',
		value: 'message.delivered',
		description: "Your message is on the customer's phone (message.delivered)",
	},
	{
		name: 'Message Failed',
		value: 'message.failed',
		description: 'Your message could not be delivered (message.failed)',
	},
	{
		name: 'Message Read',
		value: 'message.read',
		description: 'The customer read your message (message.read)',
	},
	{
		name: 'Message Received',
		value: 'message.incoming',
		description: 'A customer wrote to you (message.incoming)',
	},
	{
		name: 'Message Sent',
		value: 'message.sent',
		description: 'Your message was handed to the network (message.sent). It is not delivered yet.',
	},
];

/**
 * The events that were chosen.
 * @throws InputError when an expression gives no list: of a text, any part would count
 */
export function readChosen(events: unknown): string[] {
	if (Array.isArray(events) && events.every((event) => typeof event === 'string')) return events;
	throw new InputError(
		`Trigger On is ${quote(events)}`,
		'Choose them from the list, or let the expression give a list such as ["message.read"].',
	);
}

export function isChosen(event: string, chosen: string[]): boolean {
	return chosen.includes(event) || chosen.includes(ANY_EVENT);
}
