import type { IDataObject, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import type { Clock } from '../clock';
import { isAllowed, readAllowlist } from './allowlist';
import { readBody } from './body';
import { comesBefore, isChosen, readChosen } from './catalogue';
import { deliveryItem, readDelivery, timeOf } from './delivery';
import { processMemory } from './duplicates/processMemory';
import { lineForLog, quoteForLog } from './log';
import { readTriggerOptions } from './options';
import { ignoredTest, refusedTest } from './refusal';
import type { Ignored } from './refusal';
import { TOKEN_REFUSED, tokenProblem } from './token';

/**
 * Answers one webhook request: a staircase of guards, each an early return (6.4: any 2xx within
 * 5 seconds ends the delivery; everything else is repeated).
 */
export async function receive(
	context: IWebhookFunctions,
	clock: Pick<Clock, 'now'>,
): Promise<IWebhookResponseData> {
	const request = context.getRequestObject();
	const parameters = context.getNodeParameter('options', {}) as IDataObject;
	const receivedAt = new Date(clock.now());

	const ranges = readAllowlist(parameters);
	if (ranges.length > 0 && !isAllowed(request.ip, ranges)) {
		const reason = `address ${quoteForLog(request.ip)} not allowed`;
		return refuse(context, 403, 'This address is not allowed', reason);
	}

	const problem = await tokenProblem(context);
	if (problem) return refuse(context, 401, TOKEN_REFUSED, problem);

	const body = await readBody(request);
	if ('problem' in body) return refuse(context, body.status, body.problem);

	const delivery = readDelivery(body.bytes);
	if ('problem' in delivery) return refuse(context, 400, delivery.problem);

	const chosen = readChosen(context.getNodeParameter('events'));
	if (!isChosen(delivery.event, chosen)) {
		const reason = `${quoteForLog(delivery.event)} is not among the events under Trigger On`;
		return ignore(context, 'notChosen', reason, comesBefore(delivery.event, chosen));
	}

	const options = readTriggerOptions(parameters);
	const { timestamp } = delivery;
	const ageMs = timestamp === undefined ? 0 : receivedAt.getTime() - timeOf(timestamp);
	if (options.maxAgeMinutes > 0 && ageMs > options.maxAgeMinutes * 60_000) {
		return ignore(context, 'tooOld', `it is older than ${options.maxAgeMinutes} minutes`);
	}

	if (options.dropsRepeated) {
		const arrival = await processMemory.arrive(context, delivery.key, options.rememberedHours);
		if (arrival === 'stored') return { webhookResponse: { status: 'duplicate' } };
		if (arrival === 'underWay') return refuse(context, 503, 'The same event is being stored');
	}

	const rawBody = options.withRawBody ? { rawBody: body.bytes.toString() } : {};
	return {
		workflowData: [[{ json: { ...deliveryItem(delivery, receivedAt), ...rawBody } }]],
		webhookResponse: { status: 'accepted' },
	};
}

/** @param listensOn whether the editor, when it listens for a test event, may expect another one */
function ignore(
	context: IWebhookFunctions,
	why: Ignored,
	reason: string,
	listensOn = false,
): IWebhookResponseData {
	context.logger.info(lineForLog(`Webhook event ignored: ${reason}`), whereabouts(context));
	const isTold = context.getMode() === 'manual' && !listensOn;
	return {
		webhookResponse: { status: 'ignored' },
		...(isTold ? { workflowData: [[ignoredTest(why, lineForLog(reason))]] } : {}),
	};
}

/** Answers by itself: n8n answers 200 to whatever a webhook function returns. */
export function refuse(
	context: IWebhookFunctions,
	status: number,
	problem: string,
	reason = problem,
): IWebhookResponseData {
	const line = lineForLog(`Webhook request answered ${status}: ${reason}`);
	context.logger.warn(line, whereabouts(context));
	context.getResponseObject().status(status).json({ status: 'error', message: problem });
	const isTest = context.getMode() === 'manual';
	return {
		noWebhookResponse: true,
		...(isTest ? { workflowData: [[refusedTest(status, lineForLog(reason))]] } : {}),
	};
}

function whereabouts(context: IWebhookFunctions): IDataObject {
	return { workflowId: context.getWorkflow().id, node: context.getNode().name };
}
