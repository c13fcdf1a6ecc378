import { randomUUID } from 'node:crypto';
import { startLocalApi, type LocalApi } from '../../playground/api/server.ts';
import { ANSWER_LOST, CUSTOMER } from '../../playground/api/wellKnown.ts';
import { saveAccount } from '../../playground/n8n/account.ts';
import type { Workflow } from '../../playground/n8n/rest/workflows.ts';
import { connectMcp } from '../support/mcpClient.ts';
import { n8nUnderTest, type N8nUnderTest } from '../support/n8nUnderTest.ts';

let n8n: N8nUnderTest;
let api: LocalApi;
let callTool: (to: string) => Promise<string>;

beforeAll(async () => {
	n8n = await n8nUnderTest();
	api = await startLocalApi();
	const path = randomUUID();
	const saved = await n8n.client.workflows.save(await mcpServer(path));
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

/** The MCP Server Trigger with the action node as its tool, which has Retry On Fail. */
async function mcpServer(path: string): Promise<Workflow> {
	const { id, name } = await saveAccount(n8n, 'MCP tool', { baseUrl: api.url });
	return {
		name: `MCP ${path}`,
		nodes: [
			{
				id: randomUUID(),
				name: 'Server',
				type: '@n8n/n8n-nodes-langchain.mcpTrigger',
				typeVersion: 2,
				position: [0, 0],
				webhookId: path,
				parameters: { path, authentication: 'none' },
			},
			{
				id: randomUUID(),
				name: 'Tool',
				type: 'n8n-nodes-business-messaging.businessMessagingTool',
				typeVersion: 1,
				position: [0, 200],
				parameters: {
					resource: 'message',
					operation: 'sendTemplate',
					to: "={{ $fromAI('to', 'Phone number', 'string') }}",
					templateName: 'order_update',
					variablesInput: 'none',
				},
				credentials: { businessMessagingApi: { id, name } },
				retryOnFail: true,
				maxTries: 3,
				waitBetweenTries: 100,
			},
		],
		connections: { Tool: { ai_tool: [[{ node: 'Server', type: 'ai_tool', index: 0 }]] } },
		settings: { executionOrder: 'v1' },
	};
}

test('a client of the MCP Server Trigger sends a template', async () => {
	expect(await callTool(CUSTOMER)).toContain('message_id');
	expect(api.calls).toHaveLength(1);
});

test('Retry On Fail sends nothing again when the answer got lost', async () => {
	expect(await callTool(ANSWER_LOST)).toContain('may have been sent');
	expect(api.calls).toHaveLength(1);
});
