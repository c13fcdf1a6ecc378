import type { ICredentialDataDecryptedObject, IHttpRequestOptions } from 'n8n-workflow';

import { BusinessMessagingApi } from '../../../credentials/BusinessMessagingApi.credentials';
import { SEND_PATH } from '../../../nodes/BusinessMessaging/api';
import { InputError } from '../../../nodes/BusinessMessaging/inputError';
import {
	type authenticate as authenticateAt,
	ownAccountOf,
	readConnection,
} from '../../../nodes/BusinessMessaging/transport/credential';
import { hideKey } from '../../../nodes/BusinessMessaging/transport/httpRequest';

const KEY = 'key-for-tests';
const BASE = 'https://api.example.com';

function readBaseUrl(baseUrl: unknown): string {
	return readConnection({ baseUrl: baseUrl as string, apiKey: KEY }).baseUrl;
}

function readApiKey(apiKey: unknown): string {
	return readConnection({ baseUrl: BASE, apiKey: apiKey as string }).apiKey;
}

/** The sentences of the input error; '' when there is none. */
function errorOf(read: () => unknown): string {
	try {
		read();
	} catch (error) {
		if (!(error instanceof InputError)) throw error;
		expect(error.remedy).toMatch(/^[A-Z].*\.$/);
		return error.sentences;
	}
	return '';
}

it('each key at each address is an account of its own', () => {
	const accounts = [BASE, `${BASE}/gateway`].flatMap((baseUrl) =>
		[KEY, `${KEY}-2`].map((apiKey) =>
			ownAccountOf({ ...readConnection({ baseUrl, apiKey }), ofItem: 0 }),
		),
	);
	expect(new Set(accounts).size).toBe(4);
	expect(ownAccountOf({ baseUrl: BASE, apiKey: KEY })).toBeUndefined();
});

// SECURITY, The API key: the Base URL must be https
describe('the base URL', () => {
	it.each([
		[` ${BASE}//\n`, BASE],
		['HTTPS://API.Example.com:8443/Path', 'https://api.example.com:8443/Path'],
		[`${BASE}//API//Integrations//messages//status//m-1`, BASE],
		[`${BASE}/gateway/v2${SEND_PATH}/`, `${BASE}/gateway/v2`],
		[`${BASE}/api/`, BASE],
		[`${BASE}/api/integrations/messages`, BASE],
		[`${BASE}/api/integrations/messages/status`, BASE],
		// The way to write down a proxy that has the same path in front of the API's.
		[`${BASE}/api/api/integrations`, `${BASE}/api`],
		[`${BASE}/myapi`, `${BASE}/myapi`],
		[`${BASE}/api/integrations-gateway`, `${BASE}/api/integrations-gateway`],
		[`${BASE}/api/integrations/messages/send/now`, `${BASE}/api/integrations/messages/send/now`],
	])('%j is taken as %s', (typed, expected) => {
		expect(readBaseUrl(typed)).toBe(expected);
	});

	it.each([
		'http://LOCALHOST:3000',
		'http://172.31.255.255',
		'http://[::1]:3000',
		'http://[fd12:3456:789a::1]',
		'http://100.64.0.1',
		'http://169.254.10.1',
		'http://host.docker.internal:3000',
		'http://nas.local',
		'http://nas.home.arpa',
		'http://local-api:4010',
	])('%s may be unencrypted: it is this computer or in a private network', (typed) => {
		expect(readBaseUrl(typed)).toBe(typed.toLowerCase());
	});

	it.each([
		'http://172.32.0.1',
		'http://evil-localhost.com',
		'http://api.internal.evil.com',
		// Top-level domains of countries, some of which are web addresses by themselves.
		'http://ai./',
		'http://xn--p1ai',
		'http://[2001:db8::1]',
	])('%s must be encrypted', (typed) => {
		expect(errorOf(() => readBaseUrl(typed))).toContain('would send the API key unencrypted');
		expect(readBaseUrl(typed.replace('http:', 'https:'))).toMatch(/^https:/);
	});

	it.each<[unknown, string]>([
		[undefined, 'The credential has no Base URL'],
		['api.example.com', 'is not a web address'],
		['ftp://api.example.com', 'does not start with https://'],
		['https://user@api.example.com', 'contains a user name or password'],
		['https://:secret@api.example.com', 'contains a user name or password'],
		['https://api.example.com/?', 'contains "?" or "#"'],
	])('%j is rejected: %s', (typed, problem) => {
		expect(errorOf(() => readBaseUrl(typed))).toContain(problem);
	});

	it('of 1,000 characters is taken, and a longer one rejected before it is read', () => {
		const longest = `${BASE}/`.padEnd(1000, 'p');
		expect(readBaseUrl(longest)).toBe(longest);
		expect(errorOf(() => readBaseUrl(`${longest}p`))).toContain('has 1,001 characters. Enter only');
	});
});

