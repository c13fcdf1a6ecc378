import { randomUUID } from 'node:crypto';
import { eventually } from '../../playground/eventually.mts';
import type { Workflow } from '../../playground/n8n/rest/workflows.mts';
import type { N8nUnderTest } from './n8nUnderTest.mts';

/** Publishes an MCP server, and connects a client. @returns calls a tool */
export async function publishMcp(n8n: N8nUnderTest, workflowAt: (path: string) => Workflow) {
	const path = randomUUID();
	await n8n.client.workflows.publish(await n8n.client.workflows.save(workflowAt(path)));
	const headers: Record<string, string> = {
		'content-type': 'application/json',
		accept: 'application/json, text/event-stream',
	};
	const post = async (method: string, params: object, id?: number) => {
		const body = JSON.stringify({ jsonrpc: '2.0', id, method, params });
		const response = await fetch(`${n8n.url}/mcp/${path}`, { method: 'POST', headers, body });
		const session = response.headers.get('mcp-session-id');
		if (session) headers['mcp-session-id'] = session;
		return await response.text();
	};
	const clientInfo = { name: 'Test', version: '1' };
	const hello = { protocolVersion: '2025-03-26', capabilities: {}, clientInfo };
	await eventually('the MCP server', async () =>
		(await post('initialize', hello, 1)).includes('serverInfo'),
	);
	await post('notifications/initialized', {});
	let id = 1;
	return async (name: string, words: object) =>
		await post('tools/call', { name, arguments: words }, ++id);
}
