import { notStarted, failed } from '../../nodes/BusinessMessaging/errors/failure';
import { type Outcome } from '../../nodes/BusinessMessaging/outcome';

const { failure } = notStarted();
const MESSAGE = { message_id: 'm1', cost: { amount: 0.115, currency: 'INR' } };

/** What can become of a message that is sent. */
export const OUTCOMES = {
	sent: { kind: 'sent', json: MESSAGE },
	unknown: failed({ ...failure, outcome: 'unknown' }),
	undelivered: failed({ ...failure, outcome: 'rejected' }, MESSAGE),
	notSent: failed(failure),
} satisfies Record<string, Outcome>;

export type OutcomeName = keyof typeof OUTCOMES;

/** Whether the customer has the message, or may have it. */
export function mayHaveIt(name: OutcomeName): boolean {
	return name === 'sent' || name === 'unknown';
}
