import { showFor } from '../fields';

/** Shows a field for Send Template only. */
export const forSend = showFor('sendTemplate');
