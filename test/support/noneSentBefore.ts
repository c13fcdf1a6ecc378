import { Budget } from '../../nodes/BusinessMessaging/actions/budget';
import type { KeyedSends } from '../../nodes/BusinessMessaging/actions/keyedSends';
import { rememberItems } from '../../nodes/BusinessMessaging/actions/sentBefore/sentItems';

/** The memory of a node's first try. */
export const noneSentBefore = rememberItems({}, 0);

const noKeys: KeyedSends = {
	known: new Set(),
	shown: new Set(),
	look: async () => new Set(),
	once: async (_, send) => await send(),
	takeBack: async () => undefined,
	close: async () => undefined,
};

/** For a session of which neither an earlier try, nor a key, nor a spending limit is known. */
export const noMemory = {
	sentBefore: noneSentBefore,
	sendOnce: noKeys,
	budget: new Budget(Infinity),
};
