import { adviseOnCategory } from '../../../errors/responseErrors';
import { failed, type Outcome, type SentOutcome } from '../../../outcome';
import { watchMessage, type WaitOptions } from '../../messageStatus';
import { messageIn } from '../../output';
import type { Sending, Step } from '../sending';

/** Wait For: looks the message up until it was delivered or read, while other messages are sent. */
export const untilDelivered: Step = {
	policy: ({ wait }) =>
		wait && {
			send: (next) => async (sending) => {
				const { client, clock } = sending.run;
				// While this message waits for its own slot, sends leave slots to look it up.
				const endReservation = client.reserveLookUps(clock.ticks() + wait.timeoutMs);
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
	const { limits, categoryChoice } = job;
	const watching = watchMessage({ messageId: String(id), first, wait, limits }, run);
	onWaiting(sent);
	const watched = await watching;
	if ('failure' in watched) {
		const undelivered = failed(adviseOnCategory(watched, categoryChoice.category), sent.json);
		await undo(undelivered);
		return undelivered;
	}
	const { delivery, seen } = watched;
	return { ...sent, json: { ...sent.json, delivery }, seen };
}
