import { messageNow } from '../request';
import { type Policy, skipped, type Step } from '../sending';

/** Test Messages: the test recipient of a manual run gets so many. Further items show what would be sent. */
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
