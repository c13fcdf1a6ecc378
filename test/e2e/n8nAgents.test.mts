import { randomUUID } from 'node:crypto';
import { startLocalApi } from '../../playground/api/server.mts';
import { CUSTOMER } from '../../playground/api/wellKnown.mts';
import { saveAccount } from '../../playground/n8n/account.mts';
import { chain } from '../../playground/n8n/chain.mts';
import { ACTION, CREDENTIAL } from '../../playground/n8n/typeNames.mts';
import { saveModel, startChatModel } from '../support/chatModel.mts';
import { n8nUnderTest, type N8nUnderTest } from '../support/n8nUnderTest.mts';
import { CALLED } from '../support/nativeNodes.mts';

const SEND = {
	operation: 'sendTemplate',
	to: "={{ $fromAI('to', 'Phone number of the customer', 'string') }}",
	templateName: 'order_update',
	category: 'utility',
	variablesInput: 'none',
};
const TEST_RECIPIENT = '+12025550199';

/** n8n's own Agents (not the AI Agent node) with a chat model and an API of their own. */
async function startN8nAgents() {
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

		async close() {
			await model.close();
			await api.close();
		},
	};
}

let n8n: N8nUnderTest;
let agents: Awaited<ReturnType<typeof startN8nAgents>>;

beforeAll(async () => {
	n8n = await n8nUnderTest();
	agents = await startN8nAgents();
});

afterAll(async () => {
	await agents?.close();
});

/** What the model reads after it called the node for a customer. */
async function call(options: object) {
	const { id, name } = agents.credential;
	const node = {
		nodeType: ACTION,
		nodeTypeVersion: 1,
		nodeParameters: { resource: 'message', ...SEND, options },
		credentials: { [CREDENTIAL]: { id, name } },
	};
	const description = 'Informs a customer';
	const tool = { type: 'node', name: 'inform_customer', description, node };
	return await agents.chat(tool, { to: CUSTOMER });
}

function recipients() {
	return agents.api.calls.flatMap(({ body }) => (body as { to: string } | undefined)?.to ?? []);
}

// docs/ai-agents.md: n8n's own Agents
describe("with the node as the tool of n8n's own Agents", () => {
	test('the model sends, and reads what became of it', async () => {
		expect(await call({ waitFor: 'delivered' })).toContain('"delivery":{"status":');
		expect(recipients()).toEqual([CUSTOMER]);
	});

	test('what needs a workflow is refused by name, and nothing is sent', async () => {
		const read = await call({ testRecipient: TEST_RECIPIENT });
		expect(read).toContain("Test Recipient can't be used in n8n's own Agents");
		expect(read).toContain('Only the builder of the workflow can correct this');
		expect(recipients()).toEqual([]);
	});
});

// docs/ai-agents.md: the way that works
describe("with a workflow as the tool of n8n's own Agents", () => {
	async function workflowTool(options: object) {
		const parameters = { resource: 'message', ...SEND, to: '={{ $json.to }}', options };
		const credentials = { [CREDENTIAL]: agents.credential };
		const workflow = chain(`Called by an agent ${randomUUID()}`, {
			Called: {
				...CALLED,
				parameters: { workflowInputs: { values: [{ name: 'to', type: 'string' }] } },
			},
			Send: { type: ACTION, parameters, credentials },
		});
		const { id, name } = await n8n.client.workflows.save(workflow);
		return { type: 'workflow', workflowId: id, workflow: name, name: 'inform_customer' };
	}

	test('a Send Once Key holds from chat to chat', async () => {
		const tool = await workflowTool({ sendOnceKey: 'order-17' });
		expect(await agents.chat(tool, { to: CUSTOMER })).toContain('"status":"sent"');
		expect(await agents.chat(tool, { to: CUSTOMER })).toContain('"sentBefore":true');
		expect(recipients()).toEqual([]);
	});

	test('a preview sends to the Test Recipient', async () => {
		const tool = await workflowTool({ testRecipient: TEST_RECIPIENT });
		expect(await agents.chat(tool, { to: CUSTOMER })).toContain(`"intendedTo":"${CUSTOMER}"`);
		expect(recipients()).toEqual([TEST_RECIPIENT]);
	});
});
