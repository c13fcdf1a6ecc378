import type { Category } from '../../../api';
import type { Outcome } from '../../../outcome';
import { categoryAt } from '../../../template/pricing';
import { sendAfter } from '../sendBetween';
import { heldBack, type Sending, type Step } from '../sending';

/** Send Between: the message goes out within the hours. */
export const withinHours: Step = (job) => {
	const { sendBetween, categoryChoice } = job;
	if (!sendBetween) return undefined;
	const quiet = ({ clock }: Sending['run'], category: Category): Outcome | undefined => {
		const opens = sendAfter(sendBetween, category, clock.now());
		if (opens === undefined) return undefined;
		return { ...heldBack(job, 'quietHours', opens), zones: sendBetween.zones };
	};
	const now = ({ run }: Sending) => quiet(run, categoryAt(categoryChoice, run.clock.now()));
	return {
		send: async (sending, next) => {
			const isStillOpen = (category: Category) => quiet(sending.run, category);
			const lastChecks = [...sending.lastChecks, isStillOpen];
			// Without this look the rest of a campaign would queue for the rate limit only to be skipped.
			return now(sending) ?? (await next({ ...sending, lastChecks }));
		},
		show: async (sending, next) => now(sending) ?? (await next(sending)),
	};
};
