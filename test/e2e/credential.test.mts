import { DEVELOPMENT_KEY } from '../../playground/api/wellKnown.mts';
import { accountOfFile } from '../support/accountOfFile.mts';

const file = accountOfFile('Under test');

async function tested(change: Record<string, string>) {
	const data = { baseUrl: file.api.url, apiKey: DEVELOPMENT_KEY, ...change };
	const credential = { name: 'Under test', type: 'businessMessagingApi', data };
	return await file.n8n.client.credentials.test(credential);
}

test('a good key, and an endpoint as base URL, are good', async () => {
	const baseUrl = `${file.api.url}/API/integrations/messages/send/`;
	expect(await tested({ baseUrl })).toEqual({ status: 'OK', message: 'The API key was accepted' });
});

test.each([
	['a wrong key', () => ({ apiKey: 'wrong' }), /^The API key is missing or not valid\./],
	['http to a public host', () => ({ baseUrl: 'http://example.com' }), /https/],
	[
		'https to a server that speaks http',
		() => ({ baseUrl: file.api.url.replace('http:', 'https:') }),
		/^The API could not be reached securely: the server at this address does not use https/,
	],
	['nothing listens', () => ({ baseUrl: 'http://127.0.0.1:1' }), /connect|reach|refused/i],
])('is bad, with the reason in a sentence: %s', async (_, change, reason) => {
	const { status, message } = await tested(change());
	expect({ status, message }).toEqual({ status: 'Error', message: expect.stringMatching(reason) });
	expect(message).toMatch(/\.$/);
});
