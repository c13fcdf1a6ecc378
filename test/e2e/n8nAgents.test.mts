import { randomUUID } from 'node:crypto';
import { ANSWER_LOST, CUSTOMER } from '../../playground/api/wellKnown.mts';
import { eventually } from '../../playground/eventually.mts';
import { chain } from '../../playground/n8n/chain.mts';
import { ACTION, CREDENTIAL } from '../../playground/n8n/typeNames.mts';
import { accountOfFile } from '../support/accountOfFile.mts';
import { saveModel, startChatModel, type ChatModel } from '../support/chatModel.mts';
import { CALLED } from '../support/nativeNodes.mts';

const SEND = {
	resource: 'message',
	operation: 'sendTemplate',
	to: "={{ $fromAI('to', 'Phone number of the customer', 'string') }}",
	templateName: 'order_update',
	category: 'utility',
	variablesInput: 'none',
};
const TESTER = '+12025550199';
/** The tool that the model calls for a customer. */
const name = 'inform_customer';

const file = accountOfFile("n8n's Agents");
let model: ChatModel;

beforeAll(async () => {
	model = await startChatModel();
});

beforeEach(() => {
	file.api.calls.length = 0;
	const toolArguments = { to: CUSTOMER };
	Object.assign(model, { requests: [], toolName: undefined, toolCalls: 1, toolArguments });
});

afterAll(async () => {
	await model?.close();
});

/**
 * Tells a new one of n8n's own Agents (not the AI Agent node) something, in the preview of its chat, as the editor does.
 * @returns what its model reads after it called the tool
 */
async function chat(tool: object): Promise<string> {
	const { client, url } = file.n8n;
	const { session } = client;
	Object.assign(model, { requests: [], toolName: name });
	const credential = await saveModel(file.n8n, model);
	const project = await session.call<{ id: string }>('GET', '/projects/personal');
	const agents = `/projects/${project.id}/agents/v2`;
	const { id } = await session.call<{ id: string }>('POST', agents, { name: randomUUID() });
	const path = `${agents}/${id}/config`;
	const { configHash } = await session.call<{ configHash: string }>('GET', path);
	const config = {
		name: `Agent ${id}`,
		model: 'openai/stub',
		credential: credential.id,
		instructions: 'Inform customers.',
		tools: [{ name, ...tool }],
	};
	await session.call('PUT', path, { config, baseConfigHash: configHash });
	const response = await fetch(`${url}/rest${agents}/${id}/chat`, {
		method: 'POST',
		headers: { 'content-type': 'application/json', cookie: session.cookie },
		body: JSON.stringify({ message: 'Tell Asha that her order is on its way.' }),
	});
	const events = await response.text();
	const read = model.requests.at(-1)?.messages.findLast(({ role }) => role === 'tool');
	if (!read) throw new Error(`The model has called no tool: ${events}`);
	return String(read.content);
}

/**
 * Somebody types into a new chat, whose model calls the tool.
 * @returns what the model reads after each call
 */
async function type(options: object): Promise<string[]> {
	const { session } = file.n8n.client;
	model.requests = [];
	const id = randomUUID();
	const definition = {
		id,
		name: 'Inform customer',
		type: `${ACTION}Tool`,
		typeVersion: 1,
		position: [0, 0],
		parameters: { ...SEND, options },
		credentials: { [CREDENTIAL]: file.credential },
	};
	await session.call('POST', '/chat/tools', { definition });
	await session.call('POST', '/chat/conversations/send', {
		messageId: randomUUID(),
		sessionId: randomUUID(),
		message: 'Tell Asha that her order is on its way.',
		model: { provider: 'openai', model: 'stub' },
		previousMessageId: null,
		credentials: { openAiApi: await saveModel(file.n8n, model) },
		attachments: [],
	});
	const read = await eventually('the answer of the chat', () => {
		const results = model.requests.map(({ messages }) =>
			messages.flatMap(({ role, content }) => (role === 'tool' ? [String(content)] : [])),
		);
		return results.find(({ length }) => length === model.toolCalls);
	});
	await session.call('DELETE', `/chat/tools/${id}`);
	return read;
}

