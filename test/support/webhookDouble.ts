import type { IDataObject, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import { EventEmitter } from 'node:events';

import { BusinessMessagingTrigger } from '../../nodes/BusinessMessaging/BusinessMessagingTrigger.node';

export const SECRET = 'secret-for-tests-0815';

export interface WebhookRequest {
	query?: unknown;
	headers?: Record<string, unknown>;
	/** The body that n8n has read. */
	rawBody?: Buffer;
	/** A body of a kind that n8n leaves unread: it is read by asking for it, or fails. */
	unread?: Buffer | Error;
	ip?: string;
}

export interface WebhookSetting {
	parameters?: IDataObject;
	/** Or what n8n throws instead. */
	credential?: IDataObject | Error;
	/** Another one for each content of the credential, unless given. */
	credentialId?: string;
	mode?: 'webhook' | 'manual';
	webhookName?: string;
	workflowId?: string;
	nodeId?: string;
	/** Of the workflow; n8n before 2.38 has no engine to choose. */
	engineType?: 'v1' | 'v2';
	/** n8n is still storing the event, until `end` is called. */
	isUnderWay?: boolean;
	/** The sender has closed the connection before n8n got to the request. */
	isGone?: boolean;
}

/** A strict stand-in for what n8n hands to `webhook()`: it throws on anything that it was not given. */
export async function callWebhook(request: WebhookRequest, setting: WebhookSetting = {}) {
	const response = createResponse(setting.isGone);
	const log: string[] = [];
	/** What each line of the log is filed under. */
	const places: unknown[] = [];
	const write = (message: string, place: unknown) => {
		log.push(message);
		places.push(place);
	};
	const received = createRequest(request);
	let credentialReads = 0;
	const credential = setting.credential ?? { webhookSecret: SECRET };
	const credentialId = setting.credentialId ?? JSON.stringify(credential);
	const given: Partial<IWebhookFunctions> = {
		getRequestObject: () => received.object as never,
		getResponseObject: () => response.object as never,
		getNodeParameter: ((name: string, fallback?: unknown) =>
			setting.parameters?.[name] ?? fallback) as never,
		getCredentials: (async () => {
			credentialReads++;
			if (credential instanceof Error) throw credential;
			return credential;
		}) as never,
		getMode: () => setting.mode ?? 'webhook',
		getWebhookName: () => (setting.webhookName ?? 'default') as never,
		getWorkflow: () => ({ id: setting.workflowId ?? 'workflow', active: true }) as never,
		getWorkflowSettings: () => ({ engineType: setting.engineType }),
		getNode: () =>
			({
				id: setting.nodeId ?? 'node',
				name: 'Trigger',
				credentials: { businessMessagingApi: { id: credentialId, name: 'Account' } },
			}) as never,
		logger: { info: write, warn: write, error: write, debug: write } as never,
	};
	const context = new Proxy(given, {
		get(target, name) {
			if (name in target) return target[name as keyof typeof target];
			throw new Error(`The webhook function asked for ${String(name)}`);
		},
	}) as IWebhookFunctions;

	const result = await new BusinessMessagingTrigger().webhook.call(context);
	const { headers, end } = response;
	const answer = read(result, response);
	if (!setting.isUnderWay) end(answer.status);
	return {
		...answer,
		log,
		places,
		/** What was set by hand on an answer that is not n8n's. */
		headers,
		credentialReads,
		/** How often an unread body was read. */
		bodyReads: received.reads(),
		/** Ends the response as n8n or the network would. */
		end,
	};
}

export type Answered = Awaited<ReturnType<typeof callWebhook>>;

function createRequest({ unread, ...request }: WebhookRequest) {
	let reads = 0;
	const object = {
		query: {},
		headers: {},
		...request,
		async readRawBody() {
			if (object.rawBody) return;
			reads++;
			if (!unread) throw new Error('The body was read before');
			if (unread instanceof Error) throw unread;
			object.rawBody = await Promise.resolve(unread);
		},
	};
	return { object, reads: () => reads };
}

function read(result: IWebhookResponseData, response: ReturnType<typeof createResponse>) {
	const outputs = result.workflowData?.map((items) => (items ?? []).map(({ json }) => json));
	/** Undefined when the workflow does not start. */
	const items = outputs?.flat();
	const n8nAnswers = { status: 200, body: result.webhookResponse as unknown };
	const answer = result.noWebhookResponse ? response.sent() : n8nAnswers;
	if (!answer) throw new Error('Nobody answered the request');
	return { ...answer, items, outputs };
}

function createResponse(isGone = false) {
	let status = 200;
	const headers: Record<string, string> = {};
	let sent: { status: number; body: unknown } | undefined;
	const answer = (body: unknown) => {
		if (sent) throw new Error('The request was answered twice');
		sent = { status, body };
	};
	const object = Object.assign(new EventEmitter(), {
		statusCode: 200,
		writableFinished: false,
		destroyed: isGone,
		setHeader(name: string, value: string) {
			headers[name] = value;
			return object;
		},
		type: (value: string) => object.setHeader('content-type', value),
		status(code: number) {
			status = code;
			return object;
		},
		json: answer,
		send: answer,
	});
	const end = (code: number, isSent = true) => {
		object.statusCode = code;
		object.writableFinished = isSent;
		object.emit('close');
	};
	return { object, headers, sent: () => sent, end };
}