describe('the API key', () => {
	it.each<[unknown, string]>([
		[undefined, 'has no API key'],
		['bm_live\r\nX-Other: 1', 'contains a space, a line break'],
		['bm_live_ü', 'contains a space, a line break or a character'],
		['bm\\/live', 'contains a space, a line break or a character'],
	])('%j is rejected: %s', (typed, problem) => {
		expect(errorOf(() => readApiKey(typed))).toContain(problem);
	});

	it('of 1,000 characters can be hidden in a response, and a longer one is rejected', () => {
		const longest = '!~+/='.repeat(200);
		expect(hideKey(`of ${readApiKey(longest)}`, longest)).toBe('of •••');
		expect(errorOf(() => readApiKey(`${longest}k`))).toContain('has 1,001 characters');
	});

	it('may have any character of ASCII but a backslash, and spaces around it', () => {
		const codes = Array.from({ length: 0x7e - 0x20 }, (_, index) => 0x21 + index);
		const key = String.fromCharCode(...codes).replace('\\', '');
		expect(readApiKey(` ${key}\n`)).toBe(key);
	});

	// SECURITY, The API key: in no error
	it('is in no error, wherever it was pasted and whatever is wrong with it', () => {
		const addresses = [
			KEY,
			`https://user:${KEY}@api.example.com`,
			`https://us er:x@${KEY}@api.example.com`,
			`user:${KEY}@api.example.com:port`,
			`https://api.example.com/?key=${KEY}`,
			`http://api.example.com/${KEY}`,
		];
		const keys = [`${KEY}\n${KEY}`, `${KEY}\u200b${KEY}`];
		const sentences = [
			...addresses.map((baseUrl) => errorOf(() => readBaseUrl(baseUrl))),
			...keys.map((key) => errorOf(() => readApiKey(key))),
		];
		expect(sentences).toEqual(Array(8).fill(expect.stringMatching(/./)));
		expect(sentences.join()).not.toContain(KEY);
	});
});

type Request = Parameters<typeof authenticateAt>[1];

async function authenticate(request: Request, baseUrl = BASE) {
	const credential: ICredentialDataDecryptedObject = { baseUrl, apiKey: KEY };
	const options = request as IHttpRequestOptions;
	return await new BusinessMessagingApi().authenticate(credential, options);
}

// README, What it does: other endpoints by HTTP Request
it('has what n8n looks for in a credential that HTTP Request offers, as properties of its own', () => {
	expect(Object.keys(new BusinessMessagingApi())).toContain('authenticate');
	// n8n's HTTP Request would take allowed domains for the whole rule.
	expect(new BusinessMessagingApi()).toMatchObject({ hideDomainRestrictionFields: true });
});

// SECURITY, The API key: to the Base URL's origin only
describe('a request', () => {
	it.each<[Request, string]>([
		[{ url: new URL('https://api.example.com/api/messages') }, BASE],
		[{ uri: 'HTTPS://API.Example.COM:443/?next=https://other.example.com//' }, BASE],
		[{ url: 'api/messages/status/a:b?next=//x' }, BASE],
		[{ url: '/api/messages', baseURL: 'https://api.example.com:443/other' }, BASE],
		[{ url: BASE, headers: { Host: 'api.example.com' } }, BASE],
		[{ url: 'http://[::1]:8080/api' }, 'http://[0:0:0:0:0:0:0:1]:8080'],
		[{ url: 'https://xn--bcher-kva.example/' }, 'https://bücher.example'],
	])('to %j gets the API key, which is for %s', async (request, baseUrl) => {
		const { headers } = await authenticate(request, baseUrl);
		expect(headers).toMatchObject({ 'X-API-Key': KEY });
	});

	const elsewhere = [
		'https://api.example.com.attacker.example/',
		'http://api.example.com/',
		'https://api.example.com:8443/',
		'https://api.example.com@other.example.com/',
		'//other.example.com/',
		'https:other.example.com/',
		'/\\other.example.com/',
		'/\t/other.example.com/',
		'\u0000https://other.example.com/',
		'https:///api.example.com/',
		' https://other.example.com/',
		'blob:https://api.example.com/1',
	];

	it.each<Request>([
		...elsewhere.flatMap((url) => [{ url }, { uri: url }, { url: '/api', baseURL: url }]),
		{ url: { toString: () => 'https://other.example.com/' } },
		{ url: BASE, uri: 'https://other.example.com/' },
		{ url: BASE, headers: { accept: '*/*', HOST: 'other.example.com' } },
		{ url: BASE, headers: { host: 'api.example.com:8443' } },
	])('to %j is refused', async (request) => {
		const sent = authenticate(request);
		await expect(sent).rejects.toMatchObject({
			message: 'The API key is sent to the Base URL of its credential only',
			remedy: 'Use an address that starts with https://api.example.com.',
		});
		await expect(sent).rejects.not.toThrow(KEY);
	});

	it('through a proxy that a node names is refused', async () => {
		const sent = authenticate({ url: BASE, proxy: { host: 'proxy.example', port: 3128 } });
		await expect(sent).rejects.toMatchObject({
			message: 'The API key is not sent through a proxy that is set in a node',
			remedy: expect.stringContaining('Remove Proxy'),
		});
	});
});
