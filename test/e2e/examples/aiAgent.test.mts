import { CUSTOMER } from '../../../playground/api/wellKnown.mts';
import { eventually } from '../../../playground/eventually.mts';
import { outputOf, type Execution } from '../../../playground/n8n/rest/executions.mts';
import { saveModel, startChatModel, withModel, type ChatModel } from '../../support/chatModel.mts';
import { exampleRuns, send } from '../../support/exampleRuns.mts';
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
