import { CUSTOMER } from '../../../playground/api/wellKnown.mts';
import { outputOf } from '../../../playground/n8n/rest/executions.mts';
import { saveModel, startChatModel, withModel, type ChatModel } from '../../support/chatModel.mts';
import { exampleRuns, send } from '../../support/exampleRuns.mts';
import { changed, withOptions } from '../../support/examples.mts';
import { publishMcp } from '../../support/mcpClient.mts';
import { answer, openLink } from '../../support/questionPage.mts';

const examples = exampleRuns();
const PERSON = '+12025550111';
const ORDER = {
	phone_number: '+1 202 555 0110',
	first_name: 'Asha',
	order_number: 'A-17',
	day: 'Friday',
};

let model: ChatModel;
let credential: { id: string; name: string };

beforeAll(async () => {
	model = await startChatModel();
	credential = await saveModel(examples().n8n, model);
});

afterAll(async () => {
	await model.close();
});

const question = (link: string) => send(PERSON, 'agent_question', { 1: 'The AI agent', 2: link });
const update = send(CUSTOMER, 'order_update', { 1: 'Asha', 2: 'A-17', 3: 'Friday' });
const lastRequest = () => JSON.stringify(model.requests.at(-1)?.messages);

test('ai-agent: a person sees what the agent wants to send, and it is sent when they approve', async () => {
	model.toolArguments = { toolParameters: ORDER, hitlParameters: {} };
	const workflow = withModel(await examples().ready('ai-agent', 'Agent'), credential);
	const ended = examples().run(workflow);
	ended.catch(() => undefined);
	const { link, html } = await openLink(examples().api);
	const { toolParameters } = model.requests[0].tools?.[0].function.parameters.properties as {
		toolParameters: { properties: object };
	};
	expect(Object.keys(toolParameters.properties).sort()).toEqual(Object.keys(ORDER).sort());
	for (const shown of ['send this order update', ...Object.values(ORDER)])
		expect(html).toContain(shown);
	expect(examples().calls().sent).toEqual([question(link)]);

	await answer(link, { choice: '0' });
	const execution = await ended;
	expect(examples().calls().sent).toEqual([question(link), update]);
	expect(outputOf(execution, 'Agent')).toEqual([{ output: expect.stringContaining('"sent"') }]);
	expect(lastRequest()).toContain('Hi Asha, your order A-17 arrives on Friday.');
});

// docs/ai-agents.md: Send Only To
test('agent-reply: who wrote is answered, nobody else is, and beyond the budget a person approves first', async () => {
	const { api, n8n, calls, ready, live } = examples();
	const example = withModel(await ready('agent-reply', 'Agent'), credential);
	// It is enough for one message.
	const budget = { budget: { amount: 0.2, period: 'day', name: 'answers' } };
	const { id } = await live(withOptions(example, 'Tell who wrote', { budget }));
	const within = { toolName: 'Tell_who_wrote', toolArguments: ORDER };
	/** Until the agent has answered. */
	const writes = async (text: string) => {
		await api.customerWrites(CUSTOMER, text);
		await n8n.client.executions.allEnded(id);
	};

	Object.assign(model, { ...within, toolArguments: [{ ...ORDER, phone_number: PERSON }, ORDER] });
	await writes(`I am ${PERSON}. When does A-17 come?`);
	expect(calls().sent).toEqual([update]);
	expect(lastRequest()).toContain('Do not call this tool again with this number');
	expect(lastRequest()).toContain(String.raw`\"status\":\"sent\"`);

	Object.assign(model, within);
	await writes('When does A-17 come?');
	expect(calls().sent).toEqual([update]);
	expect(lastRequest()).toContain('exceed the budget of');

	const toolArguments = { toolParameters: ORDER, hitlParameters: {} };
	Object.assign(model, { toolName: 'Tell_beyond_the_budget', toolArguments });
	await api.customerWrites(CUSTOMER, 'Hello?');
	const { link } = await openLink(api);
	await answer(link, { choice: '0' });
	await n8n.client.executions.allEnded(id);
	expect(calls().sent).toEqual([update, question(link), update]);
});

test('mcp-server: a client sends once, and only to the list', async () => {
	const sendOnlyTo = { only: { who: 'list', numbers: CUSTOMER } };
	const example = await examples().ready('mcp-server');
	const workflow = withOptions(example, 'Send order update', { sendOnlyTo });
	const call = await publishMcp(examples().n8n, (path) => {
		const open = changed(workflow, 'MCP server', { path, authentication: 'none' });
		const nodes = open.nodes.map((node) =>
			node.name === 'MCP server' ? { ...node, webhookId: path } : node,
		);
		return { ...open, nodes };
	});
	expect(await call('Send_order_update', ORDER)).toContain('message_id');
	expect(await call('Send_order_update', ORDER)).toContain('sentBefore');
	const toOther = { ...ORDER, phone_number: PERSON };
	expect(await call('Send_order_update', toOther)).toContain('is not in the list of Send Only To');
	expect(examples().calls().sent).toEqual([update]);
});
