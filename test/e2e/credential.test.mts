import { startLocalApi, type LocalApi } from '../../playground/api/server.mts';
import { DEVELOPMENT_KEY } from '../../playground/api/wellKnown.mts';
import { n8nUnderTest, type N8nUnderTest } from '../support/n8nUnderTest.mts';
import { startWebPage } from '../support/webPage.mts';

let n8n: N8nUnderTest;
let api: LocalApi;
let page: Awaited<ReturnType<typeof startWebPage>>;

beforeAll(async () => {
	n8n = await n8nUnderTest();
	api = await startLocalApi({});
	page = await startWebPage();
});

afterAll(async () => {
	await page.close();
	await api.close();
});

async function tested(change: Record<string, string>) {
	return await n8n.client.credentials.test({
		name: 'Under test',
		type: 'businessMessagingApi',
		data: { baseUrl: api.url, apiKey: DEVELOPMENT_KEY, ...change },
	});
}

test('a good key, and an endpoint as base URL, are good', async () => {
	const baseUrl = `${api.url}/API/integrations/messages/send/`;
	expect(await tested({ baseUrl })).toEqual({ status: 'OK', message: 'The API key was accepted' });
});

test.each([
	['a wrong key', () => ({ apiKey: 'wrong' }), /^The API key is missing or not valid\./],
	['a web page behind the base URL', () => ({ baseUrl: page.url }), /web page/i],
	['http to a public host', () => ({ baseUrl: 'http://example.com' }), /https/],
	[
		'https to a server that speaks http',
		() => ({ baseUrl: api.url.replace('http:', 'https:') }),
		/^The API could not be reached securely: the server at this address does not use https/,
	],
	['nothing listens', () => ({ baseUrl: 'http://127.0.0.1:1' }), /connect|reach|refused/i],
])('is bad, with the reason in a sentence: %s', async (_, change, reason) => {
	const { status, message } = await tested(change());
	expect({ status, message }).toEqual({ status: 'Error', message: expect.stringMatching(reason) });
	expect(message).toMatch(/\.$/);
});
