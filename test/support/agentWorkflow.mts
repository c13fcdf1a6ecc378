import { randomUUID } from 'node:crypto';
import { chain, type NodeSettings } from '../../playground/n8n/chain.mts';
import type { Workflow, WorkflowNode } from '../../playground/n8n/rest/workflows.mts';
import { ACTION, CREDENTIAL } from '../../playground/n8n/typeNames.mts';
import { isN8nBefore } from './n8nUnderTest.mts';

type Credential = { id: string; name: string };
type Parameters = Record<string, unknown>;

const LANGCHAIN = '@n8n/n8n-nodes-langchain';
const TASK = 'Tell Asha that her order is on its way.';

const to = (type: string, ...nodes: string[]) => ({
	[type]: [nodes.map((node) => ({ node, type, index: 0 }))],
});

function withNodes(workflow: Workflow, nodes: Record<string, NodeSettings>, connections: object) {
	return {
		...workflow,
		nodes: [...workflow.nodes, ...chain('', nodes).nodes],
		connections: { ...workflow.connections, ...connections },
	};
}

function toolNode(credential: Credential, parameters: Parameters): NodeSettings {
	return {
		type: `${ACTION}Tool`,
		parameters: { resource: 'message', ...parameters },
		credentials: { [CREDENTIAL]: credential },
	};
}

/** An AI agent that has the action node as its only tool. */
export function agentWorkflow(
	modelCredential: Credential,
	credential: Credential,
	toolParameters: Parameters,
	toolSettings: Partial<WorkflowNode> = {},
	agentVersion = isN8nBefore(11) ? 3 : 3.1,
): Workflow {
	const model = { __rl: true, mode: 'id', value: 'stub' };
	const nodes = {
		Start: { type: 'n8n-nodes-base.manualTrigger' },
		Agent: {
			type: `${LANGCHAIN}.agent`,
			typeVersion: agentVersion,
			parameters: { promptType: 'define', text: TASK },
		},
		Model: {
			type: `${LANGCHAIN}.lmChatOpenAi`,
			typeVersion: 1.3,
			parameters: { model, responsesApiEnabled: false },
			credentials: { openAiApi: modelCredential },
		},
		Tool: { ...toolNode(credential, toolParameters), ...toolSettings },
	};
	return withNodes(chain(`Agent ${randomUUID()}`, {}), nodes, {
		Start: to('main', 'Agent'),
		Model: to('ai_languageModel', 'Agent'),
		Tool: to('ai_tool', 'Agent'),
	});
}

/** The action node as the only tool of an MCP server. */
export function mcpWorkflow(path: string, credential: Credential, toolParameters: Parameters) {
	const Server = {
		type: `${LANGCHAIN}.mcpTrigger`,
		typeVersion: 2,
		parameters: { path, authentication: 'none' },
		webhookId: path,
	};
	const nodes = { Server, Tool: toolNode(credential, toolParameters) };
	return withNodes(chain(`MCP server ${path}`, {}), nodes, { Tool: to('ai_tool', 'Server') });
}

/** The same as `agentWorkflow`, but the tool belongs to another agent, which is the only tool of the first. */
export function withAgentAsTool(workflow: Workflow, version: number): Workflow {
	const parameters = { toolDescription: 'Informs customers', text: TASK };
	const Helper = { type: `${LANGCHAIN}.agentTool`, typeVersion: version, parameters };
	return withNodes(
		workflow,
		{ Helper },
		{
			Model: to('ai_languageModel', 'Agent', 'Helper'),
			Tool: to('ai_tool', 'Helper'),
			Helper: to('ai_tool', 'Agent'),
		},
	);
}

/** The same, but a human is asked before the tool is run. */
export function withReview(workflow: Workflow, credential: Credential, parameters: Parameters) {
	const credentials = { [CREDENTIAL]: credential };
	const Review = { type: `${ACTION}HitlTool`, parameters, credentials };
	const connections = { Review: workflow.connections.Tool, Tool: to('ai_tool', 'Review') };
	return withNodes(workflow, { Review }, connections);
}
