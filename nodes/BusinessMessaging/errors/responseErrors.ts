import {
	type ApiResponse,
	dataOf,
	isAccepted,
	isGood,
	messageIdOf,
	REMAINING_HEADER,
	RESET_HEADER,
} from '../api';
import { HOUR_MS } from '../clock';
import { joinSentences } from '../inputError';
import { isBlank, isRecord, textOf, truncate } from '../values';
import { type Cause, causeNamed, type FailureCode, isDocumented, NETWORK_CODES } from './catalogue';
import { type Failure, MAY_HAVE_GONE } from './failure';

/** What some responses mean to one kind of call. */
export interface CallSentences {
	400: Cause;
	404: Cause;
	/** What an accepted response must have. */
	expected: string;
}

export const SEND_SENTENCES: CallSentences = {
	400: causeNamed('refusedAsInvalid', {
		values: 'the recipient, the template name, the category and the number of variables',
	}),
	404: causeNamed('notFound'),
	expected: 'message ID',
};

export const LOOK_UP_SENTENCES: CallSentences = {
	400: causeNamed('refusedAsInvalid', {
		values: 'the Base URL in the credential, and the message ID in the node',
	}),
	404: causeNamed('unknownMessage'),
	expected: 'message status',
};

/**
 * The failure of a call whose response is not what it asked for. The remedy is about the cause: a send whose outcome
 * is unknown needs `withUnknownOutcome` as well.
 * @param now epoch ms
 */
export function failureFromResponse(
	response: ApiResponse,
	own: CallSentences,
	now: number,
): Failure {
	const { status, body } = response;
	const { networkCode, text } = readErrorBody(body);
	const outcome = isRejected(response) ? 'rejected' : 'unknown';
	// Where the message may have been sent, a code that says "refused" would be a second truth.
	const known = outcome === 'rejected' ? causeOfCode(networkCode) : undefined;
	const { code, message, remedy } = known ?? causeOfResponse(response, own);
	const messageId = messageIdOf(response);
	const again = known ? whenAgain(known.code, now) : {};
	const isTemporary = status === 408 || status === 429 || status >= 500;
	return {
		code,
		message,
		remedy: withQuote(remedy, text),
		httpStatus: status,
		networkCode: networkCode ?? null,
		outcome,
		...(messageId === undefined ? {} : { messageId }),
		retryable: known
			? 'sendAfter' in again
			: isTemporary || (isAccepted(response) && !isFromElsewhere(response)),
		...again,
	};
}

/** The failure of a send whose outcome is unknown: whatever the cause, the user has to check before sending again. */
export function withUnknownOutcome(cause: Failure, response?: ApiResponse): Failure {
	const { text } = readErrorBody(response?.body);
	const remedy = joinSentences(MAY_HAVE_GONE, cause.code === 'webPage' && cause.remedy);
	return { ...cause, remedy: withQuote(remedy, text), retryable: false };
}

/**
 * A message that the API accepted, and that the network then could not deliver (2.5: failed).
 * @param messageId the ID under which the record was looked up
 * @param now epoch ms
 */
export function failureFromDelivery(
	record: Record<string, unknown>,
	messageId: string,
	now: number,
): Failure {
	const { networkCode, text } = readErrorBody(record);
	const known = causeOfCode(networkCode);
	const undelivered = causeNamed('undelivered');
	const { code, remedy } = known ?? undelivered;
	const again = whenAgain(code, now);
	return {
		code,
		message: undelivered.message + (known ? `: ${known.message}` : ''),
		remedy: withQuote(remedy, text),
		httpStatus: null,
		networkCode: networkCode ?? null,
		outcome: 'rejected',
		messageId,
		retryable: 'sendAfter' in again,
		...again,
	};
}

/**
 * What helps with a message that could not be delivered, for an event or a record of it. Nothing if it names no code
 * that is known.
 * @param now epoch ms
 */
export function adviceOn(
	data: Record<string, unknown>,
	now: number,
): { failureCode?: FailureCode; remedy?: string; sendAfter?: string } {
	const cause = causeOfCode(readErrorBody(data).networkCode);
	if (!cause) return {};
	return { failureCode: cause.code, remedy: cause.remedy, ...whenAgain(cause.code, now) };
}

