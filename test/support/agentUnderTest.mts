import { startLocalApi } from '../../playground/api/server.mts';
import { saveAccount } from '../../playground/n8n/account.mts';
import type { WorkflowNode } from '../../playground/n8n/rest/workflows.mts';
import { agentWorkflow, mcpWorkflow, withAgentAsTool, withReview } from './agentWorkflow.mts';
import { type ChatModel, saveModel, startChatModel } from './chatModel.mts';
import { runOnce } from './manualRun.mts';
import type { N8nUnderTest } from './n8nUnderTest.mts';

export interface AgentKind {
	agentVersion?: number;
	/** Lets an agent that is the agent's tool call the tool. */
	agentToolVersion?: number;
	toolCalls?: number;
	/** Of a Human review between the agent and its tool. */
	review?: Record<string, unknown>;
	timeoutMs?: number;
	/** The agent's input, if not one empty item. */
	items?: object[];
}

/**
 * An agent in n8n with a chat model and an API of its own.
 * @param data what its credential has in place of the API's address and a good key
 */
export async function startAgent(n8n: N8nUnderTest, data: Record<string, string> = {}) {
	const api = await startLocalApi();
	const model = await startChatModel();
	const name = ['AI tool', ...Object.keys(data)].join();
	const credential = await saveAccount(n8n, name, { baseUrl: api.url, ...data });
	const modelCredential = await saveModel(n8n, model);

	const own = {
		/** Runs the agent, whose model calls the tool with these arguments, so many times. */
		async run(
			toolArguments: ChatModel['toolArguments'],
			toolParameters: Record<string, unknown>,
			toolSettings: Partial<WorkflowNode> = {},
			{ agentVersion, agentToolVersion, toolCalls = 1, review, timeoutMs, items }: AgentKind = {},
		) {
			api.calls.length = 0;
			api.messages.clear();
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
			const withHelper = agentToolVersion ? withAgentAsTool(workflow, agentToolVersion) : workflow;
			const complete = review ? withReview(withHelper, credential, review) : withHelper;
			const pinData = items && { Start: items.map((json) => ({ json: { ...json } })) };
			return await runOnce(n8n, { ...complete, pinData }, 'Start', timeoutMs);
		},

		/** The tool, for clients of an MCP server in place of an agent. */
		mcpWorkflow(path: string, toolParameters: Record<string, unknown>) {
			api.calls.length = 0;
			return mcpWorkflow(path, credential, toolParameters);
		},

		api,

		/** What the API received in the last run. */
		calls: () => api.calls,

		/** What the model was told about the tool. */
		offeredTool: () => model.requests[0]?.tools?.[0].function,

		/** What the model read after its call of the tool. */
		toolAnswer: () => JSON.parse(own.toolSentence()) as Array<Record<string, unknown>>,

		/** The same as it is, which may be a sentence. */
		toolSentence: () => String(own.toolSentences().at(-1)),

		/** The same of each call. */
		toolSentences: () =>
			(model.requests.at(-1)?.messages ?? []).flatMap(({ role, content }) =>
				role === 'tool' ? [String(content)] : [],
			),

		async close() {
			await model.close();
			await api.close();
		},
	};
	return own;
}

export type AgentUnderTest = Awaited<ReturnType<typeof startAgent>>;
