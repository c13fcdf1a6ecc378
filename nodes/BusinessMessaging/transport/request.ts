import type { IExecuteFunctions, IHttpRequestOptions } from 'n8n-workflow';

import type { Answer } from '../answer';
import { CREDENTIAL } from '../api';
import type { Clock } from '../clock';
import { readFault } from '../errors/faults';
import type { Fault } from '../errors/faults';
import { LATE, untilDeadline } from './deadline';
import { createKeyCutter } from './keyCutter';
import type { KeyCutter } from './keyCutter';

export interface ApiRequest {
	method: 'GET' | 'POST';
	url: string;
	body?: object;
	/** Until the answer is there whole. */
	timeoutMs: number;
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
export function createExchange(
	context: IExecuteFunctions,
	apiKey: string,
	clock: Pick<Clock, 'sleep'>,
): Exchange {
	const cutter = createKeyCutter(apiKey);
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
		const late = new AbortController();
		try {
			// The helper's own timer stops when the headers are there; what drips in holds it up.
			const response = await untilDeadline(
				send(endedBy(context, late.signal), options),
				timeoutMs,
				clock,
			);
			if (response !== LATE) return toAnswer(response, cutter);
			late.abort();
			return { kind: 'timeout', beforeSending: false };
		} catch (error) {
			return readFault(error);
		}
	};
}

interface Response {
	statusCode: number;
	headers: Record<string, unknown>;
	body: unknown;
}

async function send(context: IExecuteFunctions, options: IHttpRequestOptions): Promise<Response> {
	return (await context.helpers.httpRequestWithAuthentication.call(
		context,
		CREDENTIAL,
		options,
	)) as Response;
}

/**
 * n8n's helper takes no signal in its options: it asks the node's context for the execution's. That one is
 * left out: a request that is cut off when somebody stops the run may have sent its message all the same.
 */
function endedBy(context: IExecuteFunctions, signal: AbortSignal): IExecuteFunctions {
	return Object.create(context, {
		getExecutionCancelSignal: { value: () => signal },
	}) as IExecuteFunctions;
}

function toAnswer({ statusCode, headers, body }: Response, cutter: KeyCutter): Answer {
	return {
		status: statusCode,
		headers: cutter.cutValue({ ...headers }) as Record<string, unknown>,
		body: parseBody(body, cutter),
	};
}

function parseBody(body: unknown, { cutText, cutValue }: KeyCutter): unknown {
	if (typeof body !== 'string') return body;
	const text = cutText(body);
	try {
		const value: unknown = JSON.parse(body);
		return text === body ? value : cutValue(value);
	} catch {
		return text;
	}
}
