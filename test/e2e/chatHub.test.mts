import { randomUUID } from 'node:crypto';
import { startLocalApi, type LocalApi } from '../../playground/api/server.mts';
import { ANSWER_LOST, CUSTOMER } from '../../playground/api/wellKnown.mts';
import { eventually } from '../../playground/eventually.mts';
import { saveAccount } from '../../playground/n8n/account.mts';
import { ACTION, CREDENTIAL } from '../../playground/n8n/typeNames.mts';
import { saveModel, startChatModel, type ChatModel } from '../support/chatModel.mts';
import { n8nUnderTest, type N8nUnderTest } from '../support/n8nUnderTest.mts';

const TESTER = '+12025550199';

let n8n: N8nUnderTest;
let api: LocalApi;
let model: ChatModel;
let ofModel: { id: string; name: string };
let ofTool: { id: string; name: string };

beforeAll(async () => {
	n8n = await n8nUnderTest();
	api = await startLocalApi();
	model = await startChatModel();
	ofModel = await saveModel(n8n, model);
	ofTool = await saveAccount(n8n, 'Chat Hub', { baseUrl: api.url });
	const { session } = n8n.client;
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

afterAll(async () => {
	await model?.close();
	await api?.close();
});

/**
 * Somebody types into a new chat, whose model calls the tool.
 * @returns what the model reads after each call
 */
async function chat(options: object, toolCalls = 1, to = CUSTOMER): Promise<string[]> {
	const { session } = n8n.client;
	api.calls.length = 0;
	Object.assign(model, { requests: [], toolCalls, toolArguments: { to } });
	const id = randomUUID();
	const parameters = {
		resource: 'message',
		operation: 'sendTemplate',
		to: "={{ $fromAI('to', 'Phone number of the customer', 'string') }}",
		templateName: 'order_update',
		variablesInput: 'none',
		options,
	};
	const definition = {
		id,
		name: 'Inform customer',
		type: `${ACTION}Tool`,
		typeVersion: 1,
		position: [0, 0],
		parameters,
		credentials: { [CREDENTIAL]: { id: ofTool.id, name: ofTool.name } },
	};
	await session.call('POST', '/chat/tools', { definition });
	await session.call('POST', '/chat/conversations/send', {
		messageId: randomUUID(),
		sessionId: randomUUID(),
		message: 'Tell Asha that her order is on its way.',
		model: { provider: 'openai', model: 'stub' },
		previousMessageId: null,
		credentials: { openAiApi: { id: ofModel.id, name: ofModel.name } },
		attachments: [],
	});
	const read = await eventually('the answer of the chat', async () => {
		const results = model.requests.map(({ messages }) =>
			messages.flatMap(({ role, content }) => (role === 'tool' ? [String(content)] : [])),
		);
		return results.find(({ length }) => length === toolCalls);
	});
	await session.call('DELETE', `/chat/tools/${id}`);
	return read;
}

function recipients() {
	return api.calls.map(({ body }) => (body as { to: string }).to);
}

// docs/ai-agents.md: Chat Hub
describe("in n8n's Chat Hub", () => {
	test('what would outlive the chat is refused by name, and nothing is sent', async () => {
		const [read] = await chat({ budget: { budget: { amount: 1, period: 'day' } } });
		expect(read).toContain("Budget can't be used in n8n's Chat Hub");
		expect(recipients()).toEqual([]);
	});

	test('somebody types, so messages go to the Test Recipient', async () => {
		const [read] = await chat({ testRecipient: TESTER });
		expect(read).toContain(`"intendedTo":"${CUSTOMER}"`);
		expect(recipients()).toEqual([TESTER]);
	});

	test('the same message goes once for each message that somebody types', async () => {
		for (let typed = 0; typed < 2; typed++) {
			const read = await chat({}, 2);
			expect(read).toEqual([
				expect.stringContaining('"status":"sent"'),
				expect.stringContaining('"sentBefore":true'),
			]);
			expect(recipients()).toEqual([CUSTOMER]);
		}
	});

	test('a message that may have been sent is not sent again', async () => {
		const read = await chat({}, 2, ANSWER_LOST);
		for (const each of read) expect(each).toContain('may have been sent');
		expect(recipients()).toEqual([ANSWER_LOST]);
	});

	test('who wrote is nobody', async () => {
		const [read] = await chat({ sendOnlyTo: { only: { who: 'whoWrote' } } });
		expect(read).toContain('Send Only To');
		expect(recipients()).toEqual([]);
	});
});
