import { randomUUID } from 'node:crypto';
import type { ServiceWindows } from './serviceWindow.ts';
import type { Emitted, Webhooks } from './webhooks.ts';

export class UnknownSubmission extends Error {}

/** The person at the other end of the messaging network. */
export function createCustomer(webhooks: Webhooks, windows: ServiceWindows) {
	const submissions = new Set<string>();

	return {
		async writes(from: string, text: string): Promise<Emitted> {
			windows.open(from, Date.now());
			const message_id = `msg_${randomUUID()}`;
			return await webhooks.emit('message.incoming', { from, message_id, text });
		},

		async submits(from: string, formData: Record<string, unknown>): Promise<Emitted> {
			const submission_id = `sub_${randomUUID()}`;
			submissions.add(submission_id);
			return await webhooks.emit('flow.submitted', { submission_id, from, form_data: formData });
		},

		async updates(submissionId: string, formData: Record<string, unknown>): Promise<Emitted> {
			if (!submissions.has(submissionId)) {
				throw new UnknownSubmission(`No form was submitted as ${submissionId}`);
			}
			const data = { submission_id: submissionId, form_data: formData };
			return await webhooks.emit('flow.updated', data);
		},
	};
}

export type Customer = ReturnType<typeof createCustomer>;