function recipients() {
	return file.api.calls.flatMap(({ body }) => (body as { to: string } | undefined)?.to ?? []);
}

// docs/ai-agents.md: n8n's own Agents
test("the node as a tool of n8n's own Agents sends, and refuses by name what needs a workflow", async () => {
	const nodeTool = (options: object) => {
		const nodeParameters = { ...SEND, options };
		const credentials = { [CREDENTIAL]: file.credential };
		const node = { nodeType: ACTION, nodeTypeVersion: 1, nodeParameters, credentials };
		return { type: 'node', description: 'Informs a customer', node };
	};
	const refused = await chat(nodeTool({ testRecipient: TESTER }));
	expect(refused).toContain("Test Recipient can't be used in n8n's own Agents");
	expect(refused).toContain('Only the builder of the workflow can correct this');
	expect(recipients()).toEqual([]);
	expect(await chat(nodeTool({ waitFor: 'delivered' }))).toContain('"delivery":{"status":');
	expect(recipients()).toEqual([CUSTOMER]);
});

// docs/ai-agents.md: the way that works
test("a workflow as a tool of n8n's own Agents: a Send Once Key holds from chat to chat, and a preview sends to the Test Recipient", async () => {
	const workflowTool = async (options: object) => {
		const inputs = { values: [{ name: 'to', type: 'string' }] };
		const workflow = chain(`Called by an agent ${randomUUID()}`, {
			Called: { ...CALLED, parameters: { workflowInputs: inputs } },
			Send: {
				type: ACTION,
				parameters: { ...SEND, to: '={{ $json.to }}', options },
				credentials: { [CREDENTIAL]: file.credential },
			},
		});
		const { id, name: saved } = await file.n8n.client.workflows.save(workflow);
		return { type: 'workflow', workflowId: id, workflow: saved };
	};
	const once = await workflowTool({ sendOnceKey: 'order-17' });
	expect(await chat(once)).toContain('"status":"sent"');
	expect(await chat(once)).toContain('"sentBefore":true');
	const tested = await workflowTool({ testRecipient: TESTER });
	expect(await chat(tested)).toContain(`"intendedTo":"${CUSTOMER}"`);
	expect(recipients()).toEqual([CUSTOMER, TESTER]);
});

// docs/ai-agents.md: Chat Hub
describe("in n8n's Chat Hub", () => {
	beforeAll(async () => {
		const { session } = file.n8n.client;
		await session.call('PUT', '/chat/enabled', { enabled: true });
		const payload = {
			provider: 'openai',
			enabled: true,
			credentialId: null,
			allowedModels: [],
			// The model of the tests has none.
			responsesApiEnabled: false,
			createdAt: new Date().toISOString(),
			updatedAt: null,
		};
		await session.call('POST', '/chat/settings', { payload });
	});

	test('what would outlive the chat is refused by name, and nothing is sent', async () => {
		const [read] = await type({ budget: { budget: { amount: 1, period: 'day' } } });
		expect(read).toContain("Budget can't be used in n8n's Chat Hub");
		expect(recipients()).toEqual([]);
	});

	test('somebody types, so messages go to the Test Recipient', async () => {
		const [read] = await type({ testRecipient: TESTER });
		expect(read).toContain(`"intendedTo":"${CUSTOMER}"`);
		expect(recipients()).toEqual([TESTER]);
	});

	test.each([
		['the same message goes once for each message that somebody types', CUSTOMER, '"sentBefore":'],
		['a message that may have been sent is not sent again', ANSWER_LOST, 'may have been sent'],
	])('%s', async (_, to, second) => {
		Object.assign(model, { toolCalls: 2, toolArguments: { to } });
		for (const typed of [[to], [to, to]]) {
			const read = await type({});
			expect(read[1]).toContain(second);
			expect(recipients()).toEqual(typed);
		}
	});
});
