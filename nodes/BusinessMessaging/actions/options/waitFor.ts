import type { INodeProperties } from 'n8n-workflow';
import { type Outcome, type SentOutcome } from '../../outcome';
import { readChoice, readNumber, type ValuesOf } from '../../parameters';
import { watchMessage, type WaitOptions } from '../lookUp';
import { messageIn } from '../output';
import type { Sending, Step } from '../sendTemplate/sending';

export const waitTimeoutField = {
	displayName: 'Wait Timeout (Seconds)',
	name: 'waitTimeout',
	type: 'number',
	typeOptions: { minValue: 1, maxValue: 24 * 60 * 60 },
	default: 60,
	description:
		'How long to wait at most. After that, the item continues with "timedOut" set. Waits do not survive a restart of n8n. For more than 15 minutes use a Wait node and Get Status.',
} as const satisfies INodeProperties;

export const waitForField = {
	displayName: 'Wait For',
	name: 'waitFor',
	type: 'options',
	options: [
		{
			name: 'Delivered',
			value: 'delivered',
			description: "The message is on the customer's phone",
		},
		{ name: 'Nothing', value: 'none', description: 'Continue at once' },
		{ name: 'Read', value: 'read', description: 'The customer read the message' },
	],
	default: 'delivered',
	description:
		'What to wait for before the workflow continues. Sent is not delivered: without waiting you only know that the API accepted the message.',
} as const satisfies INodeProperties;

/**
 * @returns undefined when nothing is awaited
 * @throws InputError
 */
export function readWaitOptions(
	options: ValuesOf<typeof waitForField | typeof waitTimeoutField>,
): WaitOptions | undefined {
	const { waitFor, waitTimeout } = options;
	const choice = waitForField.name in options ? readChoice(waitFor, waitForField) : 'none';
	const timeoutMs = readNumber(waitTimeout, waitTimeoutField, waitTimeoutField.default) * 1000;
	return choice === 'none' ? undefined : { awaited: choice, timeoutMs };
}

/** Wait For: looks the message up until it was delivered or read, while other messages are sent. */
export const untilDelivered: Step = {
	policy: ({ wait }) =>
		wait && {
			send: (next) => async (sending) => {
				// While this message waits for its own slot, sends leave one to look it up.
				const endReservation = sending.run.client.reserveLookUp();
				let delivered: Promise<Outcome>;
				try {
					const outcome = await next(sending);
					if (outcome.kind !== 'sent') return outcome;
					delivered = awaitDelivery(sending, outcome, wait);
				} finally {
					// The wait has its own reservation by now.
					endReservation();
				}
				return await delivered;
			},
		},
};

async function awaitDelivery(
	{ job, run, onWaiting, undo }: Sending,
	sent: SentOutcome,
	wait: WaitOptions,
): Promise<Outcome> {
	const { message_id: id, status } = messageIn(sent.json);
	const first = { status: typeof status === 'string' ? status : 'sent' };
	const watching = watchMessage({ messageId: String(id), first, wait, limits: job.limits }, run);
	onWaiting(sent);
	const watched = await watching;
	if ('failure' in watched) {
		const undelivered = { ...watched, message: sent.json };
		await undo(undelivered);
		return undelivered;
	}
	const { delivery, seen } = watched;
	return { ...sent, json: { ...sent.json, delivery }, seen };
}
