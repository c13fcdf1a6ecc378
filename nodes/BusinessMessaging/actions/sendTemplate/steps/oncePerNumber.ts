import { HOUR_MS } from '../../../clock';
import type { Outcome } from '../../../outcome';
import { heldBack, type Step } from '../sending';

const SENT_RECENTLY = {
	reason: 'sentRecently',
	words: 'too soon after another message to the number',
};

/** At Most Once per Number: no other message went to the number within the hours. */
export const oncePerNumber: Step['policy'] = (job) => {
	const { cap } = job;
	if (!cap) return undefined;
	const orHeldBack = (outcome: Outcome | number) =>
		typeof outcome === 'number' ? heldBack(job, SENT_RECENTLY, outcome) : outcome;
	return {
		send: async (sending, next) => {
			const { frequencyCap, clock } = sending.run;
			// After this the claim on the number has ended, so a later request could break the cap.
			const deadline = Math.min(sending.deadline, clock.ticks() + cap.hours * HOUR_MS);
			return orHeldBack(
				await frequencyCap.send(cap, async () => await next({ ...sending, deadline })),
			);
		},
		show: async (sending, next) =>
			orHeldBack(await sending.run.frequencyCap.show(cap, async () => await next(sending))),
		undo: async ({ run }) => await run.frequencyCap.free(cap),
	};
};
