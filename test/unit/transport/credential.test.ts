import fc from 'fast-check';
import type { ICredentialDataDecryptedObject, IHttpRequestOptions } from 'n8n-workflow';

import { BusinessMessagingApi } from '../../../credentials/BusinessMessagingApi.credentials';
import { SEND_PATH, STATUS_PATH } from '../../../nodes/BusinessMessaging/api';
import { InputError } from '../../../nodes/BusinessMessaging/inputError';
import { readConnection } from '../../../nodes/BusinessMessaging/transport/credential';

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

// SECURITY, The API key: the Base URL must be https
describe('the base URL', () => {
	it.each([
		[`${BASE}//`, BASE],
		[` ${BASE}\n`, BASE],
		[`${BASE}/gateway/v2/`, `${BASE}/gateway/v2`],
		[`${BASE}:443`, BASE],
		['HTTPS://API.Example.com:8443/Path', 'https://api.example.com:8443/Path'],
		['https://[2001:db8::1]:8443/', 'https://[2001:db8::1]:8443'],
	])('%j is taken as %s', (typed, expected) => {
		expect(readBaseUrl(typed)).toBe(expected);
	});

	describe('that ends with a path of the API is taken without it:', () => {
		it.each([
			[`${BASE}/API/Integrations/messages`, BASE],
			[`${BASE}//api//integrations//messages//status//m-1//`, BASE],
			[`${BASE}/api/v2.0/integrations/messages`, BASE],
			[`${BASE}/api/2.0`, BASE],
			[`${BASE}/gateway/api/v2`, `${BASE}/gateway`],
			// The way to write down a proxy that has the same path in front of the API's.
			[`${BASE}/api/api/integrations`, `${BASE}/api`],
		])('%j as %s', (typed, expected) => {
			expect(readBaseUrl(typed)).toBe(expected);
		});

		it.each([
			'/api/gateway',
			'/myapi',
			'/api.v2',
			'/v2',
			'/api/v2beta',
			'/api/integrations-gateway',
			'/integrations/messages/send',
			'/api/integrations/messages/send/now',
		])('but %j, which is a path of its own, with all of it', (path) => {
			expect(readBaseUrl(BASE + path)).toBe(BASE + path);
		});

		it('whatever stands before it, and wherever the address was cut off', () => {
			const paths = [SEND_PATH, `${STATUS_PATH}m-1`];
			const endings = paths.flatMap((path) =>
				[...path.matchAll(/(?<=[^/])(?=\/|$)/g)].map(({ index }) => path.slice(0, index)),
			);
			fc.assert(
				fc.property(
					fc.domain(),
					fc.array(fc.stringMatching(/^[a-z\d]{1,8}$/), { maxLength: 3 }),
					fc.constantFrom(...endings),
					fc.constantFrom('', '/', '//'),
					(domain, folders, ending, slashes) => {
						const baseUrl = ['https://' + domain, ...folders].join('/');
						expect(readBaseUrl(baseUrl + ending + slashes)).toBe(baseUrl);
					},
				),
			);
		});
	});

	it.each([
		'http://LOCALHOST:3000',
		'http://api.localhost',
		'http://127.8.9.10',
		'http://172.31.255.255',
		'http://169.254.1.1',
		'http://[::1]:3000',
		'http://[fd12:3456:789a::1]',
		'http://[fe80::1]',
		'http://messaging-api:3000',
		'http://printer.local',
		'http://host.docker.internal:3000',
	])('%s may be unencrypted: it is this computer or in a private network', (typed) => {
		expect(readBaseUrl(typed)).toBe(typed.toLowerCase());
	});

	it.each([
		'http://api.example.com',
		'http://172.32.0.1',
		'http://127.0.0.1.evil.com',
		'http://localhost.evil.com',
		'http://evil-localhost.com',
		'http://localevil.com',
		'http://evil.com:80/127.0.0.1',
		'http://api.internal.evil.com',
		'http://[2001:db8::1]',
		'http://[::ffff:8.8.8.8]',
		'http://[2001:db8::fe80]',
		'http://fd00.evil.com',
	])('%s must be encrypted', (typed) => {
		expect(errorOf(() => readBaseUrl(typed))).toContain(
			'The Base URL in the credential starts with http://, which would send the API key',
		);
		expect(readBaseUrl(typed.replace('http:', 'https:'))).toMatch(/^https:/);
	});

	it('that is unencrypted is private whenever it is taken', () => {
		fc.assert(
			fc.property(fc.ipV4(), fc.domain(), (address, domain) => {
				expect(() => readBaseUrl(`http://${address}.${domain}`)).toThrow('unencrypted');
				const isPrivate = /^(10|127|192\.168|169\.254|172\.(1[6-9]|2\d|3[01]))\./.test(address);
				expect(errorOf(() => readBaseUrl(`http://${address}`)) === '').toBe(isPrivate);
			}),
			{ numRuns: 500 },
		);
	});

	it.each<[unknown, string]>([
		['  ', 'The credential has no Base URL'],
		[undefined, 'The credential has no Base URL'],
		[17, 'The credential has no Base URL'],
		['api.example.com', 'is not a web address'],
		['https://api example.com', 'is not a web address'],
		['ftp://api.example.com', 'does not start with https://'],
		['localhost:3000', 'does not start with https://'],
		['https://user@api.example.com', 'contains a user name or password'],
		['https://:secret@api.example.com', 'contains a user name or password'],
		['https://api.example.com?key=1', 'contains a query'],
		['https://api.example.com/?', 'contains a query'],
		['https://api.example.com/#top', 'contains a fragment'],
		['https://api.example.com/#', 'contains a fragment'],
	])('%j is rejected: %s', (typed, problem) => {
		expect(errorOf(() => readBaseUrl(typed))).toContain(problem);
	});

	it('of 2,000 characters is taken, and a longer one rejected before it is read', () => {
		const longest = `${BASE}/`.padEnd(2000, 'p');
		expect(readBaseUrl(longest)).toBe(longest);
		expect(errorOf(() => readBaseUrl(`${longest}p`))).toContain('has 2,001 characters. Enter only');
		expect(errorOf(() => readBaseUrl(BASE + '/'.repeat(100_000)))).toContain('100,023 characters');
	});

	it('that was read is read as itself, and a path can follow it', () => {
		fc.assert(
			fc.property(fc.webUrl({ validSchemes: ['https'] }), (typed) => {
				const baseUrl = readBaseUrl(typed);
				fc.pre(!baseUrl.endsWith('/api'));
				expect(readBaseUrl(baseUrl)).toBe(baseUrl);
				expect(baseUrl).not.toMatch(/\/$/);
				expect(new URL(`${baseUrl}/api`).origin).toBe(new URL(typed).origin);
			}),
		);
	});
});

