import type { INodeExecutionData, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import type { Clock } from '../clock';
import { InputError } from '../inputError';
import { lineForLog, quoteForLog } from '../values';
import { tokenProblem } from './access';
import { isChosen, kindOf } from './catalogue';
import { logDelivery } from './deliveryLog';
import { processMemory } from './duplicates';
import { deliveryItem, readDelivery } from './event';
import { readSettings } from './fields';
import { isAllowed } from './ipAllowlist';

/**
 * Answers one webhook request. The order of the guards matters: address, token, size, content. Any 2xx within
 * 5 seconds ends the delivery; after anything else the sender repeats it (6.4).
 */
export async function receive(
	context: IWebhookFunctions,
	clock: Pick<Clock, 'now'>,
): Promise<IWebhookResponseData> {
	const request = context.getRequestObject();
	const { ranges, hours, chosen } = readSettings(context);
	const receivedAt = new Date(clock.now());

	if (ranges.length > 0 && !isAllowed(request.ip, ranges)) {
		const reason = `address ${quoteForLog(request.ip)} not allowed`;
		return refuse(context, 403, 'This address is not allowed', reason);
	}

	const problem = await tokenProblem(context);
	// The sender is told nothing of a credential that is not set up.
	if (problem) return refuse(context, 401, 'The token is missing or wrong', problem);

	const body = await readBody(request);
	if ('problem' in body) return refuse(context, body.status, body.problem);

	const delivery = readDelivery(body.bytes);
	if ('problem' in delivery) return refuse(context, 400, delivery.problem);

	if (!isChosen(delivery.event, chosen)) {
		const reason = `${quoteForLog(delivery.event)} is not among the events under Trigger On`;
		// The event that somebody listens for may still come.
		const remedy = kindOf(delivery.event)?.othersFollow ? undefined : CHOOSE_EVENT;
		return ignore(context, reason, remedy);
	}

	if (hours !== undefined && processMemory.isRepeated(context, delivery.key, hours)) {
		return drop(context, delivery.event);
	}

	return {
		workflowData: [[{ json: deliveryItem(delivery, receivedAt) }]],
		webhookResponse: { status: 'accepted' },
	};
}

const CHOOSE_EVENT = 'Choose this event there, or cause one that is chosen.';
const REMEDIES: Record<number, string> = {
	400: 'Send an event of the Business Messaging API, such as one from your dashboard.',
	401: 'The sender must call the Test URL with ?token= and the Webhook Secret of the credential at its end.',
	403: 'Add the address to IP Allowlist under Options, if it is the sender of your events.',
	413: 'Send a smaller event.',
};

function drop(context: IWebhookFunctions, event: string): IWebhookResponseData {
	const reason = `an execution of this process has this ${quoteForLog(event)} already`;
	logDelivery(context, 'info', `Webhook event dropped: ${reason}`);
	return { webhookResponse: { status: 'duplicate' } };
}

/** @param remedy undefined lets the editor go on listening for a test event */
function ignore(context: IWebhookFunctions, reason: string, remedy?: string): IWebhookResponseData {
	logDelivery(context, 'info', `Webhook event ignored: ${reason}`);
	return {
		webhookResponse: { status: 'ignored' },
		...(remedy ? standIn(context, `The test event was ignored: ${reason}`, remedy) : {}),
	};
}

/** Answers by itself, because n8n answers 200 to whatever a webhook function returns. */
export function refuse(
	context: IWebhookFunctions,
	status: number,
	problem: string,
	reason = problem,
): IWebhookResponseData {
	logDelivery(context, 'warn', `Webhook request answered ${status}: ${reason}`);
	context.getResponseObject().status(status).json({ status: 'error', message: problem });
	const remedy = REMEDIES[status] ?? 'Correct it and listen again.';
	return {
		noWebhookResponse: true,
		...standIn(context, `The test event was refused: ${reason}`, remedy),
	};
}

/**
 * An item in place of a test event that starts no run, so that whoever listens in the editor learns why. n8n shows
 * nothing of a request that starts no run.
 */
function standIn(context: IWebhookFunctions, message: string, remedy: string) {
	if (context.getMode() !== 'manual') return {};
	// If On Error is set to continue, n8n would pass this item on as if it were an event.
	const { onError = 'stopWorkflow', continueOnFail } = context.getNode();
	if (onError !== 'stopWorkflow' || continueOnFail) return {};
	return { workflowData: [[{ json: { notAccepted: { message: lineForLog(message), remedy } } }]] };
}

export function isStandIn([first]: INodeExecutionData[]): boolean {
	return 'notAccepted' in first.json;
}

/** @throws InputError when a test event that was refused or ignored has started the run */
export function assertAccepted([first]: INodeExecutionData[]): void {
	const problem = first?.json.notAccepted as { message: string; remedy: string } | undefined;
	if (problem) throw new InputError(problem.message, problem.remedy);
}

const MAX_BODY_BYTES = 1024 * 1024;
const TOO_LARGE = { status: 413, problem: 'The body is over 1 MiB' };
const UNREADABLE = { status: 400, problem: 'The body could not be read' };

/**
 * The bytes of a request, unpacked. n8n has read the kinds of body that it knows; the others are read here.
 * @returns the bytes, or how to answer without them
 */
async function readBody(request: ReturnType<IWebhookFunctions['getRequestObject']>) {
	// The sender's own figure, before the bytes are read.
	if (Number(request.headers['content-length']) > MAX_BODY_BYTES) return TOO_LARGE;
	try {
		await request.readRawBody();
	} catch (error) {
		// Over n8n's own limit.
		return (error as { status?: unknown }).status === TOO_LARGE.status ? TOO_LARGE : UNREADABLE;
	}
	return request.rawBody.length > MAX_BODY_BYTES ? TOO_LARGE : { bytes: request.rawBody };
}

const GREETING =
	'This address receives events. It works: enter it in your dashboard as the webhook URL. If you chose a secret, add ?token= and the secret to its end.\n';
const MAX_CHALLENGE_LENGTH = 1000;

/**
 * Answers a GET on the webhook URL, from a browser or from a dashboard that tests the address. Says nothing about
 * the workflow. A challenge is sent back as it came, as plain text.
 */
export function greet(context: IWebhookFunctions): IWebhookResponseData {
	const { challenge } = context.getRequestObject().query as Record<string, unknown>;
	const isEchoed = typeof challenge === 'string' && challenge.length <= MAX_CHALLENGE_LENGTH;
	const response = context.getResponseObject();
	response.setHeader('x-content-type-options', 'nosniff');
	response
		.status(200)
		.type('text/plain')
		.send(isEchoed ? challenge : GREETING);
	return { noWebhookResponse: true };
}
