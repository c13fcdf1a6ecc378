import type { Category } from '../../../api';
import type { Failed } from '../../../errors/failure';
import { isWindowClosed } from '../../../errors/responseErrors';
import type { Outcome } from '../../../outcome';
import type { Spending } from '../../options/spendingLimit';
import { isFirstAsService } from '../../output';
import type { Policy, SendJob, Step } from '../sending';

/**
 * Auto took the service window for open, and the network says that it is closed: the message is sent once more, with
 * Fallback Category. Only if it was rejected for certain: after an unclear response the first message may have gone.
 */
export const inFallback: Step = {
	policy: (job) => {
		if (!job.categoryChoice.fallbackCategory) return undefined;
		const send: Policy['send'] = (next) => async (sending) => {
			let requested: Category | undefined;
			const note = (category: Category) => {
				requested = category;
				return undefined;
			};
			const first = await next({ ...sending, lastChecks: [...sending.lastChecks, note] });
			if (!needsFallback(first, requested)) return first;
			const last = await next({ ...sending, rejection: first.failure });
			return last.kind === 'failed' ? { message: first.message, ...last } : last;
		};
		return { send, show: send };
	},
};

/**
 * What a message costs that an earlier attempt sent, in INR. 0: it is waited for, and may still turn out to have been
 * outside of the window. Undefined: it is not sent again.
 */
export function fallbackPrice(
	job: SendJob,
	before: Outcome,
	spending: Pick<Spending, 'priceOf'>,
): number | undefined {
	const { fallbackCategory: category } = job.categoryChoice;
	if (!category) return undefined;
	if (needsFallback(before)) return spending.priceOf({ category, to: job.message.to });
	return job.wait && before.kind === 'sent' && isFirstAsService(before.json) ? 0 : undefined;
}

/** @param requested the category of the request, if this attempt has made it */
function needsFallback(outcome: Outcome, requested?: Category): outcome is Failed {
	if (outcome.kind !== 'failed' || !isWindowClosed(outcome.failure)) return false;
	return requested ? requested === 'service' : isFirstAsService(outcome.message ?? {});
}