const LATER_MS = 24 * HOUR_MS;

/** From when on a message that the network rejected with this code may be sent again, if ever. */
function whenAgain(code: Cause['code'], now: number): Pick<Failure, 'sendAfter'> {
	if (code !== 'networkHeldBack') return {};
	return { sendAfter: new Date(now + LATER_MS).toISOString() };
}

/** The API's responses carry rate-limit headers (8.1). */
export function hasRateLimitHeaders(headers: ApiResponse['headers']): boolean {
	return REMAINING_HEADER in headers || RESET_HEADER in headers;
}

/**
 * These statuses say by their definition that the request was not processed. 400 to 404 and 429 are in 7.1; the
 * others come from what stands before an API (RFC 9110, 6585, 7725, 8470). 301, 302, 307 and 308 send the request
 * elsewhere. 303 ("done, look there"), 408, 409, 499 and 5xx are missing because they can come after the message was
 * passed on; so are statuses without a definition.
 */
const REJECTED = new Set([
	301, 302, 307, 308, 400, 401, 402, 403, 404, 405, 406, 407, 410, 411, 412, 413, 414, 415, 416,
	417, 421, 422, 425, 426, 428, 429, 431, 451,
]);

/** With a good status, the API rejects a request by `success: false` (2.1) and no message ID. */
function isRejected(response: ApiResponse): boolean {
	if (!isGood(response.status)) return REJECTED.has(response.status);
	// An ID that can't be read is one, too.
	return !isAccepted(response) && isBlank(dataOf(response)?.message_id);
}

function withQuote(remedy: string, text: string | undefined): string {
	return joinSentences(remedy, text && `The API says: "${text}"`);
}

/** 7.1 */
const HTTP_ERRORS: Record<number, FailureCode> = {
	401: 'keyRejected',
	403: 'noApiAccess',
	429: 'rateLimited',
};

/** @param own what the response means to the call, if it is one of the node's */
export function causeOfResponse(response: ApiResponse, own?: CallSentences): Cause {
	const { status } = response;
	if (status >= 300 && status < 400) return causeNamed('redirected');
	if (isFromElsewhere(response)) return causeNamed('webPage');
	if (own && status === 404) {
		return isOfTheApi(response) && !namesAddress(readErrorBody(response.body).text)
			? own[404]
			: causeNamed('noSuchAddress');
	}
	if (own && isRefusedAsInvalid(response)) {
		return isOfTheApi(response) ? own[400] : causeNamed('unclearResponse', { status });
	}
	if (HTTP_ERRORS[status]) return causeNamed(HTTP_ERRORS[status]);
	if (own && isAccepted(response)) return causeNamed('incompleteResponse', { field: own.expected });
	if (status >= 500) return causeNamed('apiBroken', { status });
	return causeNamed(isRejected(response) ? 'refused' : 'unclearResponse', { status });
}

function isRefusedAsInvalid(response: ApiResponse): boolean {
	const { status } = response;
	return status === 400 || status === 422 || (isGood(status) && isRejected(response));
}

/** How web servers and frameworks put it that there is no such address. */
const ADDRESS_WORDS =
	/\b(?:route|endpoint|path|url|page|webhook|static resource)\b|\b(?:get|post)[: ]*\/|\bcannot (?:get|post)\b|no message available/i;

/** Whether the words of a 404 speak of the address. "Endpoint or resource not found" is how 7.1 itself puts it. */
export function namesAddress(text = ''): boolean {
	return ADDRESS_WORDS.test(text) && !/\bor resource\b/i.test(text);
}

/** These statuses mean the same, whoever sends them. */
const SAME_FROM_ANYBODY = [408, 429];

/** A web page, a proxy's 407, or a 403 with nothing of the API in it: a dashboard, proxy or firewall sent it. */
function isFromElsewhere(response: ApiResponse): boolean {
	const { status } = response;
	if (status >= 500 || SAME_FROM_ANYBODY.includes(status)) return false;
	if (status === 407 || readErrorBody(response.body).isWebPage) return true;
	return status === 403 && !isOfTheApi(response);
}

