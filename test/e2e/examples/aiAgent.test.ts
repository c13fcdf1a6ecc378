import type { Browser } from 'playwright-core';
import { CUSTOMER } from '../../../playground/api/wellKnown.ts';
import { eventually } from '../../../playground/eventually.ts';
import { outputOf, type Execution } from '../../../playground/n8n/rest/executions.ts';
import { launchBrowser } from '../../support/browser.ts';
import { startChatModel, type ChatModel } from '../../support/chatModel.ts';
import { exampleRuns, send } from '../../support/exampleRuns.ts';
import { changed } from '../../support/examples.ts';
import { openPhonePage } from '../../support/phonePage.ts';
import { answer, look, nextLink } from '../../support/questionPage.ts';

const examples = exampleRuns();
const PERSON = '+12025550111';
const ORDER = {
	phone_number: '+1 202 555 0110',
	first_name: 'Asha',
	order_number: 'A-17',
	day: 'Friday',
};

let model: ChatModel;
let browser: Browser;

beforeAll(async () => {
	model = await startChatModel();
	browser = await launchBrowser();
});

afterAll(async () => {
	await browser.close();
	await model.close();
});

/** The run as far as the question, and what becomes of it. */
async function asked(): Promise<{ link: string; ended: Promise<Execution> }> {
	model.requests.length = 0;
	model.toolArguments = { toolParameters: ORDER, hitlParameters: {} };
	const { id, name } = await examples().n8n.client.credentials.save({
		name: 'Examples: model',
		type: 'openAiApi',
		data: { apiKey: 'not-used', url: model.url },
	});
	const workflow = changed(await examples().ready('ai-agent', 'Agent'), 'Chat model', {
		responsesApiEnabled: false,
	});
	const chatModel = workflow.nodes.find((node) => node.name === 'Chat model')!;
	chatModel.credentials = { openAiApi: { id, name } };
	const ended = examples().run(workflow);
	ended.catch(() => undefined);
	const link = await nextLink(examples().api);
	await eventually('the page', async () => (await look(link)).status === 200);
	return { link, ended };
}

const question = (link: string) => send(PERSON, 'agent_question', { 1: 'The AI agent', 2: link });
const update = send(CUSTOMER, 'order_update', { 1: 'Asha', 2: 'A-17', 3: 'Friday' });

test('ai-agent: a person sees on the phone what the agent wants to send, and it is sent when they approve', async () => {
	const phone = await openPhonePage(browser, examples().api, { number: PERSON });
	const { link, ended } = await asked();
	await phone.fromBusiness.getByText('wants to write to a customer').waitFor();
	const { html } = await look(link);
	for (const shown of ['send this order update', ...Object.values(ORDER)])
		expect(html).toContain(shown);
	expect(examples().calls().sent).toEqual([question(link)]);

	await phone.page.goto(link);
	await phone.page.getByRole('button', { name: 'Approve' }).click();
	await phone.page.getByRole('heading', { name: 'Thank you' }).waitFor();
	const execution = await ended;
	expect(examples().calls().sent).toEqual([question(link), update]);
	expect(outputOf(execution, 'Agent')).toEqual([{ output: expect.stringContaining('"sent"') }]);
	expect(JSON.stringify(model.requests.at(-1)?.messages)).toContain(
		'Hi Asha, your order A-17 arrives on Friday.',
	);
});

test('ai-agent: the model fills in the number and the variables, and nothing else', async () => {
	const { link, ended } = await asked();
	const { toolParameters } = model.requests[0].tools?.[0].function.parameters.properties as {
		toolParameters: { properties: object };
	};
	expect(Object.keys(toolParameters.properties).sort()).toEqual(Object.keys(ORDER).sort());
	await answer(link, { choice: '0' });
	await ended;
	expect(examples().calls().sent).toEqual([question(link), update]);
});

test('ai-agent: what a person declines is not sent, and the agent is told why', async () => {
	const { link, ended } = await asked();
	await answer(link, { choice: '1', reason: 'It comes on Monday' });
	await ended;
	expect(examples().calls().sent).toEqual([question(link)]);
	expect(JSON.stringify(model.requests.at(-1)?.messages)).toContain('It comes on Monday');
});
