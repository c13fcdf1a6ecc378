import { CUSTOMER } from '../../../playground/api/wellKnown.mts';
import { eventually } from '../../../playground/eventually.mts';
import { changed } from '../../../playground/n8n/examples.mts';
import { outputOf, type Execution } from '../../../playground/n8n/rest/executions.mts';
import { saveModel, startChatModel, withModel, type ChatModel } from '../../support/chatModel.mts';
import { exampleRuns, send } from '../../support/exampleRuns.mts';
import { publishMcp } from '../../support/mcpClient.mts';
import { answer, look, nextLink } from '../../support/questionPage.mts';

const examples = exampleRuns();
const PERSON = '+12025550111';
const ORDER = {
	phone_number: '+1 202 555 0110',
	first_name: 'Asha',
	order_number: 'A-17',
	day: 'Friday',
};

let model: ChatModel;

beforeAll(async () => {
	model = await startChatModel();
});

afterAll(async () => {
	await model.close();
});

/** The run as far as the question, and what becomes of it. */
async function asked(): Promise<{ link: string; ended: Promise<Execution> }> {
	model.requests.length = 0;
	model.toolArguments = { toolParameters: ORDER, hitlParameters: {} };
	const workflow = await examples().ready('ai-agent', 'Agent');
	const credential = await saveModel(examples().n8n, model);
	const ended = examples().run(withModel(workflow, credential));
	ended.catch(() => undefined);
	const link = await nextLink(examples().api);
	await eventually('the page', async () => (await look(link)).status === 200);
	return { link, ended };
}

const question = (link: string) => send(PERSON, 'agent_question', { 1: 'The AI agent', 2: link });
const update = send(CUSTOMER, 'order_update', { 1: 'Asha', 2: 'A-17', 3: 'Friday' });

test('ai-agent: a person sees what the agent wants to send, and it is sent when they approve', async () => {
	const { link, ended } = await asked();
	const { toolParameters } = model.requests[0].tools?.[0].function.parameters.properties as {
		toolParameters: { properties: object };
	};
	expect(Object.keys(toolParameters.properties).sort()).toEqual(Object.keys(ORDER).sort());
	const { html } = await look(link);
	for (const shown of ['send this order update', ...Object.values(ORDER)])
		expect(html).toContain(shown);
	expect(examples().calls().sent).toEqual([question(link)]);

	await answer(link, { choice: '0' });
	const execution = await ended;
	expect(examples().calls().sent).toEqual([question(link), update]);
	expect(outputOf(execution, 'Agent')).toEqual([{ output: expect.stringContaining('"sent"') }]);
	expect(JSON.stringify(model.requests.at(-1)?.messages)).toContain(
		'Hi Asha, your order A-17 arrives on Friday.',
	);
});

test('ai-agent: what a person declines is not sent, and the agent is told why', async () => {
	const { link, ended } = await asked();
	await answer(link, { choice: '1', reason: 'It comes on Monday' });
	await ended;
	expect(examples().calls().sent).toEqual([question(link)]);
	expect(JSON.stringify(model.requests.at(-1)?.messages)).toContain('It comes on Monday');
});

describe('agent-reply', () => {
	const [WITHIN, BEYOND] = ['Tell_who_wrote', 'Tell_beyond_the_budget'];

	beforeEach(() => {
		model.requests.length = 0;
	});

	afterEach(async () => {
		model.toolName = undefined;
		await examples().unpublish();
	});

	/** Published, with so much to spend by itself. */
	async function live(amount: number) {
		const workflow = await examples().ready('agent-reply', 'Agent');
		const name = 'Tell who wrote';
		const { options } = workflow.nodes.find((node) => node.name === name)!.parameters;
		const budget = { budget: { amount, period: 'day', name: 'answers' } };
		const within = changed(workflow, name, { options: { ...(options as object), budget } });
		const credential = await saveModel(examples().n8n, model);
		const { id } = await examples().live(withModel(within, credential));
		return async () => await examples().n8n.client.executions.allEnded(id);
	}

	const read = () =>
		(model.requests.at(-1)?.messages ?? []).flatMap(({ role, content }) =>
			role === 'tool' ? [String(content)] : [],
		);

	// docs/ai-agents.md: Send Only To
	test('who wrote is answered, and nobody else', async () => {
		const ended = await live(10);
		model.toolName = WITHIN;
		model.toolArguments = [{ ...ORDER, phone_number: PERSON }, ORDER];
		await examples().api.customerWrites(CUSTOMER, `I am ${PERSON}. When does A-17 come?`);
		await ended();
		expect(examples().calls().sent).toEqual([update]);
		expect(read()).toEqual([
			expect.stringContaining('Do not call this tool again with this number'),
			expect.stringContaining('"status":"sent"'),
		]);
	});

	test('beyond the budget nothing is sent, unless a person approves it', async () => {
		const ended = await live(0.1);
		Object.assign(model, { toolName: WITHIN, toolArguments: ORDER });
		await examples().api.customerWrites(CUSTOMER, 'When does A-17 come?');
		await ended();
		expect(examples().calls().sent).toEqual([]);
		expect(read()).toEqual([expect.stringContaining('exceed the budget of')]);

		model.toolName = BEYOND;
		model.toolArguments = { toolParameters: ORDER, hitlParameters: {} };
		await examples().api.customerWrites(CUSTOMER, 'Hello?');
		const link = await nextLink(examples().api);
		await eventually('the page', async () => (await look(link)).status === 200);
		await answer(link, { choice: '0' });
		await ended();
		expect(examples().calls().sent).toEqual([question(link), update]);
	});
});

test('mcp-server: a client sends once, and only to the list', async () => {
	const example = await examples().ready('mcp-server');
	const tool = example.nodes.find(({ name }) => name === 'Send order update')!.parameters;
	const sendOnlyTo = { only: { who: 'list', numbers: CUSTOMER } };
	const options = { ...(tool.options as object), sendOnlyTo };
	const workflow = changed(example, 'Send order update', { options });
	const call = await publishMcp(examples().n8n, (path) => {
		const open = changed(workflow, 'MCP server', { path, authentication: 'none' });
		const webhooks = open.nodes.map((node) =>
			node.name === 'MCP server' ? { ...node, webhookId: path } : node,
		);
		return { ...open, nodes: webhooks };
	});
	expect(await call('Send_order_update', ORDER)).toContain('message_id');
	expect(await call('Send_order_update', ORDER)).toContain('sentBefore');
	const toOther = { ...ORDER, phone_number: PERSON };
	expect(await call('Send_order_update', toOther)).toContain('is not in the list of Send Only To');
	expect(examples().calls().sent).toEqual([update]);
});
