import type {
	ICredentialDataDecryptedObject,
	IExecuteFunctions,
	IHttpRequestOptions,
} from 'n8n-workflow';
import { type ApiResponse, CREDENTIAL } from '../api';
import type { Clock } from '../clock';
import { connectionFailure, failureFromHttpError, responseIn } from '../errors/connectionErrors';
import type { Failure } from '../errors/failure';
import { type Connection, readApiKey } from './credential';

export interface ApiRequest {
	method: 'GET' | 'POST';
	url: string;
	body?: object;
	/** Until the whole response is there. */
	timeoutMs: number;
}

/** A proxy that can't connect n8n with the API says so, too. Thrown, the error shows whose response it is. */
const MAY_BE_OF_PROXY = [500, 502, 503, 504];

/** One request; never throws. @returns the response, or why there is none */
export type HttpRequest = (request: ApiRequest) => Promise<ApiResponse | Failure>;

export function isResponse(result: ApiResponse | Failure): result is ApiResponse {
	return 'status' in result;
}

/**
 * Requests by n8n's HTTP helper. If a response repeats the API key, the key is hidden here, before anything can quote
 * or keep it. With the statuses ignored, the helper does not repeat a request by itself after a 401; without following
 * redirects the key stays at its origin.
 * @param connection as it was checked before the run. The credential is read again for each request, so that a deleted
 * one sends nothing more. If its key has changed, the request uses the new key; if items have credentials of their own, it fails instead.
 */
export function createHttpRequest(
	context: IExecuteFunctions,
	connection: Connection,
	clock: Pick<Clock, 'sleep'>,
): HttpRequest {
	return async (request) => {
		const timeout = new AbortController();
		let isMade = false;
		const attempt = async () => {
			const credential = await readCredential(context, connection).catch(() => undefined);
			if (!credential) return connectionFailure('credentialUnusable', 'notSent');
			if (timeout.signal.aborted || context.getExecutionCancelSignal()?.aborted) {
				return connectionFailure('canceled', 'notSent');
			}
			isMade = true;
			return await requestWithKey(context, credential, optionsOf(request), timeout.signal);
		};
		try {
			// The helper's own timer stops at the headers: a body that drips in would hold up the run.
			const result = await untilTimeout(attempt(), request.timeoutMs, clock);
			if (result) return result;
			timeout.abort();
			return isMade
				? connectionFailure('timeout', 'unknown')
				: connectionFailure('credentialUnusable', 'notSent');
		} catch (error) {
			return failureFromHttpError(error);
		}
	};
}

function optionsOf({ method, url, body, timeoutMs }: ApiRequest): IHttpRequestOptions {
	return {
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
		ignoreHttpStatusErrors: { ignore: true, except: MAY_BE_OF_PROXY },
		disableFollowRedirect: true,
	};
}

interface Credential {
	data: ICredentialDataDecryptedObject;
	apiKey: string;
}

/** @returns undefined for a key of another account. @throws if it can't be used */
async function readCredential(
	context: IExecuteFunctions,
	{ ofItem, apiKey: checked }: Connection,
): Promise<Credential | undefined> {
	const data = await context.getCredentials(CREDENTIAL, ofItem ?? 0);
	const apiKey = readApiKey(data.apiKey);
	return ofItem === undefined || apiKey === checked ? { data, apiKey } : undefined;
}

async function requestWithKey(
	context: IExecuteFunctions,
	{ data, apiKey }: Credential,
	options: IHttpRequestOptions,
	signal: AbortSignal,
): Promise<ApiResponse | Failure> {
	// By itself the helper would take the credential of the first item.
	const credentialsDecrypted = { id: '', name: CREDENTIAL, type: CREDENTIAL, data };
	const read = ({ status, headers, body }: ApiResponse): ApiResponse => ({
		status,
		headers: hideKey({ ...headers }, apiKey) as Record<string, unknown>,
		body: parseBody(body, apiKey),
	});
	try {
		const { statusCode, headers, body } = (await context.helpers.httpRequestWithAuthentication.call(
			withSignal(context, signal),
			CREDENTIAL,
			options,
			{ credentialsDecrypted },
		)) as { statusCode: number; headers: Record<string, unknown>; body: unknown };
		return read({ status: statusCode, headers, body });
	} catch (error) {
		const thrown = responseIn(error);
		if (!thrown) return failureFromHttpError(error);
		const { status, headers, data } = thrown as { status: number; headers: object; data: unknown };
		return read({ status, headers: headers as Record<string, unknown>, body: data });
	}
}

/**
 * Replaces the execution's signal (N8N.md: signal), because a request that is cut off when somebody stops the run may
 * have sent its message all the same.
 */
function withSignal(context: IExecuteFunctions, signal: AbortSignal): IExecuteFunctions {
	return Object.create(context, {
		getExecutionCancelSignal: { value: () => signal },
	}) as IExecuteFunctions;
}

function parseBody(body: unknown, apiKey: string): unknown {
	try {
		return hideKey(JSON.parse(body as string), apiKey);
	} catch {
		return hideKey(body, apiKey);
	}
}

/** n8n before 2.35 can't stop a timer: this is how long one may outlive the work. */
const TIMER_SLICE_MS = 1000;

/**
 * Waits for work that may never settle; nobody hears how it ends after the timeout. Slept time counts, not the
 * clock's: somebody may set the clock, and when n8n was held up, a response that came meanwhile is read first.
 * @returns undefined after the timeout
 */
export async function untilTimeout<T>(
	work: Promise<T>,
	ms: number,
	clock: Pick<Clock, 'sleep'>,
): Promise<T | undefined> {
	let isSettled = false;
	const settling = work.finally(() => (isSettled = true));
	async function timeout(): Promise<undefined> {
		for (let left = ms; left > 0 && !isSettled; left -= TIMER_SLICE_MS) {
			await clock.sleep(Math.min(left, TIMER_SLICE_MS));
		}
	}
	return await Promise.race([settling, timeout()]);
}

/** A shorter text is no key, and stands in words and numbers that the user wants to read. */
const MIN_KEY_LENGTH = 8;

/**
 * Hides the API key in all texts of a JSON value, its names included.
 * @param apiKey without a backslash
 * @throws RangeError when the value is nested too deep
 */
export function hideKey(value: unknown, apiKey: string): unknown {
	if (apiKey.length < MIN_KEY_LENGTH) return value;
	const key = new RegExp([...apiKey].map(escapesOf).join(''), 'gi');
	const hideIn = (text: string) => text.replace(key, '•••');

	function hide(part: unknown): unknown {
		if (typeof part === 'string') return hideIn(part);
		if (typeof part !== 'object' || part === null) return part;
		if (Array.isArray(part)) return part.map(hide);
		return Object.fromEntries(
			Object.entries(part).map(([name, inner]) => [hideIn(name), hide(inner)]),
		);
	}
	return hide(value);
}

/**
 * A character of the key in all the ways that JSON, URLs and HTML may write it, also nested. Repetitions are bounded,
 * because a long row of them would take quadratic time.
 */
function escapesOf(character: string): string {
	const code = character.charCodeAt(0);
	const hex = code.toString(16);
	const isPlain = /[\w-]/.test(character);
	const literal = isPlain ? character : `\\\\{0,7}\\${character}`;
	const entity = isPlain ? `#(?:0{0,5}${code}|x0{0,5}${hex})` : '#?\\w{2,7}';
	// The character itself comes last, because & and % also begin an escape.
	return `(?:&(?:amp;){0,3}${entity};|%(?:25){0,3}${hex}|\\\\{1,7}(?:u00|x)${hex}|${literal})`;
}
