import { createBudget } from '../../nodes/BusinessMessaging/actions/run/budget';
import { rememberItems } from '../../nodes/BusinessMessaging/actions/sentBefore/sentItems';

/** The memory of a node's first try. */
export const noneSentBefore = rememberItems({}, 0);

/** For a session of which neither an earlier try nor a spending limit is known. */
export const noMemory = { sentBefore: noneSentBefore, budget: createBudget([], Infinity) };
