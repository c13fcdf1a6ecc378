import { startLocalApi, type LocalApi } from '../../playground/api/server.ts';
import { DEVELOPMENT_KEY, START_PLAN_KEY } from '../../playground/api/wellKnown.ts';
import {
	answer,
	MISBEHAVIORS,
	startFaultServer,
	type Misbehavior,
} from '../support/faultServer.ts';
import { n8nUnderTest, type N8nUnderTest } from '../support/n8nUnderTest.ts';
import { startWebPage } from '../support/webPage.ts';

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
	['an endpoint as base URL', () => ({ baseUrl: `${api.url}/API/integrations/messages/send/` })],
	['spaces around the key', () => ({ apiKey: ` ${DEVELOPMENT_KEY} ` })],
])('is good: %s', async (_, change) => {
	expect(await tested(change())).toEqual({ status: 'OK', message: 'The API key was accepted' });
});

const slashes = () => ({ baseUrl: `https://api.example.com/${'/'.repeat(1e5)}x` });

test.each([
	['a wrong key', () => ({ apiKey: 'wrong' }), /^The API key is missing or not valid\./],
	['the Start plan', () => ({ apiKey: START_PLAN_KEY }), /plan has no API access/],
	['a web page behind the base URL', () => ({ baseUrl: page.url }), /web page/i],
	['http to a public host', () => ({ baseUrl: 'http://example.com' }), /https/],
	['a line break in the key', () => ({ apiKey: 'one\ntwo' }), /line/i],
	['100,000 slashes', slashes, /^The Base URL in the credential has 100,025 characters\./],
	[
		'https to a server that speaks http',
		() => ({ baseUrl: api.url.replace('http:', 'https:') }),
		/^The API could not be reached securely: no https is spoken/,
	],
	['nothing listens', () => ({ baseUrl: 'http://127.0.0.1:1' }), /connect|reach|refused/i],
])('is bad, with the reason in a sentence: %s', async (_, change, reason) => {
	const { status, message } = await tested(change());
	expect({ status, message }).toEqual({ status: 'Error', message: expect.stringMatching(reason) });
	expect(message).toMatch(/\.$/);
});

test.each<[string, Misbehavior, RegExp]>([
	[
		'404 of another server, for its address',
		answer('404 Not Found', '{"message":"Cannot GET /api"}', ['content-type: application/json']),
		/^The server that answered has no such address\..* n8n asked for http:\/\/127\.0\.0\.1:\d+\/api\/integrations\//,
	],
	['an answer that drips in', MISBEHAVIORS.dripsForever, /^The API did not answer in time\./],
	['another protocol', MISBEHAVIORS.switchesProtocol, /^The API did not answer in time\./],
])('is bad, with the reason in a sentence: %s', async (_, misbehavior, reason) => {
	const server = await startFaultServer(() => misbehavior);
	const { status, message } = await tested({ baseUrl: server.url });
	await server.close();
	expect({ status, message }).toEqual({ status: 'Error', message: expect.stringMatching(reason) });
});

test('is bad, with the reason in a sentence: too many requests', async () => {
	const busy = await startLocalApi({ requestsPerWindow: 1 });
	try {
		expect(await tested({ baseUrl: busy.url })).toMatchObject({ status: 'OK' });
		const message = expect.stringMatching(/too many|rate/i);
		expect(await tested({ baseUrl: busy.url })).toEqual({ status: 'Error', message });
	} finally {
		await busy.close();
	}
});
