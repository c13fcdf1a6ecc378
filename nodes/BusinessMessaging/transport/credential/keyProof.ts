import type { Answer } from '../../answer';
import { STATUS_PATH } from '../../api';
import {
	BASE_URL_REDIRECTS,
	NOT_THE_API,
	noSuchAddress,
	refusedWith,
	WAIT_A_MINUTE,
} from '../../errors/credentialErrors';
import { readErrorBody } from '../../errors/errorBody';
import {
	hasRateLimitHeaders,
	KEY_REFUSED,
	sentenceForRefusal,
	WEB_PAGE,
} from '../../errors/httpErrors';
import type { Sentence } from '../../errors/networkErrors';
import { isRecord } from '../../isRecord';

/** No message has this ID: that it is not found says that the key was accepted. */
export const UNKNOWN_MESSAGE = 'n8n-credential-test';

const OFTEN_OF_A_PROXY = [403, 407];

const KEY_WORDS = /(?<![a-z])(api|access)[ _-]?key|unauthori[sz]ed|authenticat|\btoken\b/i;
const ADDRESS_WORDS = /\b(route|endpoint|path|url|page|webhook)\b|cannot get|no message available/i;
const NOT_FOUND_WORDS = /not[ _]?found|unknown|no such|does(n't| not) exist|invalid message/i;

/**
 * What the answer to a look-up of the unknown message says against the credential; undefined when it
 * proves that the API took the key. How the API says "not found" is not documented, so anything
 * is proof that has its `success` (2.1), its rate-limit headers (8.1) or speaks of the message,
 * unless it speaks of the key or of the address, as web frameworks do.
 * @param url where the message was looked up
 */
export function whatIsWrongWith(answer: Answer, url: string): Sentence | undefined {
	const { status, headers, body } = answer;
	const { text, isWebPage } = readErrorBody(body);
	if (isWebPage && !OFTEN_OF_A_PROXY.includes(status)) return WEB_PAGE;
	if (status >= 300 && status < 400) return BASE_URL_REDIRECTS;
	if (status === 429) return { ...sentenceOf(answer), remedy: WAIT_A_MINUTE };
	if (status !== 404 && status !== 200) return sentenceOf(answer);
	if (!isRecord(body)) return NOT_THE_API;
	if (status === 200 && body.success === true) return isRecord(body.data) ? undefined : NOT_THE_API;

	const said = `${codeOf(body)} ${text ?? ''}`.replaceAll(UNKNOWN_MESSAGE, '');
	if (KEY_WORDS.test(said)) return KEY_REFUSED;
	// "Endpoint or resource not found" is how 7.1 itself puts it.
	const namesAddress = ADDRESS_WORDS.test(said) && !/\bresource\b/i.test(said);
	if (namesAddress || said.includes(STATUS_PATH.slice(1))) return noSuchAddress(url);
	if (status === 200 && !saysItFailed(body)) return NOT_THE_API;
	// Some servers say "not found" with 200 and `success: false`, and anything else too.
	if (status === 200) return NOT_FOUND_WORDS.test(said) ? undefined : refusedWith(text);
	const isProof = saysItFailed(body) || hasRateLimitHeaders(headers) || /\bmessage\b/i.test(said);
	return isProof ? undefined : NOT_THE_API;
}

function sentenceOf(answer: Answer): Sentence {
	return sentenceForRefusal(answer, 'status');
}

function saysItFailed(body: Record<string, unknown>): boolean {
	return body.success === false;
}

function codeOf({ code, error }: Record<string, unknown>): string {
	const inner = isRecord(error) ? error.code : undefined;
	return [code, inner].join(' ');
}