describe('the API key', () => {
	it.each<[unknown, string]>([
		[' \n', 'has no API key'],
		[undefined, 'has no API key'],
		[12345, 'has no API key'],
		['bm_live\r\nX-Other: 1', 'contains a line break'],
		['bm live', 'contains a space'],
		['bm\u0000live', 'contains a space or a character'],
		['bm_live_ü', 'contains a space or a character'],
		['bm\\/live', 'contains a space or a character'],
	])('%j is rejected: %s', (typed, problem) => {
		expect(errorOf(() => readApiKey(typed))).toContain(problem);
	});

	it('of 2,000 characters is taken, and a longer one rejected', () => {
		expect(readApiKey('k'.repeat(2000))).toHaveLength(2000);
		expect(errorOf(() => readApiKey('k'.repeat(2001)))).toContain('has 2,001 characters');
	});

	it('that is taken can be sent in a header', () => {
		expect(readApiKey(' !~+/=\n')).toBe('!~+/=');
		fc.assert(
			fc.property(fc.string({ unit: 'binary' }), (typed) => {
				if (errorOf(() => readApiKey(typed)) !== '') return;
				expect(() => new Headers({ 'X-API-Key': readApiKey(typed) })).not.toThrow();
				expect(readApiKey(typed)).toBe(typed.trim());
			}),
		);
	});
});

// SECURITY, The API key: in no error
describe('an error about a credential never quotes the key', () => {
	const secret = fc.stringMatching(/^[\w-]{12,30}$/);

	it('that was pasted into the Base URL', () => {
		const around = fc.constantFrom<(key: string) => string>(
			(key) => key,
			(key) => `https://user:${key}@api.example.com`,
			(key) => `https://us er:x@${key}@api.example.com`,
			(key) => `user:${key}@api.example.com:port`,
			(key) => `https://api.example.com/?key=${key}`,
			(key) => `https://api.example.com/#${key}`,
			(key) => `http://api.example.com/${key}`,
		);
		fc.assert(
			fc.property(secret, around, (key, place) => {
				const sentences = errorOf(() => readBaseUrl(place(key)));
				expect(sentences).not.toBe('');
				expect(sentences).not.toContain(key);
			}),
		);
	});

	it('that is rejected', () => {
		fc.assert(
			fc.property(secret, fc.constantFrom('\n', ' ', 'ü', '\u200b'), (key, mistake) => {
				const sentences = errorOf(() => readApiKey(`${key}${mistake}${key}`));
				expect(sentences).not.toBe('');
				expect(sentences).not.toContain(key);
			}),
		);
	});
});