/** Proxies and web servers use the same statuses, but without JSON and rate-limit headers (8.1). */
function isOfTheApi({ headers, body }: ApiResponse): boolean {
	return isRecord(body) || hasRateLimitHeaders(headers);
}

export function isWindowClosed({ code, outcome }: Failure): boolean {
	return outcome === 'rejected' && code === 'windowClosed';
}

function causeOfCode(networkCode: string | undefined): (Cause & { code: FailureCode }) | undefined {
	const name: FailureCode | undefined = NETWORK_CODES[String(networkCode)];
	return name && causeNamed(name);
}

type Fields = Record<string, unknown>;

interface ErrorDetails {
	/** A code of the catalogue, or another code that the body has. */
	networkCode?: string;
	/** The API's own words, on one line and shortened. */
	text?: string;
	isWebPage: boolean;
}

/** The API document does not show the body of an error. These are the usual names. */
const CODE_KEYS = ['code', 'error_code', 'errorCode'];
const TEXT_KEYS = ['message', 'details', 'detail', 'error', 'errors'];
const MAX_DEPTH = 6;
const MAX_RECORDS = 500;
const MAX_SAID_LENGTH = 200;
const MAX_SEARCHED_LENGTH = 20_000;

/** Never throws, whatever JSON or text the body is. */
export function readErrorBody(body: unknown): ErrorDetails {
	if (typeof body === 'string') {
		if (/^[\s\ufeff]*<[!?a-z]/i.test(body)) return { isWebPage: true };
		return { networkCode: findKnownCode(body), text: asText(body), isWebPage: false };
	}
	const records = recordsOf(Array.isArray(body) ? { errors: body } : body);
	const codes = records
		.flatMap((record) => CODE_KEYS.map((key) => textOf(ownValue(record, key))))
		.filter((code) => /^\d{1,10}$/.test(code));
	const texts = TEXT_KEYS.flatMap((key) => records.map((record) => textAt(record, key)));
	const text = texts.map(asText).find((candidate) => candidate !== undefined);
	const known = codes.find((code) => code in NETWORK_CODES) ?? findKnownCode(texts.join(' '));
	// "code" may also be an HTTP status; network codes are longer.
	const networkCode = known ?? codes.find(({ length }) => length > 3);
	return { networkCode, text, isWebPage: false };
}

/** All records in a body, outermost first, up to a depth and a number. */
function recordsOf(body: unknown): Fields[] {
	const records: Fields[] = [];
	let level: unknown[] = [body];
	for (let depth = 0; depth < MAX_DEPTH; depth++) {
		const found = level.filter((value) => typeof value === 'object' && value !== null);
		records.push(...found.filter(isRecord));
		level = found.flatMap((value) => Object.values(value) as unknown[]).slice(0, MAX_RECORDS);
	}
	return records.slice(0, MAX_RECORDS);
}

function ownValue(record: Fields, key: string): unknown {
	return Object.hasOwn(record, key) ? record[key] : undefined;
}

/** Of a list of texts, the first. */
function textAt(record: Fields, key: string): string | undefined {
	const value = ownValue(record, key);
	const first: unknown = Array.isArray(value) ? value[0] : value;
	return typeof first === 'string' ? first : undefined;
}

function findKnownCode(text: string): string | undefined {
	const searched = text.slice(0, MAX_SEARCHED_LENGTH);
	return Object.keys(NETWORK_CODES).find((code) => {
		// Any number can stand in a text, such as that of an order. Only the codes of 7.2 count without a word such as "code" before them.
		const before = isDocumented(code) ? '(?<!\\d)' : CODE_FOLLOWS;
		return new RegExp(`${before}${code}(?!\\d)`, 'i').test(searched);
	});
}

/** As in "(#131049)", "Error 131049" and "error code: 131049". */
const CODE_FOLLOWS = '(?:\\(#|\\berror(?: code)?:? ?)';

function asText(value: string | undefined): string | undefined {
	const line = value?.slice(0, MAX_SEARCHED_LENGTH).replace(/\s+/g, ' ').trim();
	if (!line) return undefined;
	return line.length > MAX_SAID_LENGTH ? `${truncate(line, MAX_SAID_LENGTH)}…` : line;
}
