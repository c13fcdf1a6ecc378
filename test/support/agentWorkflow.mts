import { randomUUID } from 'node:crypto';
import type { Workflow, WorkflowNode } from '../../playground/n8n/rest/workflows.mts';
import { ACTION, CREDENTIAL } from '../../playground/n8n/typeNames.mts';
import { isN8nBefore } from './n8nUnderTest.mts';

type Credential = { id: string; name: string };

const LANGCHAIN = '@n8n/n8n-nodes-langchain';
const TASK = 'Tell Asha that her order is on its way.';
const reference = ({ id, name }: Credential) => ({ id, name });
const to = (node: string, type: string) => ({ node, type, index: 0 });

function node(
	name: string,
	type: string,
	typeVersion: number,
	parameters: Record<string, unknown>,
	credentials: WorkflowNode['credentials'] = {},
): WorkflowNode {
	const id = randomUUID();
	return { id, name, type, typeVersion, position: [0, 0], parameters, credentials };
}

/** An AI agent that has the action node as its only tool. */
export function agentWorkflow(
	modelCredential: Credential,
	credential: Credential,
	toolParameters: Record<string, unknown>,
	toolSettings: Partial<WorkflowNode> = {},
	agentVersion = isN8nBefore(11) ? 3 : 3.1,
): Workflow {
	const model = {
		model: { __rl: true, mode: 'id', value: 'stub' },
		responsesApiEnabled: false,
	};
	const tool = { resource: 'message', ...toolParameters };
	const ofModel = { openAiApi: reference(modelCredential) };
	const ofTool = { [CREDENTIAL]: reference(credential) };
	return {
		name: `Agent ${randomUUID()}`,
		nodes: [
			node('Start', 'n8n-nodes-base.manualTrigger', 1, {}),
			node('Agent', `${LANGCHAIN}.agent`, agentVersion, { promptType: 'define', text: TASK }),
			node('Model', `${LANGCHAIN}.lmChatOpenAi`, 1.3, model, ofModel),
			{ ...node('Tool', `${ACTION}Tool`, 1, tool, ofTool), ...toolSettings },
		],
		connections: {
			Start: { main: [[to('Agent', 'main')]] },
			Model: { ai_languageModel: [[to('Agent', 'ai_languageModel')]] },
			Tool: { ai_tool: [[to('Agent', 'ai_tool')]] },
		},
		settings: { executionOrder: 'v1' },
	};
}

/** The action node as the only tool of an MCP server. */
export function mcpWorkflow(
	path: string,
	credential: Credential,
	toolParameters: Record<string, unknown>,
): Workflow {
	const parameters = { path, authentication: 'none' };
	const tool = { resource: 'message', ...toolParameters };
	return {
		name: `MCP server ${path}`,
		nodes: [
			{ ...node('Server', `${LANGCHAIN}.mcpTrigger`, 2, parameters), webhookId: path },
			node('Tool', `${ACTION}Tool`, 1, tool, { [CREDENTIAL]: reference(credential) }),
		],
		connections: { Tool: { ai_tool: [[to('Server', 'ai_tool')]] } },
		settings: { executionOrder: 'v1' },
	};
}

/** The same, but the tool belongs to another agent, which is the only tool of the first. */
export function withAgentAsTool(workflow: Workflow, version: number): Workflow {
	const parameters = { toolDescription: 'Informs customers', text: TASK };
	const model = 'ai_languageModel';
	return {
		...workflow,
		nodes: [...workflow.nodes, node('Helper', `${LANGCHAIN}.agentTool`, version, parameters)],
		connections: {
			...workflow.connections,
			Model: { [model]: [[to('Agent', model), to('Helper', model)]] },
			Tool: { ai_tool: [[to('Helper', 'ai_tool')]] },
			Helper: { ai_tool: [[to('Agent', 'ai_tool')]] },
		},
	};
}

/** The same, but a human is asked before the tool is run. */
export function withReview(
	workflow: Workflow,
	credential: Credential,
	parameters: Record<string, unknown>,
): Workflow {
	const credentials = { [CREDENTIAL]: reference(credential) };
	return {
		...workflow,
		nodes: [...workflow.nodes, node('Review', `${ACTION}HitlTool`, 1, parameters, credentials)],
		connections: {
			...workflow.connections,
			Review: workflow.connections.Tool,
			Tool: { ai_tool: [[to('Review', 'ai_tool')]] },
		},
	};
}
