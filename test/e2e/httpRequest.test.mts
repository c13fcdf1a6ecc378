import { createServer } from 'node:http';
import { saveAccount } from '../../playground/n8n/account.mts';
import { outputOf, type Execution } from '../../playground/n8n/rest/executions.mts';
import type { WorkflowNode } from '../../playground/n8n/rest/workflows.mts';
import { actionWorkflow } from '../support/actionWorkflow.mts';
import { startAgent } from '../support/agentUnderTest.mts';
import { close, listen } from '../support/listen.mts';
import { runOnce } from '../support/manualRun.mts';
import { n8nUnderTest, type N8nUnderTest } from '../support/n8nUnderTest.mts';

const KEY = 'key-0c6f1b7ad94e';
const NODE = 'Business Messaging';
const WITH_CREDENTIAL = {
	authentication: 'predefinedCredentialType',
	nodeCredentialType: 'businessMessagingApi',
};
const ELSEWHERE = 'The API key is sent to the Base URL of its credential only';

/**
 * A server that notes which requests bring the API key. It answers with JSON;
 * `/redirect/307?to=…` redirects, and `/page?next=…` names a next page.
 */
async function startKeyWatcher() {
	/** Every request that arrived: its method and path, and the API key that it brought. */
	const requests: Array<{ line: string; key: string | undefined }> = [];
	const server = createServer((request, response) => {
		const key = request.headers['x-api-key']?.toString();
		requests.push({ line: `${request.method} ${request.url}`, key });
		const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost');
		const status = Number(/^\/redirect\/(\d+)/.exec(pathname)?.[1] ?? 200);
		const location = searchParams.get('to');
		response.writeHead(status, {
			'content-type': 'application/json',
			...(location && { location }),
		});
		response.end(JSON.stringify({ success: true, next: searchParams.get('next') }));
	});
	return { url: await listen(server), requests, close: async () => await close(server) };
}

type KeyWatcher = Awaited<ReturnType<typeof startKeyWatcher>>;

let n8n: N8nUnderTest;
let api: KeyWatcher;
let elsewhere: KeyWatcher;

beforeAll(async () => {
	n8n = await n8nUnderTest();
	api = await startKeyWatcher();
	elsewhere = await startKeyWatcher();
});

beforeEach(() => {
	api.requests.length = 0;
	elsewhere.requests.length = 0;
});

afterAll(async () => {
	await elsewhere.close();
	await api.close();
});

interface Use {
	typeVersion: number;
	parameters?: Record<string, unknown>;
	baseUrl?: string;
	onError?: WorkflowNode['onError'];
}

/** Runs one of n8n's own nodes, with our credential, for an item with each of these addresses. */
async function request(
	urls: string[],
	{ typeVersion, parameters, baseUrl = api.url, ...settings }: Use,
): Promise<Execution> {
	const credential = await saveAccount(n8n, `HTTP Request ${baseUrl}`, { baseUrl, apiKey: KEY });
	const workflow = actionWorkflow(
		credential,
		{},
		{
			type: 'n8n-nodes-base.httpRequest',
			typeVersion,
			parameters: { ...WITH_CREDENTIAL, url: '={{ $json.url }}', ...parameters },
			onError: settings.onError ?? 'continueRegularOutput',
		},
	);
	const pinData = { Start: urls.map((url) => ({ json: { url } })) };
	return await runOnce(n8n, { ...workflow, pinData });
}

function errorsOf(execution: Execution): unknown[] {
	return outputOf(execution, NODE).map(({ error }) =>
		typeof error === 'string' ? error : (error as { message?: string } | undefined)?.message,
	);
}

// README, What it does: other endpoints by HTTP Request
test('n8n offers the credential in its own nodes, without a list of domains that it would not heed', async () => {
	const response = await n8n.client.session.get('/types/credentials.json');
	const types = (await response.json()) as Array<{
		name: string;
		authenticate?: object;
		properties: Array<{ name: string }>;
	}>;
	const type = types.find(({ name }) => name === 'businessMessagingApi');
	expect(type?.authenticate).toBeDefined();
	const fields = type?.properties.map(({ name }) => name);
	expect(fields).toEqual(['baseUrl', 'apiKey', 'webhookSecret', 'previousWebhookSecret']);
});

test('the Custom API Call that n8n adds to our lists sends nothing, and says how it is done', async () => {
	const credential = await saveAccount(n8n, 'Custom API Call', { baseUrl: api.url, apiKey: KEY });
	const parameters = { to: '+12025550110', operation: '__CUSTOM_API_CALL__' };
	const execution = await runOnce(n8n, actionWorkflow(credential, parameters));
	expect(execution.status).toBe('error');
	expect(JSON.stringify(execution.data.resultData.error)).toContain('use an HTTP Request node');
	expect(api.requests).toEqual([]);
});

