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
	{ typeVersion, parameters, baseUrl = api.url, onError = 'continueRegularOutput' }: Use,
): Promise<Execution> {
	const credential = await saveAccount(n8n, `HTTP Request ${baseUrl}`, { baseUrl, apiKey: KEY });
	const workflow = actionWorkflow(
		credential,
		{},
		{
			type: 'n8n-nodes-base.httpRequest',
			typeVersion,
			parameters: { ...WITH_CREDENTIAL, url: '={{ $json.url }}', ...parameters },
			onError,
		},
	);
	const pinData = { Start: urls.map((url) => ({ json: { url } })) };
	const execution = await runOnce(n8n, { ...workflow, pinData });
	expect(JSON.stringify(execution)).not.toContain(KEY);
	return execution;
}

function errorsOf(execution: Execution): unknown[] {
	return outputOf(execution, NODE).map(({ error }) =>
		typeof error === 'string' ? error : (error as { message?: string } | undefined)?.message,
	);
}

const HOST = [{ name: 'Host', value: 'other.example.com' }];
const withHttps = () => api.url.replace('http:', 'https:');

// SECURITY, The API key: n8n's own nodes that use the credential
describe.each([2, 4.4])('HTTP Request %s with the credential', (typeVersion) => {
	// README, What it does: other endpoints by HTTP Request
	it('brings the key to the Base URL, however its host is written', async () => {
		const baseUrl = api.url.replace('127.0.0.1', 'localhost');
		const urls = [baseUrl, `${baseUrl}/any?to=1`, baseUrl.replace('localhost', 'LOCALHOST')];
		await request(urls, { typeVersion, baseUrl });
		expect(api.requests.map(({ key }) => key)).toEqual([KEY, KEY, KEY]);
	});

	it.each<[string, () => Omit<Use, 'typeVersion'> & { urls?: string[] }, string?]>([
		[
			'to another host, port or scheme',
			() => ({
				urls: [
					elsewhere.url,
					elsewhere.url.replace('127.0.0.1', 'localhost'),
					api.url.replace('127.0.0.1', 'LOCALHOST'),
					api.url.replace('127.0.0.1', '[::ffff:127.0.0.1]'),
					elsewhere.url.replace('//', `//${new URL(api.url).host}@`),
					`${elsewhere.url}/\\@${new URL(api.url).host}`,
					elsewhere.url.replace('http:', 'https:'),
				],
			}),
		],
		['by http where the Base URL has https', () => ({ baseUrl: withHttps() })],
		[
			'through a proxy that is set in the node',
			() => ({ parameters: { options: { proxy: elsewhere.url } } }),
			'The API key is not sent through a proxy that is set in a node',
		],
		[
			'with the name of another host for the front of a shared server',
			() => ({
				parameters: {
					sendHeaders: true,
					headerParameters: { parameters: HOST },
					// Version 2 has them here.
					headerParametersUi: { parameter: HOST },
				},
			}),
		],
	])('sends nothing %s', async (_, use, error = ELSEWHERE) => {
		const { urls = [api.url], ...more } = use();
		const execution = await request(urls, { typeVersion, ...more });
		expect(errorsOf(execution)).toEqual(urls.map(() => error));
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

	it('does not put the key into the execution of a request that failed', async () => {
		for (const url of [elsewhere.url, `${api.url}/redirect/302?to=/`]) {
			const { status } = await request([url], { typeVersion, onError: 'stopWorkflow' });
			expect(status).toBe('error');
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
