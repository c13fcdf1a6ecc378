import { randomUUID } from 'node:crypto';
import { startLocalApi, type LocalApi } from '../../playground/api/server.ts';
import { ANSWER_LOST, CUSTOMER } from '../../playground/api/wellKnown.ts';
import { saveAccount } from '../../playground/n8n/account.ts';
import { ACTION, CREDENTIAL } from '../../playground/n8n/typeNames.ts';
import { connectMcp } from '../support/mcpClient.ts';
import { mcpServer } from '../support/mcpServer.ts';
import { n8nUnderTest, type N8nUnderTest } from '../support/n8nUnderTest.ts';

let n8n: N8nUnderTest;
let api: LocalApi;
let callTool: (to: string) => Promise<string>;

beforeAll(async () => {
	n8n = await n8nUnderTest();
	api = await startLocalApi();
	const path = randomUUID();
	const { id, name } = await saveAccount(n8n, 'MCP tool', { baseUrl: api.url });
	const tool = {
		type: ACTION,
		parameters: {
			resource: 'message',
			operation: 'sendTemplate',
			to: "={{ $fromAI('to', 'Phone number', 'string') }}",
			templateName: 'order_update',
			variablesInput: 'none',
		},
		credentials: { [CREDENTIAL]: { id, name } },
		retryOnFail: true,
		maxTries: 3,
		waitBetweenTries: 100,
	};
	const saved = await n8n.client.workflows.save(mcpServer(path, tool));
	await n8n.client.workflows.publish(saved);
	const url = `${n8n.url}/mcp/${path}`;
	await n8n.client.workflows.waitForWebhook(url);
	const mcp = await connectMcp(url);
	callTool = async (to) => await mcp.call('tools/call', { name: 'Tool', arguments: { to } });
});

beforeEach(() => {
	api.calls.length = 0;
});

afterAll(async () => {
	await api?.close();
});

test('a client of the MCP Server Trigger sends a template', async () => {
	expect(await callTool(CUSTOMER)).toContain('message_id');
	expect(api.calls).toHaveLength(1);
});

test('Retry On Fail sends nothing again when the answer got lost', async () => {
	expect(await callTool(ANSWER_LOST)).toContain('may have been sent');
	expect(api.calls).toHaveLength(1);
});
