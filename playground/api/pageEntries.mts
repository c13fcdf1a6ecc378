import { randomUUID } from 'node:crypto';
import type { ApiCall } from './calls.mts';
import type { Customer } from './customer.mts';
import type { Delivery } from './deliveryAttempt.mts';
import type { Demo, DemoWorkflow } from './demo.mts';
import type { StoredMessage } from './messages.mts';
import { progressOf } from './progress.mts';
import type { Settings } from './settings.mts';
import { DELIVERY_ERROR } from './statusEvents.mts';
import type { Webhooks } from './webhooks.mts';
import { RECIPIENTS, WITHOUT_NUMBER } from './wellKnown.mts';

/** What has happened at the server so far. */
export interface Recorded {
	settings: Settings;
	calls: ApiCall[];
	messages: Map<string, StoredMessage>;
	webhooks: Webhooks;
	customer: Customer;
	demo: Demo;
}

/** One thing on the phone page. */
export interface PageEntry {
	kind: 'account' | 'call' | 'delivery' | 'message' | 'customer';
	id: string;
	[field: string]: unknown;
}

/** Of each kind. */
const NEWEST = 200;
const LONGEST_TEXT = 2000;

/** What the phone page shows. Without headers and queries, which carry keys and tokens. */
export function createPageEntries({
	settings,
	calls,
	messages,
	webhooks,
	customer,
	demo,
}: Recorded) {
	const ids = new WeakMap<object, string>();

	function idOf(record: object): string {
		const id = ids.get(record) ?? randomUUID();
		ids.set(record, id);
		return id;
	}

	const workflowWhere = (isIt: (workflow: DemoWorkflow) => boolean) => {
		const { name, url } = demo.scene.workflows.find(isIt) ?? {};
		return name && { name, url };
	};

	const account = (): PageEntry => ({
		kind: 'account',
		id: 'account',
		...demo.scene,
		receivers: webhooks.urls.map(withoutQuery),
		customers: { ...RECIPIENTS, [WITHOUT_NUMBER]: 'hides the number' },
	});

	function callEntry(call: ApiCall): PageEntry {
		const path = withoutQuery(call.path);
		return {
			kind: 'call',
			id: idOf(call),
			at: call.receivedAt,
			method: call.method,
			path,
			status: call.answeredStatus,
			violations: call.violations.map((text) => text.replaceAll(call.path, () => path)),
			body: shortened(call.body),
			answer: shortened(call.answer),
		};
	}

	const deliveryEntry = (delivery: Delivery): PageEntry => ({
		kind: 'delivery',
		id: delivery.id,
		at: delivery.startedAt,
		receiver: withoutQuery(delivery.url),
		workflow: workflowWhere(({ receiver }) => receiver === withoutQuery(delivery.url)),
		event: delivery.event,
		attempt: delivery.attempt,
		attempts: settings.webhookRetries + 1,
		tookMs: delivery.tookMs,
		status: delivery.status,
		error: delivery.error,
		body: shortened(delivery.body),
		answer: shortened(delivery.answer),
	});

	function messageEntry(message: StoredMessage, now: number): PageEntry {
		const { messageId, to, sentAt, failedAt, templateName, category, amount } = message;
		const { status, deliveredAt, readAt } = progressOf(message, now);
		const texts = settings.templateTexts;
		return {
			kind: 'message',
			id: messageId,
			at: sentAt,
			number: to,
			templateName,
			templateText: Object.hasOwn(texts, templateName) ? texts[templateName] : undefined,
			variables: message.templateVariables,
			workflow: workflowWhere(({ templates }) => templates.includes(templateName)),
			isAnswered: demo.isAnswered(message.templateVariables, now),
			category,
			amount,
			status,
			statusAt: { sent: sentAt, delivered: deliveredAt, read: readAt, failed: failedAt }[status],
			error: status === 'failed' ? DELIVERY_ERROR : undefined,
		};
	}

	return function entries(): PageEntry[] {
		const now = Date.now();
		return [
			account(),
			...calls.slice(-NEWEST).map(callEntry),
			...webhooks.deliveries.slice(-NEWEST).map(deliveryEntry),
			...[...messages.values()].slice(-NEWEST).map((message) => messageEntry(message, now)),
			...customer.entries
				.slice(-NEWEST)
				.map(({ from, ...entry }): PageEntry => ({ kind: 'customer', number: from, ...entry })),
		];
	};
}

function shortened(body: unknown): string {
	const text = typeof body === 'string' ? body : (JSON.stringify(body) ?? '');
	return text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT)}…` : text;
}

function withoutQuery(url: string): string {
	return url.split(/[?#]/, 1)[0];
}
