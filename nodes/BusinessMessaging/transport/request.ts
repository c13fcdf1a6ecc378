import type {
	ICredentialDataDecryptedObject,
	IExecuteFunctions,
	IHttpRequestOptions,
} from 'n8n-workflow';

import type { Answer } from '../answer';
import { CREDENTIAL } from '../api';
import type { Clock } from '../clock';
import { readFault } from '../errors/faults';
import type { Fault } from '../errors/faults';
import { readApiKey } from './connection';
import type { Connection } from './connection';
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

const UNUSABLE: Fault = { kind: 'credential', beforeSending: true };

export function isAnswer(result: Answer | Fault): result is Answer {
	return 'status' in result;
}

/**
 * n8n's HTTP helper as an Exchange. Should an answer repeat the key, it is cut out here, before
 * anything can quote or keep it. With the statuses ignored, the helper does not repeat a
 * request by itself after a 401; without following redirects the key stays at its origin.
 * @param connection as it was checked before the run. The credential is read again for each request, so that one that
 * was deleted sends nothing more. Its key may have changed, but not for some items of an account only.
 */
export function createExchange(
	context: IExecuteFunctions,
	connection: Connection,
	clock: Pick<Clock, 'sleep'>,
): Exchange {
	let current: { apiKey: string; cutter: KeyCutter } | undefined;
	const cutterFor = (apiKey: string) => {
		if (current?.apiKey !== apiKey) current = { apiKey, cutter: createKeyCutter(apiKey) };
		return current.cutter;
	};

	async function exchange(
		options: IHttpRequestOptions,
		signal: AbortSignal,
	): Promise<Answer | Fault> {
		let credential: ICredentialDataDecryptedObject;
		let cutter: KeyCutter;
		try {
			credential = await context.getCredentials(CREDENTIAL, connection.ofItem ?? 0);
			const apiKey = readApiKey(credential.apiKey);
			if (connection.ofItem !== undefined && apiKey !== connection.apiKey) return UNUSABLE;
			cutter = cutterFor(apiKey);
		} catch {
			return UNUSABLE;
		}
		return toAnswer(await send(endedBy(context, signal), credential, options), cutter);
	}

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
			const result = await untilDeadline(exchange(options, late.signal), timeoutMs, clock);
			if (result !== LATE) return result;
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

/** The credential is handed to the helper, which by itself would take that of the first item. */
async function send(
	context: IExecuteFunctions,
	data: ICredentialDataDecryptedObject,
	options: IHttpRequestOptions,
): Promise<Response> {
	const credentialsDecrypted = { id: '', name: CREDENTIAL, type: CREDENTIAL, data };
	return (await context.helpers.httpRequestWithAuthentication.call(context, CREDENTIAL, options, {
		credentialsDecrypted,
	})) as Response;
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
