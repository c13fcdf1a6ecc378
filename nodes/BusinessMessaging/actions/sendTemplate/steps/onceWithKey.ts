import type { Outcome } from '../../../outcome';
import type { Step } from '../sending';

/** Send Once Key: only one message with the key is sent, also by later executions. */
export const onceWithKey: Step = ({ sendOnceKey: key }) => {
	if (key === undefined) return undefined;
	const skipped: Outcome = {
		kind: 'skipped',
		reason: 'sentBefore',
		json: { skipped: 'sentBefore', key },
	};
	return {
		send: async (sending, next) => {
			const { sendOnce, signal } = sending.run;
			const send = async () => await next(sending);
			return (await sendOnce.send(key, send, signal)) ?? skipped;
		},
		show: async (sending, next) => {
			const show = async () => await next(sending);
			return (await sending.run.sendOnce.show(key, show)) ?? skipped;
		},
		undo: async ({ run }) => await run.sendOnce.free(key),
	};
};
