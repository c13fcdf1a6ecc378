import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { InputError } from '../errors/inputError';
import { isPrivateHost } from './privateHost';

/** What is longer is neither an address nor a key, and can keep n8n busy. */
const MAX_LENGTH = 2000;

/**
 * What is copied along from an example of the API (4.1, 4.2), whole or as far as one of its slashes, or
 * typed as other APIs have it: `/api/v2`. The paths of this one carry no version (section 9).
 */
const API_PATH =
	/\/+api(\/+v?\d+(\.\d+)*)?(\/+integrations(\/+messages(\/+(send|status(\/+[^/]+)?))?)?)?$/i;

/**
 * The base URL without a trailing slash, and without a path of the API at its end. Cut off once only:
 * behind a proxy whose own path ends with `/api`, `/api/api` says so.
 * @throws InputError when it is not an https address (http is for loopback and private hosts) or
 * carries a user name, a query or a fragment.
 */
export function readBaseUrl(value: unknown): string {
	const text = typeof value === 'string' ? value.trim() : '';
	if (!text) {
		throw new InputError(
			'The credential has no Base URL',
			'Open the credential and enter the API address of your account, for example https://api.example.com.',
		);
	}
	if (text.length > MAX_LENGTH) {
		throw badBaseUrl(
			`has ${text.length.toLocaleString('en-US')} characters`,
			'Enter only the address that your provider gives you, for example https://api.example.com.',
		);
	}
	let url: URL;
	try {
		url = new URL(text);
	} catch {
		// Not quoted: it may hold a password, or the key that was pasted into the wrong field.
		throw badBaseUrl('is not a web address', 'Enter the whole address, starting with https://.');
	}
	if (url.username || url.password) {
		throw badBaseUrl(
			'contains a user name or password',
			'Remove everything between // and @. The key goes into the API Key field.',
		);
	}
	if (url.protocol !== 'https:' && url.protocol !== 'http:') {
		throw badBaseUrl('does not start with https://', 'Enter an address that starts with https://.');
	}
	if (url.search || text.includes('?')) {
		throw badBaseUrl('contains a query (a part after "?")', 'Remove "?" and everything after it.');
	}
	if (url.hash || text.includes('#')) {
		throw badBaseUrl('contains a fragment (a part after "#")', 'Remove "#" and what follows.');
	}
	if (url.protocol === 'http:' && !isPrivateHost(url.hostname)) {
		throw badBaseUrl(
			'starts with http://, which would send the API key unencrypted over the internet',
			'Change http:// to https://. Plain http is possible for this computer and private networks only.',
		);
	}
	const path = url.pathname.replace(/\/+$/, '').replace(API_PATH, '');
	return `${url.origin}${path}`;
}

/**
 * The API key without the spaces around it.
 * @throws InputError when it is empty or too long, or has a character that no header can carry, or a
 * backslash, which no key has and which would be hard to find in an answer.
 */
export function readApiKey(value: unknown): string {
	const key = typeof value === 'string' ? value.trim() : '';
	if (!key) {
		throw new InputError(
			'The credential has no API key',
			'Open the credential and paste the key from Settings → API Keys of your dashboard.',
		);
	}
	if (key.length > MAX_LENGTH) {
		throw badKey(`has ${key.length.toLocaleString('en-US')} characters`);
	}
	if (/[\r\n]/.test(key)) throw badKey('contains a line break');
	if (!/^[\x21-\x5b\x5d-\x7e]+$/.test(key)) {
		throw badKey('contains a space or a character that no key has');
	}
	return key;
}

export interface Connection {
	baseUrl: string;
	apiKey: string;
	/** An item that has it, where the credential is another one for other items. */
	ofItem?: number;
}

export function readConnection(credential: ICredentialDataDecryptedObject): Connection {
	return { baseUrl: readBaseUrl(credential.baseUrl), apiKey: readApiKey(credential.apiKey) };
}

function badBaseUrl(problem: string, remedy: string): InputError {
	return new InputError(`The Base URL in the credential ${problem}`, remedy);
}

function badKey(problem: string): InputError {
	return new InputError(
		`The API key in the credential ${problem}`,
		'Copy the key again, on its own, and paste it into the credential.',
	);
}
