import { rememberItems } from '../../nodes/BusinessMessaging/actions/sentItems';

/** The memory of a node's first try. */
export const noneSentBefore = rememberItems({}, 0);
