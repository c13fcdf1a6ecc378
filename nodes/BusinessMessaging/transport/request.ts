import type { IExecuteFunctions, IHttpRequestOptions } from 'n8n-workflow';

import { readFault } from './faults';
import type { Fault } from './faults';

export const CREDENTIAL = 'businessMessagingApi';

const HIDDEN = '•••';

export interface ApiRequest {
	method: 'GET' | 'POST';
	url: string;
	body?: object;
	timeoutMs: number;
}

/** Any answer of the server, whatever its status. */
export interface Answer {
	status: number;
	headers: Record<string, unknown>;
	/** Parsed when it is JSON, else the text. */
	body: unknown;
}

/** One request, answered or not; never throws. */
export type Exchange = (request: ApiRequest) => Promise<Answer | Fault>;

export function isAnswer(result: Answer | Fault): result is Answer {
	return 'status' in result;
}

/**
 * n8n's HTTP helper as an Exchange. Should an answer repeat the key, it is cut out here, before
 * anything can quote or keep it. With the statuses ignored, the helper does not repeat a
 * request by itself after a 401; without following redirects the key stays at its origin.
 */
export function createExchange(context: IExecuteFunctions, apiKey: string): Exchange {
	return async ({ method, url, body, timeoutMs }) => {
		const options: IHttpRequestOptions = {
			method,
			url,
			body: JSON.stringify(body),
			headers: {
				accept: 'application/json',
				...(body === undefined ? {} : { 'content-type': 'application/json' }),
			},
			encoding: 'text',
			timeout: timeoutMs,
			returnFullResponse: true,
			ignoreHttpStatusErrors: true,
			disableFollowRedirect: true,
		};
		try {
			const response = (await context.helpers.httpRequestWithAuthentication.call(
				context,
				CREDENTIAL,
				options,
			)) as { statusCode: number; headers: Record<string, unknown>; body: unknown };
			return {
				status: response.statusCode,
				headers: response.headers,
				body: parseBody(response.body, apiKey),
			};
		} catch (error) {
			return readFault(error);
		}
	};
}

function parseBody(body: unknown, apiKey: string): unknown {
	if (typeof body !== 'string') return body;
	try {
		return withoutKey(JSON.parse(body), apiKey);
	} catch {
		return body.replaceAll(apiKey, HIDDEN);
	}
}

/** JSON has several ways of writing a character; writing it anew leaves one. */
function withoutKey(value: unknown, apiKey: string): unknown {
	const json = JSON.stringify(value);
	const escapedKey = JSON.stringify(apiKey).slice(1, -1);
	if (!json.includes(escapedKey)) return value;
	return JSON.parse(json.replaceAll(escapedKey, HIDDEN)) as unknown;
}
