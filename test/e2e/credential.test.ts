import { startLocalApi, type LocalApi } from '../../playground/api/server.ts';
import { DEVELOPMENT_KEY, FREE_PLAN_KEY, START_PLAN_KEY } from '../../playground/api/wellKnown.ts';
import { anyFreePort } from '../../playground/ports.ts';
import {
	answer,
	MISBEHAVIORS,
	startFaultServer,
	type Misbehavior,
} from '../support/faultServer.ts';
import { n8nUnderTest, type N8nUnderTest } from '../support/n8nUnderTest.ts';
import { startWebPage } from '../support/webPage.ts';

const JSON_TYPE = ['content-type: application/json'];

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

test.each([
	['a good key', () => ({})],
	['a slash after the base URL', () => ({ baseUrl: `${api.url}/` })],
	['a path of the API after the base URL', () => ({ baseUrl: `${api.url}/api` })],
	['a path with a version', () => ({ baseUrl: `${api.url}/api/v1` })],
	['an endpoint as base URL', () => ({ baseUrl: `${api.url}/API/integrations/messages/send/` })],
	['spaces around the key', () => ({ apiKey: ` ${DEVELOPMENT_KEY} ` })],
])('is good: %s', async (_, change) => {
	expect(await tested(change())).toEqual({ status: 'OK', message: 'The API key was accepted' });
});

test.each([
	['a wrong key', () => ({ apiKey: 'wrong' }), /API key/],
	['the Start plan', () => ({ apiKey: START_PLAN_KEY }), /plan/i],
	['the Free plan', () => ({ apiKey: FREE_PLAN_KEY }), /plan/i],
	['a web page behind the base URL', () => ({ baseUrl: page.url }), /web page/i],
	['a path that the API does not have', () => ({ baseUrl: `${page.url}/api` }), /web page/i],
	['a query in the base URL', () => ({ baseUrl: `${api.url}/?key=1` }), /query/i],
	[
		'a password in the base URL',
		() => ({ baseUrl: 'https://a:b@example.com' }),
		/password|user|credentials/i,
	],
	['http to a public host', () => ({ baseUrl: 'http://example.com' }), /https/],
	['no address at all', () => ({ baseUrl: 'my provider' }), /base url/i],
	['a line break in the key', () => ({ apiKey: 'one\ntwo' }), /line/i],
])('is bad, with the reason in a sentence: %s', async (_, change, reason) => {
	const { status, message } = await tested(change());
	expect({ status, message }).toEqual({ status: 'Error', message: expect.stringMatching(reason) });
	expect(message).toMatch(/\.$/);
});

test('is bad, with the reason in a sentence: nothing listens', async () => {
	const { status, message } = await tested({ baseUrl: `http://127.0.0.1:${await anyFreePort()}` });
	expect(status).toBe('Error');
	expect(message).toMatch(/connect|reach|refused/i);
});

test.each<[string, Misbehavior, RegExp]>([
	[
		'200 that says that the key is wrong',
		answer('200 OK', '{"success":false,"error":"invalid api key"}', JSON_TYPE),
		/^The API key is missing or not valid\./,
	],
	[
		'404 of another server',
		answer('404 Not Found', '{"detail":"Not Found"}', JSON_TYPE),
		/^Something answered that is not the API\./,
	],
	[
		'404 of another server, for its address',
		answer('404 Not Found', '{"message":"Cannot GET /api"}', JSON_TYPE),
		/^The server that answered has no such address\..* n8n asked for http:\/\/127\.0\.0\.1:\d+\/api\/integrations\//,
	],
	['403 in plain text', answer('403 Forbidden', 'Forbidden'), /^A web page or proxy answered/],
	['an answer that drips in', MISBEHAVIORS.dripsForever, /^The API did not answer in time\./],
	['another protocol', MISBEHAVIORS.switchesProtocol, /^The API did not answer in time\./],
])('is bad, with the reason in a sentence: %s', async (_, misbehavior, reason) => {
	const server = await startFaultServer(() => misbehavior);
	const { status, message } = await tested({ baseUrl: server.url });
	await server.close();
	expect({ status, message }).toEqual({ status: 'Error', message: expect.stringMatching(reason) });
});

test('is bad, with the reason in a sentence: https to a server that speaks http', async () => {
	const { message } = await tested({ baseUrl: api.url.replace('http:', 'https:') });
	expect(message).toMatch(/^The API could not be reached securely: no https is spoken/);
});

test('is bad at once with a Base URL of 100,000 slashes', async () => {
	const { message } = await tested({ baseUrl: `https://api.example.com/${'/'.repeat(1e5)}x` });
	expect(message).toMatch(/^The Base URL in the credential has 100,025 characters\./);
});

test('is bad, with the reason in a sentence: too many requests', async () => {
	const busy = await startLocalApi({ requestsPerWindow: 1 });
	try {
		expect(await tested({ baseUrl: busy.url })).toMatchObject({ status: 'OK' });
		const { status, message } = await tested({ baseUrl: busy.url });
		expect(status).toBe('Error');
		expect(message).toMatch(/too many|rate/i);
	} finally {
		await busy.close();
	}
});

test('never shows the key', async () => {
	const apiKey = 'secret-key-7f3a';
	for (const baseUrl of [api.url, page.url, 'http://127.0.0.1:1']) {
		expect((await tested({ apiKey, baseUrl })).message).not.toContain(apiKey);
	}
});