/** A request, as n8n's HTTP helpers take it; the older ones take `uri`. */
interface Request {
	url?: unknown;
	uri?: unknown;
	baseURL?: unknown;
	headers?: object;
	proxy?: unknown;
}

async function authenticate(request: Request, baseUrl = BASE) {
	const credential: ICredentialDataDecryptedObject = { baseUrl, apiKey: KEY };
	const options = request as IHttpRequestOptions;
	return await new BusinessMessagingApi().authenticate(credential, options);
}

/** The same address in each shape in which n8n hands it over. */
function shapesOf(address: string): Request[] {
	return [
		{ url: address },
		{ uri: address },
		{ url: '/api', baseURL: address },
		{ uri: '/api', baseURL: address },
		{ baseURL: address },
		{ url: { toString: () => address } },
	];
}

// README, Operations: other endpoints by HTTP Request
it('has what n8n looks for in a credential that HTTP Request offers, as a property of its own', () => {
	expect(Object.keys(new BusinessMessagingApi())).toContain('authenticate');
});

it("asks for no allowed domains, which n8n's HTTP Request would take for the whole rule", () => {
	expect(new BusinessMessagingApi()).toMatchObject({ hideDomainRestrictionFields: true });
});

// SECURITY, The API key: to the Base URL's origin only
describe('a request', () => {
	it.each<[Request, string]>([
		[{ url: new URL('https://api.example.com/api/messages') }, BASE],
		[{ uri: 'HTTPS://API.Example.COM:443/api' }, BASE],
		[{ url: 'https://api.example.com/?next=https://other.example.com//' }, BASE],
		[{ url: 'api/messages/status/a:b?next=//x' }, BASE],
		[{ url: '/api/messages', baseURL: 'https://api.example.com:443/other' }, BASE],
		[{ url: '', baseURL: BASE }, BASE],
		[{ url: BASE, headers: { Host: 'api.example.com' } }, BASE],
		[{ url: 'http://[::1]:8080/api' }, 'http://[0:0:0:0:0:0:0:1]:8080'],
		[{ url: 'https://xn--bcher-kva.example/' }, 'https://bücher.example'],
	])('to %j gets the API key, which is for %s', async (request, baseUrl) => {
		const { headers } = await authenticate(request, baseUrl);
		expect(headers).toMatchObject({ 'X-API-Key': KEY });
	});

	it('keeps its other headers, and follows no redirect', async () => {
		const request = { url: BASE, method: 'POST', headers: { accept: 'application/json' } };
		expect(await authenticate(request)).toEqual({
			...request,
			headers: { accept: 'application/json', 'X-API-Key': KEY },
			disableFollowRedirect: true,
			maxRedirects: 0,
		});
	});

	it.each<[Request]>([
		...[
			'https://api.example.com.attacker.example/',
			'http://api.example.com/',
			'https://api.example.com:8443/',
			'https://api.example.com@other.example.com/',
			'//other.example.com/',
			'https:other.example.com/',
			'https:/other.example.com/',
			'https:\\\\other.example.com/',
			'\\\\other.example.com/',
			'/\\other.example.com/',
			'/\t/other.example.com/',
			' https://other.example.com/',
			'\u0000https://other.example.com/',
			'ht\ntps://other.example.com/',
			'https:///other.example.com/',
			'https://a b/',
			'data:text/plain,x',
			'blob:https://api.example.com/1',
		].flatMap((address): Array<[Request]> => shapesOf(address).map((request) => [request])),
		[{ url: BASE, uri: 'https://other.example.com/' }],
		[{ url: BASE, headers: { accept: '*/*', HOST: 'other.example.com' } }],
		[{ url: BASE, headers: { host: 'api.example.com:8443' } }],
	])('to %j is refused', async (request) => {
		const sent = authenticate(request);
		await expect(sent).rejects.toMatchObject({
			message: 'The API key is sent to the Base URL of its credential only',
			remedy: 'Use an address that starts with https://api.example.com.',
		});
		await expect(sent).rejects.not.toThrow(KEY);
	});

	it.each(['http://proxy.example:3128', { host: 'proxy.example', port: 3128 }])(
		'through the proxy %j that a node names is refused',
		async (proxy) => {
			await expect(authenticate({ url: BASE, proxy })).rejects.toMatchObject({
				message: 'The API key is not sent through a proxy that is set in a node',
				remedy: expect.stringContaining('Remove Proxy'),
			});
		},
	);
});
