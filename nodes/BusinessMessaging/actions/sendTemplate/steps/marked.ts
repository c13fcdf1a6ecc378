import { causeNamed } from '../../../errors/catalogue';
import { failureOf } from '../../../errors/failure';
import type { MarkedMessage, RequestHooks } from '../../../memory/marks';
import { KEY_OUTCOME_UNKNOWN } from '../../../memory/sendOnce';
import { failed } from '../../../outcome';
import { phoneOf } from '../../../template/phoneNumber';
import { type SendJob, sentBefore, type Step } from '../sending';
import { contentOf } from './remembered';

/** A dry run sends nothing. */
export function markedMessage(job: SendJob): MarkedMessage | undefined {
	const { message, intendedTo, sendOnceKey, dryRun } = job;
	const { to, templateName } = message;
	if (dryRun) return undefined;
	return {
		kind: [phoneOf(intendedTo ?? to), templateName, intendedTo !== undefined],
		// Its values may differ each time.
		content: sendOnceKey ?? contentOf(job),
		sentBefore: sentBefore(job),
		interrupted: sendOnceKey === undefined ? INTERRUPTED : KEY_OUTCOME_UNKNOWN,
	};
}

const INTERRUPTED = failed({ failure: failureOf(causeNamed('interrupted'), 'unknown') });

/** Marks the message immediately before each request, so that a Retry knows it, whatever ends this run. */
export const marked: Step = {
	policy: (job) => {
		const message = markedMessage(job);
		if (!message) return undefined;
		let hooks: RequestHooks | undefined;
		return {
			send: (next) => async (sending) => {
				const { marks, account } = sending.run;
				if (!marks) return await next(sending);
				return await marks.withMark({ ...message, account }, async (ofMark) => {
					hooks = ofMark;
					return await next({ ...sending, hooks });
				});
			},
			undo: async () => await hooks?.undelivered(),
		};
	},
};