// SECURITY, The API key: n8n's own nodes that use the credential
describe.each([2, 4.4])('HTTP Request %s with the credential', (typeVersion) => {
	it('brings the key to the Base URL, however its host is written', async () => {
		const baseUrl = api.url.replace('127.0.0.1', 'localhost');
		const urls = [baseUrl, `${baseUrl}/any?to=1`, baseUrl.replace('localhost', 'LOCALHOST')];
		await request(urls, { typeVersion, baseUrl });
		expect(api.requests.map(({ key }) => key)).toEqual([KEY, KEY, KEY]);
	});

	it('sends nothing to another host, port or scheme', async () => {
		const urls = [
			elsewhere.url,
			elsewhere.url.replace('127.0.0.1', 'localhost'),
			api.url.replace('127.0.0.1', 'LOCALHOST'),
			api.url.replace('127.0.0.1', '[::ffff:127.0.0.1]'),
			elsewhere.url.replace('//', `//${new URL(api.url).host}@`),
			`${elsewhere.url}/\\@${new URL(api.url).host}`,
			elsewhere.url.replace('http:', 'https:'),
		];
		const execution = await request(urls, { typeVersion });
		expect(errorsOf(execution)).toEqual(urls.map(() => ELSEWHERE));
		expect([...api.requests, ...elsewhere.requests]).toEqual([]);
	});

	const followRedirects = { redirect: { redirect: { followRedirects: true, maxRedirects: 5 } } };

	it.each([
		['by default', 'GET', {}],
		[
			'with the credential, because it is set so',
			'POST',
			{ ...followRedirects, sendCredentialsOnCrossOriginRedirect: true },
		],
	])('follows no redirect to another address %s', async (_, method, options) => {
		const statuses = [301, 302, 303, 307, 308];
		const urls = statuses.map((status) => `${api.url}/redirect/${status}?to=${elsewhere.url}`);
		await request(urls, { typeVersion, parameters: { method, options } });
		expect(elsewhere.requests).toEqual([]);
		expect(api.requests.map(({ key }) => key)).toEqual(statuses.map(() => KEY));
	});

	it('sends nothing by http where the Base URL has https', async () => {
		const baseUrl = api.url.replace('http:', 'https:');
		expect(errorsOf(await request([api.url], { typeVersion, baseUrl }))).toEqual([ELSEWHERE]);
		expect(api.requests).toEqual([]);
	});

	it('sends nothing through a proxy that is set in the node', async () => {
		const parameters = { options: { proxy: elsewhere.url } };
		const execution = await request([api.url], { typeVersion, parameters });
		expect(errorsOf(execution)).toEqual([expect.stringContaining('not sent through a proxy')]);
		expect([...api.requests, ...elsewhere.requests]).toEqual([]);
	});

	it('sends nothing with the name of another host for the front of a shared server', async () => {
		const host = { name: 'Host', value: 'other.example.com' };
		const parameters = {
			sendHeaders: true,
			headerParameters: { parameters: [host] },
			// Version 2 has them here.
			headerParametersUi: { parameter: [host] },
		};
		const execution = await request([api.url], { typeVersion, parameters });
		expect(errorsOf(execution)).toEqual([ELSEWHERE]);
		expect(api.requests).toEqual([]);
	});

	it('does not put the key into the execution of a request that failed', async () => {
		for (const url of [elsewhere.url, `${api.url}/redirect/302?to=/`]) {
			const execution = await request([url], { typeVersion, onError: 'stopWorkflow' });
			expect(execution.status).toBe('error');
			expect(JSON.stringify(execution)).not.toContain(KEY);
		}
	});
});

test('the next page that an answer names is asked for at the Base URL only', async () => {
	const pagination = {
		paginationMode: 'responseContainsNextURL',
		nextURL: '={{ $response.body.next }}',
		paginationCompleteWhen: 'other',
		completeExpression: '={{ !$response.body.next }}',
	};
	const parameters = { options: { pagination: { pagination } } };
	const execution = await request([`${api.url}/page?next=${elsewhere.url}`], {
		typeVersion: 4.2,
		parameters,
	});
	expect(errorsOf(execution)).toEqual([ELSEWHERE]);
	expect(api.requests).toHaveLength(1);
	expect(elsewhere.requests).toEqual([]);
});

test.each([
	['n8n-nodes-base.httpRequestTool', 4.2, 3.1],
	['@n8n/n8n-nodes-langchain.toolHttpRequest', 1.1, 2.2],
])(
	'an AI agent with %s brings the key to the Base URL only',
	async (type, version, agentVersion) => {
		const agent = await startAgent(n8n);
		const credential = await saveAccount(n8n, 'HTTP tool', { baseUrl: api.url, apiKey: KEY });
		for (const url of [api.url, elsewhere.url, `${api.url}/redirect/307?to=${elsewhere.url}`]) {
			const tool = {
				type,
				typeVersion: version,
				parameters: { ...WITH_CREDENTIAL, toolDescription: 'Asks', method: 'GET', url },
				credentials: { businessMessagingApi: credential },
			};
			await agent.run({}, {}, tool, { agentVersion });
		}
		await agent.close();
		expect(api.requests.map(({ key }) => key)).toEqual([KEY, KEY]);
		expect(elsewhere.requests).toEqual([]);
	},
);
