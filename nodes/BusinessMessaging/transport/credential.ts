import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { ipaddr } from '../bundled/ipaddr';
import { InputError, refuseAs } from '../inputError';
import { textOf } from '../values';

/** An account of the API, as the credential names it. */
export interface Connection {
	/** Without a slash at the end. */
	baseUrl: string;
	apiKey: string;
	/** One of its items, when the items have credentials of their own. */
	ofItem?: number;
}

/** Tells the accounts of a run from each other; undefined when all items have the same one, whose key may change. */
export function ownAccountOf({ baseUrl, apiKey, ofItem }: Connection): string | undefined {
	return ofItem === undefined ? undefined : `${baseUrl}\n${apiKey}`;
}

/** @throws InputError */
export function readConnection(credential: ICredentialDataDecryptedObject): Connection {
	return refuseAs('wrongCredential', () => ({
		baseUrl: readBaseUrl(credential.baseUrl),
		apiKey: readApiKey(credential.apiKey),
	}));
}

/** A longer text is neither an address nor a key, keeps n8n busy, and can't be hidden in responses. */
const MAX_ENTRY_LENGTH = 1000;

/** The path of an example of the API (4.1, 4.2) that was copied along, whole or up to one of its slashes. */
const API_PATH = /\/+api(\/+integrations(\/+messages(\/+(send|status(\/+[^/]+)?))?)?)?$/i;

/**
 * The base URL without a slash at its end, and without a path of the API. The path is cut off only once: behind a proxy
 * whose own path ends with `/api`, the user can enter `/api/api`.
 * @throws InputError
 */
function readBaseUrl(value: unknown): string {
	const text = textOf(value);
	if (!text) {
		throw new InputError(
			'The credential has no Base URL',
			'Open the credential and enter the API address of your account, for example https://api.example.com.',
		);
	}
	if (text.length > MAX_ENTRY_LENGTH) {
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
	if (/[?#]/.test(text)) {
		throw badBaseUrl('contains "?" or "#"', 'Remove it and everything after it.');
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
 * A name without a dot, such as a container's, or with an ending that no public name has. A name of two letters, or
 * with xn--, is the top-level domain of a country, which can have an address of its own.
 */
const PRIVATE_NAME = /^((?!xn--|..$)[^.]+|.+\.(localhost|local|internal|lan|home\.arpa))$/i;
const PRIVATE_RANGES = ['loopback', 'private', 'uniqueLocal', 'linkLocal', 'carrierGradeNat'];

/**
 * Whether a host is this computer, or in its private network.
 * @param hostname of a URL, which has one spelling for each address, and brackets around IPv6
 */
export function isPrivateHost(hostname: string): boolean {
	const address = hostname.replace(/[[\]]/g, '');
	return ipaddr.isValid(address)
		? PRIVATE_RANGES.includes(ipaddr.parse(address).range())
		: PRIVATE_NAME.test(hostname);
}

/**
 * The API key without the spaces around it.
 * @throws InputError also for characters that no header can carry, and for a backslash, which no key has and which
 * would be hard to find in a response
 */
export function readApiKey(value: unknown): string {
	const key = typeof value === 'string' ? value.trim() : '';
	if (!key) {
		throw new InputError(
			'The credential has no API key',
			'Open the credential and paste the key from Settings → API Keys of your dashboard.',
		);
	}
	if (key.length > MAX_ENTRY_LENGTH) {
		throw badKey(`has ${key.length.toLocaleString('en-US')} characters`);
	}
	if (!/^[\x21-\x5b\x5d-\x7e]+$/.test(key)) {
		throw badKey('contains a space, a line break or a character that no key has');
	}
	return key;
}

function badKey(problem: string): InputError {
	return new InputError(
		`The API key in the credential ${problem}`,
		'Copy the key again, on its own, and paste it into the credential.',
	);
}

function badBaseUrl(problem: string, remedy: string): InputError {
	return new InputError(`The Base URL in the credential ${problem}`, remedy);
}

/** Only their messages tell these errors of n8n from others. */
const MISSING_CREDENTIAL: Array<[RegExp, string]> = [
	[/Node does not have any credentials set/, 'No credential is chosen'],
	[/Credential with ID .* (does not exist|was not found)/, 'The chosen credential does not exist'],
];

/** @param message of an error that n8n threw while it read the credential of a node */
export function missingCredential(message: string): InputError | undefined {
	const known = MISSING_CREDENTIAL.find(([says]) => says.test(message));
	return (
		known &&
		new InputError(known[1], 'Choose a credential at the top of the node.', 'wrongCredential')
	);
}

/**
 * Adds the API key (section 5) to a request, which must go to the base URL's origin without a proxy. Redirects are not
 * followed, because the HTTP client would take the header along to any address.
 * @throws InputError
 */
export function authenticate<Request extends Destination>(
	credential: ICredentialDataDecryptedObject,
	request: Request,
) {
	const { baseUrl, apiKey } = readConnection(credential);
	const { origin } = new URL(baseUrl);
	if (!staysAt(origin, request)) {
		throw new InputError(
			'The API key is sent to the Base URL of its credential only',
			`Use an address that starts with ${origin}.`,
		);
	}
	if (request.proxy) {
		throw new InputError(
			'The API key is not sent through a proxy that is set in a node',
			"Remove Proxy from the node's options. An administrator can set a proxy for the whole n8n instance.",
		);
	}
	return {
		...request,
		headers: { ...request.headers, 'X-API-Key': apiKey },
		// Two names, because n8n's older and newer helpers listen to different ones.
		disableFollowRedirect: true,
		maxRedirects: 0,
	};
}

/** Where a request goes, in the shapes of all of n8n's HTTP helpers: the older ones take `uri`. */
interface Destination {
	url?: unknown;
	uri?: unknown;
	baseURL?: unknown;
	headers?: object;
	proxy?: unknown;
}

const ABSOLUTE = /^https?:\/\/[^/\\]/i;
/** Neither `https:host`, `//host` nor `\\host`, not even behind characters that URLs drop. */
const RELATIVE = /^(?!\/\/|[a-z][a-z\d+.-]*:)[^\s\\\p{Cc}]*$/iu;

/**
 * Whether a request goes to an origin, whichever of its addresses the helper takes. A relative address does: without an
 * absolute `baseURL` it goes nowhere.
 */
function staysAt(origin: string, { url, uri, baseURL, headers }: Destination): boolean {
	const addresses = [url, uri, baseURL].map((address) => String(address ?? ''));
	// By the Host header a shared front chooses whose server it passes the request to.
	const hosts = Object.entries(headers ?? {}).filter(([name]) => name.toLowerCase() === 'host');
	return (
		addresses.every((address) => RELATIVE.test(address) || isAt(origin, address)) &&
		hosts.every(([, host]) => isAt(origin, `${new URL(origin).protocol}//${host}`))
	);
}

function isAt(origin: string, address: string): boolean {
	// Read without a base, as the HTTP client does: against one, `https:host` would be relative.
	return ABSOLUTE.test(address) && URL.canParse(address) && new URL(address).origin === origin;
}
