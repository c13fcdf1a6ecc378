import { Budget } from '../../nodes/BusinessMessaging/actions/budget';
import { rememberItems } from '../../nodes/BusinessMessaging/actions/sentBefore/sentItems';
import { SendOnce } from '../../nodes/BusinessMessaging/memory/sendOnce';
import { createVirtualClock } from './virtualClock.ts';

/** The memory of a node's first try. */
export const noneSentBefore = rememberItems({}, 0);

/** For a session of which neither an earlier try, nor a key, nor a spending limit is known. */
export const noMemory = {
	sentBefore: noneSentBefore,
	sendOnce: new SendOnce(
		async () => await Promise.reject(new Error('No key')),
		createVirtualClock(),
	),
	budget: new Budget(Infinity),
};
