import { InputError, quote } from '../errors/inputError';

/** Chosen for every event, also for one that the API adds later. */
export const ANY_EVENT = '*';

interface EventKind {
	/** As users call it, in two words. */
	name: string;
	value: string;
	description: string;
	/** Its output where each event has one, by which workflows store their connections: never another. */
	output: number;
	/** Fields of `data` that can hold the customer's number, the usual one first. */
	customerIn: string[];
	/** What all its deliveries share and no other event has. */
	identity: Identity;
	/** Events of the same message or form that may come after it. */
	next?: string[];
	/** What its item has beside the data. */
	adds?: 'serviceWindow' | 'remedy';
}

/**
 * | Identity | Known by | Why |
 * |---|---|---|
 * | message | message ID and recipient (6.3) | happens once; `status` repeats the event's name, and each try may have a timestamp of its own |
 * | submission | submission ID (6.3) | happens once; what changes later is an update |
 * | dataWithId | `data`, when it has an ID | its timestamp may be that of the try; not the ID alone, which could be the customer's or that of the message answered |
 * | envelope | timestamp and `data` (6.1) | a second "Yes" and a form changed back differ in nothing but the timestamp |
 *
 * Without what it is known by, and where it is not listed, an event is known by its envelope; without a
 * timestamp in it, by nothing.
 */
type Identity = 'message' | 'submission' | 'dataWithId' | 'envelope';

/** 6.3, and what the same API calls it elsewhere (2.2). */
const RECIPIENT = ['recipient', 'to'];
const SENDER = ['from'];

/** 6.2, in the order of the editor's list. */
export const EVENTS: EventKind[] = [
	{
		name: 'Form Submitted',
		value: 'flow.submitted',
		description: 'A customer submitted a form flow (flow.submitted)',
		output: 5,
		customerIn: SENDER,
		identity: 'submission',
		next: ['flow.updated'],
	},
	{
		name: 'Form Updated',
		value: 'flow.updated',
		description: 'A submitted form flow was changed (flow.updated)',
		output: 6,
		customerIn: SENDER,
		identity: 'envelope',
	},
	{
		name: 'Message Delivered',
		value: 'message.delivered',
		description: "Your message is on the customer's phone (message.delivered)",
		output: 2,
		customerIn: RECIPIENT,
		identity: 'message',
		next: ['message.read'],
	},
	{
		name: 'Message Failed',
		value: 'message.failed',
		description: 'Your message could not be delivered (message.failed)',
		output: 4,
		customerIn: RECIPIENT,
		identity: 'message',
		adds: 'remedy',
	},
	{
		name: 'Message Read',
		value: 'message.read',
		description: 'The customer read your message (message.read)',
		output: 3,
		customerIn: RECIPIENT,
		identity: 'message',
	},
	{
		name: 'Message Received',
		value: 'message.incoming',
		description: 'A customer wrote to you (message.incoming)',
		output: 0,
		customerIn: SENDER,
		identity: 'dataWithId',
		adds: 'serviceWindow',
	},
	{
		name: 'Message Sent',
		value: 'message.sent',
		description: 'Your message was handed to the network (message.sent). It is not delivered yet.',
		output: 1,
		customerIn: RECIPIENT,
		identity: 'message',
		next: ['message.delivered', 'message.read', 'message.failed'],
	},
];

/** The output of whatever has none of its own. */
export const OTHER_OUTPUT = 7;

/** @returns undefined for an event that the API has added since */
export function kindOf(event: string): EventKind | undefined {
	return EVENTS.find(({ value }) => value === event);
}

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

/** Whether an event of the same message or form may still come that was chosen. */
export function comesBefore(event: string, chosen: string[]): boolean {
	return kindOf(event)?.next?.some((next) => chosen.includes(next)) ?? false;
}
