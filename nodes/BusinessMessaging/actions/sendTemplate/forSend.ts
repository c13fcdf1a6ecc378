import { showFor } from '../fields';

/** Shows a field wherever a message is sent. */
export const forSend = showFor('sendTemplate', 'sendAndWait');
