import type { Asked, Question } from '../../nodes/BusinessMessaging/actions/operation';
import { createVirtualClock } from './virtualClock.ts';

export const QUESTION: Question = {
	kind: 'approval',
	text: 'May we?',
	choices: ['Yes', 'No'],
	asksReason: false,
};

/** A question that was sent when a virtual clock starts, whose time is over after a minute. */
export const ASKED: Asked = {
	round: 1,
	question: QUESTION,
	until: createVirtualClock().now() + 60_000,
	message: { message_id: 'm1' },
	isReview: false,
};
