import type { ICredentialTestFunctions } from 'n8n-workflow';

import { testCredential } from '../../../nodes/BusinessMessaging/transport/credentialTest';

const CREDENTIAL = { baseUrl: 'https://api.example.com/gateway/', apiKey: ' bm_live_1234567890 ' };
const HEADER = { 'x-ratelimit-remaining': '59' };
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
	return await testCredential(helpers, CREDENTIAL);
}

// README, Credentials: the test is a look-up
it('asks for the status of one message, with the key, and follows no redirect', async () => {
	const { helpers, requests } = helpersThat(() => ({ statusCode: 404, body: {} }));
	await testCredential(helpers, CREDENTIAL);
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
	[404, { success: false, error: 'Endpoint or resource not found' }],
	[404, { error: 'Message n8n-credential-test not found' }],
	[404, { error: 'MESSAGE_NOT_FOUND' }],
	[404, '', HEADER],
	[200, { success: true, data: { message_id: 'n8n-credential-test' } }],
	[400, { success: false }],
	[400, { error: 'Bad Request' }, HEADER],
	// They name the key or the address as well.
	[404, { success: false, error: 'No message with this ID was sent with this API key' }],
	[404, { error: 'The message does not exist (path parameter messageId)' }],
	[400, { success: false, error: 'The message ID in the URL is invalid' }],
])('%i with %j and the headers %j: the key was accepted', async (status, body, headers = {}) => {
	expect(await resultFor(status, body, headers)).toEqual({
		status: 'OK',
		message: 'The API key was accepted',
	});
});

it.each<[string, object]>([
	['Fastify', { message: 'Route GET:/api/x not found', error: 'Not Found', statusCode: 404 }],
	['Spring', { status: 404, error: 'Not Found', message: 'No message available' }],
	['Spring 3', { message: `No static resource ${PATH}.` }],
	['the API at another path', { success: false, error: 'Unknown endpoint' }],
	['a server that quotes the path', { error: `Not found: ${PATH}` }],
	['a router that names the path', { error: 'The route /message was not found' }],
])('the 404 of %s says that the address is wrong', async (_, body) => {
	const asked = `n8n asked for https://api.example.com/gateway/${PATH}.`;
	const message = `The server that answered has no such address. Check the Base URL, and the path in it. ${asked}`;
	expect(await resultFor(404, body, HEADER)).toEqual({ status: 'Error', message });
});

const KEY_REJECTED = 'The API key is missing or not valid. Paste a key';

it.each([
	...['Invalid credentials', 'No apikey', 'Access key?', 'wrong key', 'Not authenticated'],
	...['Unauthorized', 'unauthorised', 'Forbidden', 'Access denied'],
])('the words "%s" are about the key', async (error) => {
	expect((await resultFor(400, { error }, HEADER)).message).toContain(KEY_REJECTED);
});

const NOT_THE_API = 'Something answered that is not the API. Check the Base URL';

it.each<[number, unknown, string, object?]>([
	[401, { success: false }, KEY_REJECTED],
	[200, { success: false, error: { code: 'INVALID_API_KEY', message: 'Not found' } }, KEY_REJECTED],
	[404, { success: false, code: 'INVALID', error: { code: 'TOKEN' } }, KEY_REJECTED],
	[404, 'Missing X-API-Key', KEY_REJECTED, HEADER],
	[403, { success: false }, "Your account's plan has no API access. API access comes"],
	[429, {}, 'The rate limit of the API was exceeded. Wait a minute and try again.'],
	[400, {}, 'refused the request (HTTP 400). Check the Base URL and the API key.'],
	[501, 'No', 'The API is not working properly (HTTP 501). Try again later.'],
	[200, { success: false }, 'refused the request (HTTP 200). Check the Base URL and'],
	[200, { success: false, error: 'No bm_live_1234567890' }, '(HTTP 200). It says: "No •••".'],
	[300, '', 'The Base URL redirects to another address. Enter the address that it leads to.'],
	[200, PAGE, 'A web page or proxy answered instead of the API. Enter the address of the API'],
	[200, { message: 'Welcome to the message page' }, NOT_THE_API],
	[404, { success: true, data: {} }, NOT_THE_API],
	[200, { success: true }, NOT_THE_API],
	[404, 'Not Found', NOT_THE_API],
	[200, 'OK', NOT_THE_API, HEADER],
])('%i with %j has a sentence of its own', async (status, body, message, headers = {}) => {
	expect(await resultFor(status, body, headers)).toEqual({
		status: 'Error',
		message: expect.stringContaining(message),
	});
});

// SECURITY, The API key: in no error
it.each([
	['ESOCKETTIMEDOUT', 'did not answer in time. Check the Base URL and the network of'],
	['ECONNREFUSED', 'the connection was refused. Check the Base URL in the credential, n8n'],
])('no answer because of %s has a sentence of its own, without the key', async (code, message) => {
	const { helpers } = helpersThat(() => {
		throw Object.assign(new Error(`failed with ${CREDENTIAL.apiKey}`), { code });
	});
	const result = await testCredential(helpers, CREDENTIAL);
	expect(result).toEqual({ status: 'Error', message: expect.stringContaining(message) });
	expect(result.message).not.toContain('bm_live');
});

const GOOD = { ...CREDENTIAL, webhookSecret: 'k9TqZ7xw2Lm4Rp8w' };

// docs/credentials.md: a Webhook Secret is tested, too
it.each<[object, string]>([
	[
		{ ...CREDENTIAL, webhookSecret: ' 15-characters-i ' },
		"A Webhook Secret in the credential has fewer than 16 characters. Take a longer one of letters and digits, for example from n8n's Crypto node (Generate, Type HEX).",
	],
	...[...'&#+% '].map((sign): [object, string] => [
		{ ...GOOD, previousWebhookSecret: `k9TqZ7xw${sign}2Lm4Rp8w` },
		'does not arrive unchanged behind ?token=. Take one of letters and digits only',
	]),
	[
		{ ...CREDENTIAL, webhookSecret: `${CREDENTIAL.apiKey} ` },
		'A Webhook Secret in the credential is the API key, which must not stand in a URL. Take another',
	],
])('%j is refused before any request', async (credential, message) => {
	const { helpers, requests } = helpersThat(() => ({ statusCode: 200, body: {} }));
	expect(await testCredential(helpers, credential as never)).toEqual({
		status: 'Error',
		message: expect.stringContaining(message),
	});
	expect(requests).toEqual([]);
});
