import type {
	ICredentialDataDecryptedObject,
	ICredentialTestFunctions,
	INodeCredentialTestResult,
} from 'n8n-workflow';
import { type ApiResponse, STATUS_PATH } from '../api';
import { FAILURES, type Sentence } from '../errors/catalogue';
import { failureFromHttpError } from '../errors/connectionErrors';
import {
	causeOfResponse,
	hasRateLimitHeaders,
	namesAddress,
	readErrorBody,
} from '../errors/responseErrors';
import { InputError } from '../inputError';
import { isRecord } from '../values';
import { readSecrets } from '../webhookSecret';
import { authenticate, readConnection } from './credential';
import { hideKey } from './httpRequest';

const TIMEOUT_MS = 15_000;

/** No message has this ID: if the API does not find it, the API has accepted the key. */
const UNKNOWN_MESSAGE = 'n8n-credential-test';

/**
 * Tests a credential: its secrets by themselves, and its key with a status look-up, which costs nothing. A function,
 * because n8n's declarative test can only compare the status, or one value of the body, with a constant: web pages,
 * redirects and the 404 of any other server pass, in n8n 1.x even 401, 403 and 429. A connection that failed shows as
 * its bare code, such as ECONNREFUSED, and of our own sentences only the first half.
 * @param helpers of which only `request` works here
 */
export async function testCredential(
	helpers: ICredentialTestFunctions['helpers'],
	credential: ICredentialDataDecryptedObject,
): Promise<INodeCredentialTestResult> {
	try {
		const { baseUrl, apiKey } = readConnection(credential);
		readSecrets(credential);
		const url = baseUrl + STATUS_PATH + UNKNOWN_MESSAGE;
		const response = await requestLookUp(helpers, credential, url);
		const body = hideKey(response.body, apiKey);
		const problem = problemWith({ ...response, body }, String(hideKey(url, apiKey)));
		return problem ? errorResult(problem) : { status: 'OK', message: 'The API key was accepted' };
	} catch (error) {
		if (error instanceof InputError) return errorResult(error);
		const failure = failureFromHttpError(error);
		return errorResult(
			failure.code === 'timeout' ? { ...failure, remedy: CHECK_NETWORK } : failure,
		);
	}
}

function errorResult({ message, remedy }: Sentence): INodeCredentialTestResult {
	return { status: 'Error', message: `${message}. ${remedy}` };
}

/** With the credential's own authentication, as the nodes make their requests. */
async function requestLookUp(
	helpers: ICredentialTestFunctions['helpers'],
	credential: ICredentialDataDecryptedObject,
	uri: string,
): Promise<ApiResponse> {
	const { statusCode, headers, body } = (await helpers.request(
		authenticate(credential, {
			method: 'GET',
			uri,
			headers: { accept: 'application/json' },
			timeout: TIMEOUT_MS,
			json: true,
			simple: false,
			followRedirect: false,
			resolveWithFullResponse: true,
		}),
	)) as { statusCode: number; headers?: Record<string, unknown>; body: unknown };
	return { status: statusCode, headers: headers ?? {}, body };
}

// These sentences are shorter than those of a run, because the user has the fields of the credential in view.

const CHECK_NETWORK = 'Check the Base URL and the network of n8n, or try again later.';

const NOT_THE_API: Sentence = {
	message: 'Something answered that is not the API',
	remedy: 'Check the Base URL.',
};

const BASE_URL_REDIRECTS: Sentence = {
	message: 'The Base URL redirects to another address',
	remedy: 'Enter the address that it leads to.',
};

function noSuchAddress(url: string): Sentence {
	return {
		message: 'The server that answered has no such address',
		remedy: `Check the Base URL, and the path in it. n8n asked for ${url}.`,
	};
}

/** Of an address Spring says "No message available". */
const MESSAGE_WORDS = /(?<!\/)\bmessage(?: ?id)?\b(?! available)/i;
const KEY_WORDS =
	/(?<![a-z])(?:api|access)[ -]?key|\b(?:invalid|wrong) key|authori[sz]|authenticat|credentials|forbidden|denied|\btoken\b/i;

/** What the API may answer for a message that it does not know: 404, an ID that is not valid, or `success: false`. */
const UNKNOWN_STATUSES = [200, 400, 404, 422];

/**
 * What the response to a look-up of the unknown message says against the credential; undefined when it proves that the
 * API accepted the key. The API document does not say what "not found" looks like. So any response is proof that has
 * the API's `success` (2.1) or rate-limit headers (8.1) or speaks of the message, unless it speaks of the key, or of the
 * address, as web frameworks do.
 * @param url at which the message was looked up
 */
function problemWith(response: ApiResponse, url: string): Sentence | undefined {
	const { status, headers, body } = response;
	const { text, isWebPage } = readErrorBody(body);
	const { success, data, code, error } = isRecord(body) ? body : {};
	const said = [code, isRecord(error) ? error.code : undefined, text];
	const says = said.join(' ').replaceAll('_', ' ');
	const isOfApi = success === false || hasRateLimitHeaders(headers);
	const isOfMessage = isRecord(body) && MESSAGE_WORDS.test(says);
	const isOfAddress = namesAddress(says) || says.includes(STATUS_PATH.slice(1));

	/** The first that applies. */
	const verdicts: Array<[applies: boolean, problem: Sentence | undefined]> = [
		[isWebPage, FAILURES.webPage],
		[status >= 300 && status < 400, BASE_URL_REDIRECTS],
		[status === 429, { ...FAILURES.rateLimited, remedy: 'Wait a minute and try again.' }],
		[!UNKNOWN_STATUSES.includes(status), refusedWith(response, text)],
		[status === 200 && success === true, isRecord(data) ? undefined : NOT_THE_API],
		[isOfMessage && (status !== 200 || success === false), undefined],
		[KEY_WORDS.test(says), FAILURES.keyRejected],
		[status === 404 && isOfAddress, noSuchAddress(url)],
		// The API says 401 of a wrong key.
		[status !== 200 && isOfApi, undefined],
		[success === false || status === 400 || status === 422, refusedWith(response, text)],
	];
	for (const [applies, problem] of verdicts) if (applies) return problem;
	return NOT_THE_API;
}

/** @param text the API's own words */
function refusedWith(response: ApiResponse, text: string | undefined): Sentence {
	const cause = causeOfResponse(response);
	if (cause.code !== 'refused' && cause.code !== 'unclearResponse') return cause;
	const remedy = text ? `It says: "${text}".` : 'Check the Base URL and the API key.';
	return { message: cause.message, remedy };
}
