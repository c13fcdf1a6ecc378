import { createHash } from 'node:crypto';
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

/** Signs links as n8n does: by their path and query. */
export function signing(execution = '7', origin = 'https://n8n.example.com') {
	return {
		getSignedResumeUrl: (query: Record<string, string> = {}) => {
			const signed = `/webhook-waiting/${execution}/2?${String(new URLSearchParams(query))}`;
			const signature = createHash('sha256').update(`secret${signed}`).digest('hex');
			return `${origin}${signed}&signature=${signature}`;
		},
	};
}
