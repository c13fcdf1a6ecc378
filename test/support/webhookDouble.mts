import type { IDataObject, IGetNodeParameterOptions, INode, IWebhookFunctions } from 'n8n-workflow';
import assert from 'node:assert/strict';
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
	/** Of the node. */
	settings?: Pick<INode, 'onError' | 'continueOnFail'> | Pick<INode, 'typeVersion'>;
	/** Of the workflow; n8n before 2.38 has no engine to choose. */
	engineType?: 'v1' | 'v2';
	/** n8n is still storing the event, until `end` is called. */
	isUnderWay?: boolean;
}

/** A stand-in for what n8n hands to `webhook()`. */
export async function callWebhook(request: WebhookRequest, setting: WebhookSetting = {}) {
	const { parameters = {}, credential = { webhookSecret: SECRET }, engineType } = setting;
	const { credentialId = JSON.stringify(credential), workflowId = 'workflow' } = setting;
	const reads = { credentialReads: 0, bodyReads: 0 };
	const received = { query: {}, headers: {}, ...request, readRawBody };
	const response = createResponse();
	const log: string[] = [];
	/** Each line is filed under its place. */
	const write = (message: string, place: unknown) => {
		log.push(message);
		assert.deepEqual(place, { workflowId, node: 'Trigger' });
	};

	async function readRawBody() {
		if (received.rawBody) return;
		reads.bodyReads++;
		if (!request.unread) throw new Error('The body was read before');
		if (request.unread instanceof Error) throw request.unread;
		received.rawBody = await Promise.resolve(request.unread);
	}

	const context: unknown = {
		getRequestObject: () => received,
		getResponseObject: () => response.object,
		// A parameter as it was entered is given with a "=" before its name.
		getNodeParameter: (name: string, fallback?: unknown, options?: IGetNodeParameterOptions) =>
			parameters[options?.rawExpressions ? `=${name}` : name] ?? fallback,
		async getCredentials() {
			reads.credentialReads++;
			if (credential instanceof Error) throw credential;
			return credential;
		},
		getMode: () => setting.mode ?? 'webhook',
		getWebhookName: () => setting.webhookName ?? 'default',
		getWorkflow: () => ({ id: workflowId, name: 'Answers', active: true }),
		getWorkflowSettings: () => ({ engineType }),
		getNode: () => ({
			id: setting.nodeId ?? 'node',
			name: 'Trigger',
			...setting.settings,
			credentials: { businessMessagingApi: { id: credentialId, name: 'Account' } },
		}),
		logger: { info: write, warn: write, error: write, debug: write },
	};
	const result = await new BusinessMessagingTrigger().webhook.call(context as IWebhookFunctions);
	const { end, headers, answers } = response;
	// Whoever answers by himself does it once, and n8n answers for the others.
	assert.equal(answers.length, result.noWebhookResponse ? 1 : 0);
	const [answer = { status: 200, body: result.webhookResponse }] = answers;
	if (!setting.isUnderWay) end(answer.status);
	/** The items that start the workflow, by output; undefined when it does not run. */
	const outputs = result.workflowData?.map((items) => (items ?? []).map(({ json }) => json));
	return { ...answer, items: outputs?.flat(), outputs, log, headers, ...reads, end };
}

export type Answered = Awaited<ReturnType<typeof callWebhook>>;

function createResponse() {
	/** Set by hand on an answer that is not n8n's. */
	const headers: Record<string, string> = {};
	const answers: Array<{ status: number; body: unknown }> = [];
	let status = 200;
	const answer = (body: unknown) => answers.push({ status, body });
	const object = Object.assign(new EventEmitter(), {
		statusCode: 200,
		writableFinished: false,
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
	/** Ends the response as n8n or the network would. */
	const end = (code: number, isSent = true) => {
		object.statusCode = code;
		object.writableFinished = isSent;
		object.emit('close');
	};
	return { object, headers, answers, end };
}

export const NOW = '2026-01-31T12:00:00.000Z';
let event = 0;

/** A body that no other test has. */
export function incoming(fields: object = {}): object {
	event++;
	return {
		event: 'message.incoming',
		timestamp: NOW,
		data: { from: '+14155552671', event },
		...fields,
	};
}

export function post(body: unknown, request: WebhookRequest = {}, setting: WebhookSetting = {}) {
	const rawBody = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
	return callWebhook(
		{ query: { token: SECRET }, rawBody, ...request },
		{
			...setting,
			parameters: { events: ['message.incoming'], ...setting.parameters },
		},
	);
}
