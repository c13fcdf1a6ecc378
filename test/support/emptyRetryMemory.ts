import { Budget } from '../../nodes/BusinessMessaging/actions/budget';
import { RetryMemory } from '../../nodes/BusinessMessaging/actions/retryMemory';
import { SendOnce } from '../../nodes/BusinessMessaging/memory/sendOnce';
import { createVirtualClock } from './virtualClock.ts';

/** The memory of a node's first attempt. */
export const emptyRetryMemory = new RetryMemory({}, 0);

/** For a run without earlier attempts, keys and a spending limit. */
export const noMemory = {
	retryMemory: emptyRetryMemory,
	sendOnce: new SendOnce(
		async () => await Promise.reject(new Error('No key')),
		createVirtualClock(),
	),
	budget: new Budget(Infinity),
};
