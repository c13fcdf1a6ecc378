import type { ICredentialDataDecryptedObject, IHttpRequestOptions } from 'n8n-workflow';

import { BusinessMessagingApi } from '../../credentials/BusinessMessagingApi.credentials';
import type { Destination } from '../../nodes/BusinessMessaging/transport/credential/destination';

const KEY = 'key-for-tests';
const BASE = 'https://api.example.com';

type Request = Destination & { proxy?: unknown };

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
describe('the API key', () => {
	it.each<[Request]>([
		[{ url: 'https://api.example.com/api/messages' }],
		[{ url: new URL('https://api.example.com/api/messages') }],
		[{ uri: 'https://api.example.com:443/' }],
		[{ uri: 'HTTPS://API.Example.COM/api' }],
		[{ url: 'https://api.example.com/?next=https://other.example.com//' }],
		[{ url: '/api/messages' }],
		[{ url: 'api/messages/status/a:b?next=//x' }],
		[{ url: '/api/messages', baseURL: 'https://api.example.com:443/other' }],
		[{ url: '', baseURL: BASE }],
		[{ url: BASE, uri: BASE, baseURL: '' }],
		[{ url: BASE, headers: { Host: 'api.example.com' } }],
	])('goes with %j', async (request) => {
		const { headers } = await authenticate(request);
		expect(headers).toMatchObject({ 'X-API-Key': KEY });
	});

	it.each([
		['http://[::1]:8080/api', 'http://[0:0:0:0:0:0:0:1]:8080'],
		['https://xn--bcher-kva.example/', 'https://bücher.example'],
		['http://127.0.0.1/', 'http://2130706433'],
	])('goes to %s, which is another way of writing %s', async (url, baseUrl) => {
		const { headers } = await authenticate({ url }, baseUrl);
		expect(headers).toMatchObject({ 'X-API-Key': KEY });
	});

	it('goes beside the other headers, and never along with a redirect', async () => {
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
			'https://other.example.com/',
			'https://api.example.com@other.example.com/',
			'//other.example.com/',
			'https:other.example.com/',
			'https:/other.example.com/',
			'https:\\\\other.example.com/',
			'\\\\other.example.com/',
			'/\\other.example.com/',
			'/\t/other.example.com/',
			'\n//other.example.com/',
			' https://other.example.com/',
			'\u0000https://other.example.com/',
			'ht\ntps://other.example.com/',
			'https:///other.example.com/',
			'HTTPS://OTHER.EXAMPLE.COM/',
			'https://[::1]/',
			'https://',
			'https://a b/',
			'file:///etc/passwd',
			'data:text/plain,x',
			'blob:https://api.example.com/1',
		].flatMap((address): Array<[Request]> => shapesOf(address).map((request) => [request])),
		[{ url: BASE, uri: 'https://other.example.com/' }],
		[{ url: BASE, baseURL: 'https://other.example.com/' }],
		[{ url: BASE, headers: { accept: '*/*', HOST: 'other.example.com' } }],
		[{ url: BASE, headers: { host: 'api.example.com:8443' } }],
	])('does not go with %j', async (request) => {
		const sent = authenticate(request);
		await expect(sent).rejects.toMatchObject({
			message: 'The API key is sent to the Base URL of its credential only',
			remedy: 'Use an address that starts with https://api.example.com.',
		});
		await expect(sent).rejects.not.toThrow(KEY);
	});

	it.each(['http://proxy.example:3128', { host: 'proxy.example', port: 3128 }])(
		'does not go through the proxy %j that a node names',
		async (proxy) => {
			await expect(authenticate({ url: BASE, proxy })).rejects.toMatchObject({
				message: 'The API key is not sent through a proxy that is set in a node',
				remedy: expect.stringContaining('Remove Proxy'),
			});
		},
	);
});
