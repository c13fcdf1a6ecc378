import { randomUUID } from 'node:crypto';
import type { Workflow, WorkflowNode } from '../../playground/n8n/rest/workflows.ts';
import { ACTION, CREDENTIAL } from '../../playground/n8n/typeNames.ts';
import { isN8nBefore } from './n8nUnderTest.ts';

interface Credential {
	id: string;
	name: string;
}

function node(
	name: string,
	type: string,
	typeVersion: number,
	parameters: Record<string, unknown>,
	credentials: Record<string, Credential> = {},
): WorkflowNode {
	const references = Object.entries(credentials).map(([key, { id, name: label }]) => [
		key,
		{ id, name: label },
	]);
	return {
		id: randomUUID(),
		name,
		type,
		typeVersion,
		position: [0, 0],
		parameters,
		credentials: Object.fromEntries(references) as WorkflowNode['credentials'],
	};
}

/** An AI agent that has the action node as its only tool. */
export function agentWorkflow(
	modelCredential: Credential,
	credential: Credential,
	toolParameters: Record<string, unknown>,
	toolSettings: Partial<WorkflowNode> = {},
	agentVersion = isN8nBefore(11) ? 3 : 3.1,
): Workflow {
	const tool = node(
		'Tool',
		`${ACTION}Tool`,
		1,
		{ resource: 'message', ...toolParameters },
		{ [CREDENTIAL]: credential },
	);
	return {
		name: `Agent ${randomUUID()}`,
		nodes: [
			node('Start', 'n8n-nodes-base.manualTrigger', 1, {}),
			node('Agent', '@n8n/n8n-nodes-langchain.agent', agentVersion, {
				promptType: 'define',
				text: 'Tell Asha that her order is on its way.',
			}),
			node(
				'Model',
				'@n8n/n8n-nodes-langchain.lmChatOpenAi',
				1.3,
				{ model: { __rl: true, mode: 'id', value: 'stub' }, responsesApiEnabled: false },
				{ openAiApi: modelCredential },
			),
			{ ...tool, ...toolSettings },
		],
		connections: {
			Start: { main: [[{ node: 'Agent', type: 'main', index: 0 }]] },
			Model: { ai_languageModel: [[{ node: 'Agent', type: 'ai_languageModel', index: 0 }]] },
			Tool: { ai_tool: [[{ node: 'Agent', type: 'ai_tool', index: 0 }]] },
		},
		settings: { executionOrder: 'v1' },
	};
}

/** The same, but the tool belongs to another agent, which is the only tool of the first. */
export function withAgentAsTool(workflow: Workflow, version: number): Workflow {
	const helper = node('Helper', '@n8n/n8n-nodes-langchain.agentTool', version, {
		toolDescription: 'Informs customers',
		text: 'Tell Asha that her order is on its way.',
	});
	const to = (name: string, type: string) => ({ node: name, type, index: 0 });
	const model = 'ai_languageModel';
	return {
		...workflow,
		nodes: [...workflow.nodes, helper],
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
	const review = node('Review', `${ACTION}HitlTool`, 1, parameters, { [CREDENTIAL]: credential });
	const toReview = [[{ node: 'Review', type: 'ai_tool', index: 0 }]];
	return {
		...workflow,
		nodes: [...workflow.nodes, review],
		connections: {
			...workflow.connections,
			Review: workflow.connections.Tool,
			Tool: { ai_tool: toReview },
		},
	};
}
