import { randomUUID } from 'node:crypto';
import type { NodeSettings } from '../../playground/n8n/chain.ts';
import type { Workflow } from '../../playground/n8n/rest/workflows.ts';

/** n8n's MCP Server Trigger, whose only tool is the action node. */
export function mcpServer(path: string, action: NodeSettings): Workflow {
	const node = { typeVersion: 1, parameters: {} };
	return {
		name: `MCP ${path}`,
		nodes: [
			{
				...node,
				id: randomUUID(),
				name: 'Server',
				type: '@n8n/n8n-nodes-langchain.mcpTrigger',
				typeVersion: 2,
				position: [0, 0],
				webhookId: path,
				parameters: { path, authentication: 'none' },
			},
			{
				...node,
				...action,
				id: randomUUID(),
				name: 'Tool',
				type: `${action.type}Tool`,
				position: [0, 200],
			},
		],
		connections: { Tool: { ai_tool: [[{ node: 'Server', type: 'ai_tool', index: 0 }]] } },
		settings: { executionOrder: 'v1' },
	};
}
