import type { Answer } from '../answer';
import { REMAINING_HEADER, RESET_HEADER } from '../api';
import { isRecord } from '../isRecord';
import { readErrorBody } from './errorBody';
import type { Sentence } from './networkErrors';
import { TRY_LATER } from './sentences';

export const KEY_REFUSED: Sentence = {
	message: 'The API key is missing or not valid',
	remedy: 'Paste a key from Settings → API Keys of your dashboard into the credential.',
};

/** 7.1, and what gateways in front of an API answer. */
const HTTP_ERRORS: Record<number, Sentence> = {
	401: KEY_REFUSED,
	403: {
		message: "Your account's plan has no API access",
		remedy:
			'API access comes with the Scale and Enterprise plans: change the plan, or use a key of an account that has one.',
	},
	407: {
		message: 'The proxy of n8n asks for a user name and a password',
		remedy: 'Whoever runs n8n has to add them to its proxy settings.',
	},
	429: {
		message: 'The rate limit of the API was exceeded',
		remedy:
			'Wait a minute and run the failed items again. Other workflows and tools with the same key count too.',
	},
};

/** 7.1: what they mean depends on what was asked for. */
const INVALID = {
	send: {
		message: 'The API refused the request as invalid',
		remedy: 'Check the recipient, the template name, the category and the number of variables.',
	},
	status: {
		message: 'The API refused the request as invalid',
		remedy: 'Check the Base URL in the credential, and the message ID in the node.',
	},
};
const NOT_FOUND = {
	send: {
		message: 'The API did not find the template or the address',
		remedy: 'Check Template Name, and the Base URL in the credential.',
	},
	status: {
		message: 'The API knows no message with this ID',
		remedy: 'Use the "message_id" from the output of Send Template, and a key of the same account.',
	},
};

const REDIRECTED: Sentence = {
	message: 'The API address redirects to another address, which was not followed',
	remedy: 'Enter the address that the redirect leads to as Base URL in the credential.',
};

/** What stands in front of the API, or elsewhere, answered with HTML. */
export const WEB_PAGE: Sentence = {
	message: 'A web page answered instead of the API',
	remedy: 'Check the Base URL in the credential.',
};

/** As the proxy of n8n answers, or a firewall: their refusals look like answers of the API. */
const BLOCK_PAGE: Sentence = {
	message: WEB_PAGE.message,
	remedy:
		'Check the Base URL in the credential, and whether a proxy or firewall keeps n8n from the API.',
};

/** A 403 that says nothing in the way of an API: a firewall or proxy, or the plan after all. */
const FORBIDDEN: Sentence = {
	message: 'Access to the API was refused (HTTP 403)',
	remedy:
		'Check the Base URL in the credential, and whether a proxy or firewall stands between n8n and the API. It can also mean a plan without API access.',
};

export type Purpose = 'send' | 'status';

/** Statuses that mean the same from whoever answers. */
const WHOEVER_SAYS_SO = [407, 408, 429];

/** The sentence for an answer with an HTTP status from 300 on, which the API need not have given. */
export function sentenceForRefusal({ status, headers, body }: Answer, purpose: Purpose): Sentence {
	if (status >= 300 && status < 400) return REDIRECTED;
	const { isWebPage } = readErrorBody(body);
	if (isWebPage && status === 403) return BLOCK_PAGE;
	if (isWebPage && status < 500 && !WHOEVER_SAYS_SO.includes(status)) return WEB_PAGE;
	if (status === 403 && !isRecord(body) && !hasRateLimitHeaders(headers)) return FORBIDDEN;
	return sentenceForStatus(status, purpose);
}

/** The API's answers carry them (8.1). */
export function hasRateLimitHeaders(headers: Answer['headers']): boolean {
	return REMAINING_HEADER in headers || RESET_HEADER in headers;
}

/** The sentence for an HTTP status of 400 and above. */
function sentenceForStatus(status: number, purpose: Purpose): Sentence {
	if (status === 400) return INVALID[purpose];
	if (status === 404) return NOT_FOUND[purpose];
	if (HTTP_ERRORS[status]) return HTTP_ERRORS[status];
	return status >= 500
		? {
				message: `The API is not working properly (HTTP ${status})`,
				remedy: `${TRY_LATER} If it stays, contact the support of the API.`,
			}
		: {
				message: `The API refused the request (HTTP ${status})`,
				remedy: 'Check the Base URL in the credential and the values of the node.',
			};
}
