import { randomUUID } from 'node:crypto';
import type { ServiceWindows } from './serviceWindow.mts';
import type { Settings } from './settings.mts';
import type { Emitted, Webhooks } from './webhooks.mts';

export class UnknownSubmission extends Error {}

/** What a customer did: wrote a text, or submitted a form. */
export interface CustomerEntry {
	id: string;
	from: string;
	at: number;
	text?: string;
	/** As last changed. */
	formData?: Record<string, unknown>;
	changedAt?: number;
}

/** The person at the other end of the messaging network. */
export function createCustomer(settings: Settings, webhooks: Webhooks, windows: ServiceWindows) {
	const entries: CustomerEntry[] = [];
	const submissions = new Map<string, CustomerEntry>();

	function record(entry: CustomerEntry): void {
		if (settings.recordCalls) entries.push(entry);
	}

	return {
		/** Everything customers wrote and submitted, unless `recordCalls` is off. */
		entries,

		async writes(from: string, text: string): Promise<Emitted> {
			const at = Date.now();
			windows.open(from, at);
			const message_id = `msg_${randomUUID()}`;
			record({ id: message_id, from, at, text });
			return await webhooks.emit('message.incoming', { from, message_id, text });
		},

		async submits(from: string, formData: Record<string, unknown>): Promise<Emitted> {
			const submission_id = `sub_${randomUUID()}`;
			const submission = { id: submission_id, from, at: Date.now(), formData };
			submissions.set(submission_id, submission);
			record(submission);
			return await webhooks.emit('flow.submitted', { submission_id, from, form_data: formData });
		},

		async updates(submissionId: string, formData: Record<string, unknown>): Promise<Emitted> {
			const submission = submissions.get(submissionId);
			if (!submission) throw new UnknownSubmission(`No form was submitted as ${submissionId}`);
			Object.assign(submission, { formData, changedAt: Date.now() });
			const data = { submission_id: submissionId, form_data: formData };
			return await webhooks.emit('flow.updated', data);
		},

		clear(): void {
			entries.length = 0;
			submissions.clear();
		},
	};
}

export type Customer = ReturnType<typeof createCustomer>;
