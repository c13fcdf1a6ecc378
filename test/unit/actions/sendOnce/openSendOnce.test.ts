import type { IExecuteFunctions } from 'n8n-workflow';

import { openSendOnce } from '../../../../nodes/BusinessMessaging/actions/sendOnce/openSendOnce';

// README, Send once: the newest 10,000 keys are kept
it.each([
	[10_001, 'There are 10,001 Send Once Keys, but the node remembers only the newest 10,000'],
	[10_000, 'no database'],
])('of %d keys in a run it says: %s', async (count, expected) => {
	const context = {
		getWorkflow: () => ({ id: '1' }),
		getNode: () => ({ id: '2' }),
		helpers: {
			checkProcessedAndRecord: async () => await Promise.reject(new Error('no database')),
		},
	} as unknown as IExecuteFunctions;
	const keys = Array.from({ length: count }, (_, index) => `order-${index}`);
	await expect(openSendOnce(context, [...keys, 'order-0'])).rejects.toThrow(expected);
});
