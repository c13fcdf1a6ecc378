import { randomUUID } from 'node:crypto';
import { PRICES, type Category } from './price.mts';
import { progressOf, type Course } from './progress.mts';
import { Refused } from './refused.mts';
import type { ServiceWindows } from './serviceWindow.mts';
import { REFUSALS } from './wellKnown.mts';

export interface SendRequest {
	to: string;
	type: string;
	templateName: string;
	templateVariables?: Record<string, string>;
	category: Category;
}

export interface StoredMessage extends Course {
	messageId: string;
	/** Whose keys can look it up. */
	account: string;
	to: string;
	templateName: string;
	templateVariables: Record<string, string>;
	category: Category;
	/** INR */
	amount: number;
}

/** The service's side of section 4.1: the message, to be stored; refuses it as the well-known names and numbers ask. */
export function accept(
	account: string,
	request: SendRequest,
	course: Course,
	windows: ServiceWindows,
): StoredMessage {
	const { to, templateName, templateVariables = {}, category } = request;
	const refusal = REFUSALS.find(
		(each) => each.recipient === to || each.templateName === templateName,
	);
	if (refusal) throw new Refused(refusal);
	if (category === 'service' && !windows.isOpen(to, course.sentAt)) {
		throw Refused.because(131047, 'The 24-hour window has expired');
	}
	return {
		...course,
		messageId: `msg_${randomUUID()}`,
		account,
		to,
		templateName,
		templateVariables,
		category,
		amount: PRICES[category],
	};
}

/** Section 2.2 of the API document. */
export function sentMessage(message: StoredMessage) {
	return {
		message_id: message.messageId,
		to: message.to,
		status: 'sent',
		template_name: message.templateName,
		category: message.category,
		cost: { amount: message.amount, currency: 'INR', pricing_category: message.category },
		sent_at: new Date(message.sentAt).toISOString(),
	};
}

/** Section 2.3 of the API document, at the given moment. */
export function statusRecord(message: StoredMessage, now: number) {
	const { status, deliveredAt, readAt } = progressOf(message, now);
	return {
		message_id: message.messageId,
		status,
		to: message.to,
		sent_at: new Date(message.sentAt).toISOString(),
		delivered_at: isoOrNull(deliveredAt),
		read_at: isoOrNull(readAt),
		template_name: message.templateName,
		cost: message.amount,
	};
}

function isoOrNull(time: number | undefined): string | null {
	return time === undefined ? null : new Date(time).toISOString();
}

/** How many different recipients got exactly one message. */
export function deliveredOnce(messages: Map<string, StoredMessage>): number {
	const counts = new Map<string, number>();
	for (const { to } of messages.values()) counts.set(to, (counts.get(to) ?? 0) + 1);
	return [...counts.values()].filter((count) => count === 1).length;
}
