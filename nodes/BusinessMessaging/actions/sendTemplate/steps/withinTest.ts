import { messageNow } from '../request';
import { type Policy, skipped, type Step } from '../sending';

/** Test Messages: what a manual run sends the test recipient no more is shown. */
export const withinTest: Step = {
	policy: ({ isBeyondTest }) => {
		if (!isBeyondTest) return undefined;
		const skip: Policy['send'] = () => async (sending) => {
			const { json, estimate } = messageNow(sending);
			return await Promise.resolve({ ...skipped('onlyTested', json), estimate });
		};
		return { send: skip, show: skip };
	},
};
