import { startLocalApi } from '../../playground/api/server.ts';
import { saveAccount } from '../../playground/n8n/account.ts';
import type { WorkflowNode } from '../../playground/n8n/rest/workflows.ts';
import { agentWorkflow, withAgentAsTool } from './agentWorkflow.ts';
import { startChatModel } from './chatModel.ts';
import { runOnce } from './manualRun.ts';
import type { N8nUnderTest } from './n8nUnderTest.ts';

export interface AgentKind {
	agentVersion?: number;
	/** Lets an agent that is the agent's tool call the tool. */
	agentToolVersion?: number;
	toolCalls?: number;
}

/** An agent in n8n with a chat model and an API of its own. */
export async function startAgent(n8n: N8nUnderTest) {
	const api = await startLocalApi();
	const model = await startChatModel();
	const credential = await saveAccount(n8n, 'AI tool', { baseUrl: api.url });
	const modelCredential = await n8n.client.credentials.save({
		name: 'AI tool: model',
		type: 'openAiApi',
		data: { apiKey: 'not-used', url: model.url },
	});

	return {
		/** Runs the agent, whose model calls the tool with these arguments, so many times. */
		async run(
			toolArguments: Record<string, unknown>,
			toolParameters: Record<string, unknown>,
			toolSettings: Partial<WorkflowNode> = {},
			{ agentVersion, agentToolVersion, toolCalls = 1 }: AgentKind = {},
		) {
			api.calls.length = 0;
			model.requests.length = 0;
			model.toolArguments = toolArguments;
			model.toolCalls = toolCalls;
			const workflow = agentWorkflow(
				modelCredential,
				credential,
				toolParameters,
				toolSettings,
				agentVersion,
			);
			return await runOnce(
				n8n,
				agentToolVersion ? withAgentAsTool(workflow, agentToolVersion) : workflow,
			);
		},

		/** What the API received in the last run. */
		calls: () => api.calls,

		/** What the model was told about the tool. */
		offeredTool: () => model.requests[0]?.tools?.[0].function,

		/** What the model read after its call of the tool. */
		toolAnswer() {
			const answer = model.requests.at(-1)?.messages.findLast(({ role }) => role === 'tool');
			return JSON.parse(String(answer?.content)) as Array<Record<string, unknown>>;
		},

		async close() {
			await model.close();
			await api.close();
		},
	};
}

export type AgentUnderTest = Awaited<ReturnType<typeof startAgent>>;
