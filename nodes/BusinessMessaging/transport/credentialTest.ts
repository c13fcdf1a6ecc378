import type {
	ICredentialDataDecryptedObject,
	ICredentialTestFunctions,
	INodeCredentialTestResult,
} from 'n8n-workflow';
import { type ApiResponse, REMAINING_HEADER, RESET_HEADER, STATUS_PATH } from '../api';
import type { Clock } from '../clock';
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
import { hideKey, untilTimeout } from './httpRequest';

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
	clock: Pick<Clock, 'sleep'>,
): Promise<INodeCredentialTestResult> {
	try {
		const { baseUrl, apiKey } = readConnection(credential);
		readSecrets(credential);
		const url = baseUrl + STATUS_PATH + UNKNOWN_MESSAGE;
		const response = await untilTimeout(requestLookUp(helpers, credential, url), TIMEOUT_MS, clock);
		if (!response) return errorResult({ ...FAILURES.timeout, remedy: CHECK_NETWORK });
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

/** @param text the API's own words */
function rejectedWith(text: string | undefined, message = 'The API refused the request'): Sentence {
	return {
		message,
		remedy: text ? `It says: "${text}".` : 'Check the Base URL and the API key.',
	};
}

/** These go before all others: "No message with this ID was sent with this API key" says nothing against the key. */
const NO_MESSAGE =
	/\bno (?:such )?message\b(?! available)|(?<!\/)\bmessage(?: ?id)?\b[^.:]{0,30}\b(?:not (?:found|valid|exist)|invalid)/i;
const KEY_WORDS =
	/(?<![a-z])(?:api|access)[ -]?key|\b(?:invalid|wrong) key|authori[sz]|authenticat|credentials|forbidden|denied|\btoken\b/i;
const NOT_FOUND_WORDS = /not ?found|unknown|no such|does(?:n't| not) exist/i;

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
	const json = isRecord(body) ? body : undefined;
	const isFailure = json?.success === false;
	const said = `${json ? errorCodesOf(json) : ''} ${text ?? ''}`;
	const says = said.replaceAll(UNKNOWN_MESSAGE, '').replaceAll('_', ' ');
	const isProof = json
		? isFailure || hasRateLimitHeaders(headers) || /\bmessage(?:id)?\b/i.test(says)
		: REMAINING_HEADER in headers && RESET_HEADER in headers;
	const isFound = status === 200 && json?.success === true;
	const isOfMessage = NO_MESSAGE.test(says);
	const isOfAddress = namesAddress(says) || says.includes(STATUS_PATH.slice(1));
	// The API may also call the ID of the unknown message invalid.
	const isInvalid =
		[400, 422].includes(status) && json !== undefined && text !== undefined && isProof;
	// Some servers say "not found" with 200 and `success: false`, and anything else too.
	const isNotFound = isFailure && (isOfMessage || NOT_FOUND_WORDS.test(says));

	/** The first that applies. */
	const verdicts: Array<[applies: boolean, problem: Sentence | undefined]> = [
		[isWebPage, FAILURES.webPage],
		[status >= 300 && status < 400, BASE_URL_REDIRECTS],
		[status === 429, { ...FAILURES.rateLimited, remedy: 'Wait a minute and try again.' }],
		[status !== 404 && status !== 200 && !isInvalid, refusedWith(response, text)],
		[isFound, isRecord(json?.data) ? undefined : NOT_THE_API],
		[!isOfMessage && KEY_WORDS.test(says), FAILURES.keyRejected],
		[!isOfMessage && isOfAddress, noSuchAddress(url)],
		[status === 200 ? isNotFound : isProof, undefined],
		[status === 200 && isFailure, rejectedWith(text)],
		[true, NOT_THE_API],
	];
	return verdicts.find(([applies]) => applies)?.[1];
}

function refusedWith(response: ApiResponse, text: string | undefined): Sentence {
	const cause = causeOfResponse(response);
	const isOfNode = cause.code === 'refused' || cause.code === 'unclearResponse';
	return isOfNode ? rejectedWith(text, cause.message) : cause;
}

function errorCodesOf({ code, error }: Record<string, unknown>): string {
	return [code, isRecord(error) ? error.code : undefined].join(' ');
}
