import { randomUUID } from 'node:crypto';
import { startLocalApi } from '../../playground/api/server.mts';
import { saveAccount } from '../../playground/n8n/account.mts';
import { CREDENTIAL } from '../../playground/n8n/typeNames.mts';
import { saveModel, startChatModel } from './chatModel.mts';
import type { N8nUnderTest } from './n8nUnderTest.mts';

/** n8n's own Agents (not the AI Agent node) with a chat model and an API of their own. */
export async function startN8nAgents(n8n: N8nUnderTest) {
	const { session } = n8n.client;
	const api = await startLocalApi();
	const model = await startChatModel();
	const credential = await saveAccount(n8n, `n8n's Agents ${randomUUID()}`, { baseUrl: api.url });
	const modelCredential = await saveModel(n8n, model);
	const project = await session.call<{ id: string }>('GET', '/projects/personal');
	const agents = `/projects/${project.id}/agents/v2`;

	return {
		api,
		credential,

		/**
		 * Tells a new agent with one tool something, in the preview of its chat, as the editor does.
		 * @param words what the model says to the tool
		 * @returns what the model then reads
		 */
		async chat(tool: { name: string } & Record<string, unknown>, words: object): Promise<string> {
			api.calls.length = 0;
			model.requests.length = 0;
			model.toolName = tool.name;
			model.toolArguments = { ...words };
			const name = `Agent ${randomUUID()}`;
			const { id } = await session.call<{ id: string }>('POST', agents, { name });
			const { configHash } = await session.call<{ configHash: string }>(
				'GET',
				`${agents}/${id}/config`,
			);
			const config = {
				name,
				model: 'openai/stub',
				credential: modelCredential.id,
				instructions: 'Inform customers.',
				tools: [tool],
			};
			const baseConfigHash = configHash;
			await session.call('PUT', `${agents}/${id}/config`, { config, baseConfigHash });
			const response = await fetch(`${n8n.url}/rest${agents}/${id}/chat`, {
				method: 'POST',
				headers: { 'content-type': 'application/json', cookie: session.cookie },
				body: JSON.stringify({ message: 'Tell Asha that her order is on its way.' }),
			});
			const events = await response.text();
			const read = model.requests.at(-1)?.messages.findLast(({ role }) => role === 'tool');
			if (!read) throw new Error(`The model has called no tool: ${events}`);
			return String(read.content);
		},

		/** The node itself as a tool. */
		nodeTool: (nodeType: string, nodeParameters: object) => ({
			type: 'node',
			name: 'inform_customer',
			description: 'Informs a customer',
			node: {
				nodeType,
				nodeTypeVersion: 1,
				nodeParameters: { resource: 'message', ...nodeParameters },
				credentials: { [CREDENTIAL]: { id: credential.id, name: credential.name } },
			},
		}),

		async close() {
			await model.close();
			await api.close();
		},
	};
}

export type N8nAgents = Awaited<ReturnType<typeof startN8nAgents>>;
