import type { IDataObject, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import { isAllowed, readAllowlist } from './allowlist';
import { isChosen } from './catalogue';
import { deliveryItem, readDelivery, timeOf } from './delivery';
import { isRepeated } from './processMemory';
import { tokenProblem } from './secrets';

const MAX_BODY_BYTES = 1024 * 1024;
const DEFAULT_DEDUPLICATION_HOURS = 24;

interface TriggerOptions {
	deduplicate?: boolean;
	deduplicationHours?: number;
	ipAllowlist?: string;
	maxEventAgeMinutes?: number;
	rawBody?: boolean;
}

/**
 * Answers one webhook request: a staircase of guards, each an early return (6.4: any 2xx within
 * 5 seconds ends the delivery; everything else is repeated).
 */
export async function receive(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	const request = context.getRequestObject();
	const options = context.getNodeParameter('options', {}) as TriggerOptions;
	const receivedAt = new Date();

	const ranges = readAllowlist(options);
	if (ranges.length > 0 && !isAllowed(request.ip, ranges)) {
		return refuse(context, 403, 'This address is not allowed', `address ${request.ip} not allowed`);
	}

	const problem = await tokenProblem(context);
	if (problem) return refuse(context, 401, 'The token is missing or wrong', problem);

	const body: unknown = request.rawBody ?? request.body;
	if (sizeOf(body, request.headers) > MAX_BODY_BYTES) {
		return refuse(context, 413, 'The body is over 1 MiB');
	}

	const delivery = readDelivery(body);
	if ('problem' in delivery) return refuse(context, 400, delivery.problem);

	if (!isChosen(delivery.event, context.getNodeParameter('events', []) as string[])) {
		return ignore(context, `"${delivery.event.slice(0, 100)}" is not among the chosen events`);
	}

	const ageMs = receivedAt.getTime() - timeOf(delivery.timestamp);
	if (options.maxEventAgeMinutes && ageMs > options.maxEventAgeMinutes * 60_000) {
		return ignore(context, `older than ${options.maxEventAgeMinutes} minutes`);
	}

	const hours = options.deduplicationHours ?? DEFAULT_DEDUPLICATION_HOURS;
	if (options.deduplicate !== false && isRepeated(context, delivery.key, hours)) {
		return { webhookResponse: { status: 'duplicate' } };
	}

	const rawBody = options.rawBody ? { rawBody: String(body) } : {};
	return {
		workflowData: [[{ json: { ...deliveryItem(delivery, receivedAt), ...rawBody } }]],
		webhookResponse: { status: 'accepted' },
	};
}

/** n8n keeps no bytes of some kinds of body; the sender's own figure counts then. */
function sizeOf(body: unknown, headers: { 'content-length'?: string }): number {
	return Buffer.isBuffer(body) ? body.length : Number(headers['content-length'] ?? 0);
}

function ignore(context: IWebhookFunctions, reason: string): IWebhookResponseData {
	context.logger.info(`Webhook event ignored: ${reason}`, whereabouts(context));
	return { webhookResponse: { status: 'ignored' } };
}

/** Answers by itself: n8n answers 200 to whatever a webhook function returns. */
export function refuse(
	context: IWebhookFunctions,
	status: number,
	problem: string,
	reason = problem,
): IWebhookResponseData {
	context.logger.warn(`Webhook request answered ${status}: ${reason}`, whereabouts(context));
	context.getResponseObject().status(status).json({ status: 'error', message: problem });
	return { noWebhookResponse: true };
}

function whereabouts(context: IWebhookFunctions): IDataObject {
	return { workflowId: context.getWorkflow().id, node: context.getNode().name };
}
