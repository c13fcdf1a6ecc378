import fc from 'fast-check';
import type { ICredentialTestFunctions } from 'n8n-workflow';

import { testCredential } from '../../../nodes/BusinessMessaging/transport/credentialTest';
import { createVirtualClock } from '../../support/virtualClock.ts';

const CREDENTIAL = { baseUrl: 'https://api.example.com/gateway/', apiKey: ' bm_live_1234567890 ' };
const clock = createVirtualClock();
const PAGE = '<!doctype html><h1>Shop</h1>';
const PATH = 'api/integrations/messages/status/n8n-credential-test';

/** Helpers whose request ends like this; what was requested is noted. */
function helpersThat(end: () => unknown) {
	const requests: Array<Record<string, unknown>> = [];
	const request = async (options: Record<string, unknown>) => {
		requests.push(options);
		return await end();
	};
	return { requests, helpers: { request } as unknown as ICredentialTestFunctions['helpers'] };
}

async function resultFor(statusCode: number, body: unknown, headers: object = {}) {
	const { helpers } = helpersThat(() => ({ statusCode, headers, body }));
	return await testCredential(helpers, CREDENTIAL, clock);
}

describe('the test of a credential', () => {
	// README, Credentials: the test is a look-up
	it('asks for the status of one message, with the key, and follows no redirect', async () => {
		const { helpers, requests } = helpersThat(() => ({ statusCode: 404, body: {} }));
		await testCredential(helpers, CREDENTIAL, clock);
		expect(requests).toEqual([
			{
				method: 'GET',
				uri: `https://api.example.com/gateway/${PATH}`,
				headers: { accept: 'application/json', 'X-API-Key': 'bm_live_1234567890' },
				timeout: 15_000,
				json: true,
				simple: false,
				followRedirect: false,
				disableFollowRedirect: true,
				maxRedirects: 0,
				resolveWithFullResponse: true,
			},
		]);
	});

	it.each<[number, unknown, object?]>([
		[404, { success: false, error: { message: 'Message not found' } }],
		[404, { success: false, error: 'Endpoint or resource not found' }],
		[404, { success: false }],
		[404, { error: 'Message n8n-credential-test not found' }],
		[404, { code: 404, message: 'No such message' }],
		[404, { code: 404 }, { 'x-ratelimit-remaining': '59' }],
		[404, { error: 'Not Found' }, { 'x-ratelimit-reset': '60' }],
		[200, { success: true, data: { message_id: 'n8n-credential-test' } }],
		[200, { success: false, error: 'Message not found' }],
		[200, { success: false, error: { code: 'MESSAGE_NOT_FOUND' } }],
		[200, { success: false, error: { code: 'NOTFOUND' } }],
	])('%i with %j and the headers %j: the key was accepted', async (status, body, headers = {}) => {
		expect(await resultFor(status, body, headers)).toEqual({
			status: 'OK',
			message: 'The API key was accepted',
		});
	});

	it.each<[number, unknown]>([
		[200, { success: false, error: 'invalid api key' }],
		[200, { success: false, error: { message: 'Unauthorized' } }],
		[200, { success: false, error: { code: 'INVALID_API_KEY', message: 'Not found' } }],
		[404, { success: false, message: 'API key not found' }],
		[404, { success: false, code: 'APIKEY_UNKNOWN' }],
		[404, { success: false, code: 'INVALID', error: { code: 'TOKEN' } }],
		[404, { success: false, message: 'Authentication failed' }],
	])('%i with %j: the key was refused, whatever the status says', async (status, body) => {
		expect(await resultFor(status, body, { 'x-ratelimit-remaining': '59' })).toEqual({
			status: 'Error',
			message: expect.stringContaining('The API key is missing or not valid. Paste a key'),
		});
	});

	it.each<[string, unknown, object?]>([
		['Fastify', { message: 'Route GET:/api/x not found', error: 'Not Found', statusCode: 404 }],
		['NestJS', { message: 'Cannot GET /api/x', error: 'Not Found', statusCode: 404 }],
		['Laravel', { message: 'The route api/x could not be found.' }],
		['Kong', { message: 'no Route matched with those values' }],
		['Spring', { status: 404, error: 'Not Found', message: 'No message available' }],
		['Spring 3', { message: `No static resource ${PATH}.` }],
		['n8n', { code: 404, message: 'The requested webhook "GET api/x" is not registered.' }],
		['the API at another path', { success: false, error: 'Unknown endpoint' }],
	])('the 404 of %s says that the address is wrong', async (_, body) => {
		expect(await resultFor(404, body, { 'x-ratelimit-remaining': '59' })).toEqual({
			status: 'Error',
			message:
				'The server that answered has no such address. Check the Base URL, and the path in it. ' +
				`n8n asked for https://api.example.com/gateway/${PATH}.`,
		});
	});

	it('says what an API means that refuses with 200, without the key', async () => {
		const body = { success: false, error: 'Account bm_live_1234567890 is suspended' };
		expect(await resultFor(200, body)).toEqual({
			status: 'Error',
			message: 'The API refused the request. It says: "Account ••• is suspended".',
		});
		expect((await resultFor(200, { success: false })).message).toContain('Check the Base URL and');
	});

	it('ends at its deadline when the answer never does', async () => {
		const start = clock.now();
		const { helpers } = helpersThat(async () => await new Promise(() => undefined));
		const result = await clock.run(testCredential(helpers, CREDENTIAL, clock));
		expect(result.message).toContain('did not answer in time. Check the Base URL and the network');
		expect(clock.now() - start).toBe(15_000);
	});

	it.each<[number, unknown, string]>([
		[401, { success: false }, 'The API key is missing or not valid. Paste a key'],
		[403, { success: false }, "Your account's plan has no API access. API access comes"],
		[429, {}, 'The rate limit of the API was exceeded. Wait a minute and try again.'],
		[400, { success: false }, 'The API refused the request (HTTP 400). '],
		[418, {}, "The API's response is unclear (HTTP 418). "],
		[500, {}, 'The API is not working properly (HTTP 500). Try again later'],
		[204, '', "The API's response is unclear (HTTP 204). "],
		[300, '', 'The Base URL redirects to another address. Enter the address that it leads to.'],
		[399, '', 'The Base URL redirects to another address. '],
		[200, 'Welcome', 'Something answered that is not the API. Check the Base URL'],
		[403, '', 'A web page or proxy answered instead of the API. Check the Base URL'],
		[200, PAGE, 'A web page or proxy answered instead of the API. Check the Base URL'],
		[403, PAGE, 'A web page or proxy answered instead of the API. Check the Base URL'],
		[407, PAGE, 'The proxy of n8n asks for a user name'],
		[503, PAGE, 'A web page or proxy answered instead of the API. '],
	])('%i with %j has a sentence of its own', async (status, body, message) => {
		expect(await resultFor(status, body)).toEqual({
			status: 'Error',
			message: expect.stringContaining(message),
		});
	});

	it.each<[number, unknown]>([
		[404, {}],
		[404, { status: 404, error: 'Not Found' }],
		[404, { success: true, data: {} }],
		[200, { status: 'ok' }],
		[200, { success: true }],
		[200, null],
	])('%i with %j is not the answer of the API', async (status, body) => {
		const { message } = await resultFor(status, body);
		expect(message).toMatch(/^Something answered that is not the API\. /);
	});

	it.each([
		[
			{ code: 'ENOTFOUND', syscall: 'getaddrinfo' },
			'its address was not found. Check the Base URL',
		],
		[{ code: 'ESOCKETTIMEDOUT' }, 'did not answer in time. Check the Base URL and the network of'],
		[{}, 'The request to the API failed'],
		[
			{ code: 'ECONNREFUSED' },
			'the connection was refused. Check the Base URL in the credential, and that',
		],
	])('no answer because of %j has a sentence of its own', async (system, message) => {
		const { helpers } = helpersThat(() => {
			throw Object.assign(new Error('failed'), system);
		});
		expect(await testCredential(helpers, CREDENTIAL, clock)).toEqual({
			status: 'Error',
			message: expect.stringContaining(message),
		});
	});

	it.each([
		[{}, 'The credential has no Base URL'],
		[{ ...CREDENTIAL, apiKey: '' }, 'The credential has no API key'],
	])('%j is refused before any request', async (credential, message) => {
		const { helpers, requests } = helpersThat(() => ({ statusCode: 200, body: {} }));
		expect(await testCredential(helpers, credential, clock)).toEqual({
			status: 'Error',
			message: expect.stringContaining(message),
		});
		expect(requests).toEqual([]);
	});

	// SECURITY, The API key: in no error
	it('never shows the key, whatever comes back', async () => {
		const ends = fc.constantFrom<(key: string) => unknown>(
			(key) => ({ statusCode: 401, body: { message: `Invalid key ${key}` } }),
			(key) => ({ statusCode: 500, body: key }),
			(key) => ({
				statusCode: 302,
				body: '',
				headers: { location: `https://x.example?key=${key}` },
			}),
			(key) => {
				throw Object.assign(new Error(`failed with ${key}`), { options: { headers: { key } } });
			},
		);
		await fc.assert(
			fc.asyncProperty(fc.stringMatching(/^[\w-]{12,30}$/), ends, async (apiKey, end) => {
				const { helpers } = helpersThat(() => end(apiKey));
				const { message } = await testCredential(helpers, { ...CREDENTIAL, apiKey }, clock);
				expect(message).not.toContain(apiKey);
			}),
		);
	});
});
