import type { MarkedMessage } from '../../../memory/marks';
import { phoneOf } from '../../../template/phoneNumber';
import type { SendJob, Step } from '../sending';
import { contentOf } from './remembered';

/** A Send Once Key does the same. A dry run sends nothing. */
export function markedMessage(job: SendJob): MarkedMessage | undefined {
	const { message, intendedTo, sendOnceKey, dryRun } = job;
	const { to, templateName } = message;
	if (sendOnceKey !== undefined || dryRun) return undefined;
	const test = intendedTo === undefined ? {} : { intendedTo };
	return {
		kind: [phoneOf(intendedTo ?? to), templateName, intendedTo !== undefined],
		content: contentOf(job),
		json: { to, ...test, template_name: templateName },
	};
}

/** Marks the message immediately before each request, so that a Retry knows it, whatever ends this run. */
export const marked: Step = {
	policy: (job) => {
		const message = markedMessage(job);
		return (
			message && {
				send: async (sending, next) => {
					const { marks } = sending.run;
					if (!marks) return await next(sending);
					return await marks.send(message, async (hooks) => await next({ ...sending, ...hooks }));
				},
			}
		);
	},
};
