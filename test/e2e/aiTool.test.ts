import { startLocalApi, type LocalApi } from '../../playground/api/server.ts';
import { ANSWER_LOST, CUSTOMER, DEVELOPMENT_KEY } from '../../playground/api/wellKnown.ts';
import { outputOf } from '../../playground/n8n/rest/executions.ts';
import { agentWorkflow } from '../support/agentWorkflow.ts';
import { startChatModel, type ChatModel } from '../support/chatModel.ts';
import { runOnce } from '../support/manualRun.ts';
import { n8nUnderTest, type N8nUnderTest } from '../support/n8nUnderTest.ts';

const TO = "={{ $fromAI('to', 'Phone number of the customer', 'string') }}";

const jsonTool = {
	operation: 'sendTemplate',
	to: TO,
	// As the editor's button that lets the model choose a value writes it.
	templateName:
		"={{ /*n8n-auto-generated-fromAI-override*/ $fromAI('Template_Name', `order_update or order_late`, 'string') }}",
	category: 'utility',
	variablesInput: 'json',
	variablesJson: "={{ $fromAI('variables', 'First name and order number', 'json') }}",
};

const chosen = {
	to: '+1 (202) 555-0110',
	Template_Name: 'order_update',
	variables: { 1: 'Asha', 2: 'A-17' },
};

let n8n: N8nUnderTest;
let api: LocalApi;
let model: ChatModel;
let credential: { id: string; name: string };
let modelCredential: { id: string; name: string };

beforeAll(async () => {
	n8n = await n8nUnderTest();
	api = await startLocalApi();
	model = await startChatModel();
	credential = await n8n.client.credentials.save({
		name: 'AI tool',
		type: 'businessMessagingApi',
		data: { baseUrl: api.url, apiKey: DEVELOPMENT_KEY },
	});
	modelCredential = await n8n.client.credentials.save({
		name: 'AI tool: model',
		type: 'openAiApi',
		data: { apiKey: 'not-used', url: model.url },
	});
});

afterAll(async () => {
	await model?.close();
	await api?.close();
});

beforeEach(() => {
	api.calls.length = 0;
	model.requests.length = 0;
});

/** Runs the agent, whose model calls the tool with these arguments. */
async function runAgent(
	toolArguments: Record<string, unknown>,
	toolParameters: Record<string, unknown> = jsonTool,
	toolSettings = {},
) {
	model.toolArguments = toolArguments;
	const workflow = agentWorkflow(modelCredential, credential, toolParameters, toolSettings);
	return await runOnce(n8n, workflow);
}

/** What the model read after its call of the tool. */
function toolAnswer() {
	const answer = model.requests.at(-1)?.messages.find(({ role }) => role === 'tool');
	return JSON.parse(String(answer?.content)) as Array<Record<string, unknown>>;
}

function sentBodies() {
	return api.calls.map(({ body }) => body);
}

test('an agent sends a template with number, name and variables of its own choosing', async () => {
	const execution = await runAgent(chosen);
	expect(execution.status).toBe('success');
	expect(sentBodies()).toEqual([
		{
			to: CUSTOMER,
			type: 'template',
			templateName: 'order_update',
			templateVariables: { 1: 'Asha', 2: 'A-17' },
			category: 'utility',
		},
	]);
	expect(api.calls[0].violations).toEqual([]);

	expect(toolAnswer()).toEqual([
		expect.objectContaining({
			message_id: expect.any(String),
			status: 'sent',
			cost: expect.objectContaining({ amount: 0.115 }),
		}),
	]);
	expect(outputOf(execution, 'Agent')).toEqual([{ output: expect.stringContaining('"sent"') }]);
});

test('the model is told what each value is for, and that a message costs money', async () => {
	await runAgent(chosen);
	const tool = model.requests[0].tools?.[0].function;
	expect(tool?.description).toMatch(/send a template message.*costs money/i);
	expect(tool?.parameters).toMatchObject({
		properties: {
			to: { type: 'string', description: 'Phone number of the customer' },
			Template_Name: { type: 'string', description: 'order_update or order_late' },
			variables: { description: 'First name and order number' },
		},
		required: ['to', 'Template_Name', 'variables'],
	});
});

test.each([
	['a list', ['Asha', 'A-17']],
	['JSON in a text', '{"1": "Asha", "2": "A-17"}'],
])('the variables may come as %s', async (_, variables) => {
	await runAgent({ ...chosen, variables });
	expect(sentBodies()).toEqual([
		expect.objectContaining({ templateVariables: { 1: 'Asha', 2: 'A-17' } }),
	]);
});

test('the fields of a pasted template text can be left to the model', async () => {
	await runAgent(
		{ to: CUSTOMER, first_name: 'Asha' },
		{
			operation: 'sendTemplate',
			to: TO,
			templateName: 'welcome',
			category: 'utility',
			variablesInput: 'templateText',
			templateText: 'Hi {{1}}, welcome!',
			templateTextVariables: {
				mappingMode: 'defineBelow',
				value: { variable_1: "={{ $fromAI('first_name', 'First name', 'string') }}" },
			},
		},
	);
	expect(sentBodies()).toEqual([expect.objectContaining({ templateVariables: { 1: 'Asha' } })]);
	expect(toolAnswer()).toEqual([expect.objectContaining({ preview: 'Hi Asha, welcome!' })]);
});

test('a wrong number: the model reads what is wrong and what to do, and nothing is sent', async () => {
	await runAgent({ ...chosen, to: 'call me' });
	const [{ error }] = toolAnswer();
	expect(error).toMatch(/"call me" is not a phone number\. .*country code.*Nothing was sent\./);
	expect(api.calls).toEqual([]);
});

test('a wrong number is as clear to the model when the tool continues on errors', async () => {
	await runAgent({ ...chosen, to: 'call me' }, jsonTool, { onError: 'continueRegularOutput' });
	expect(toolAnswer()).toEqual([
		{
			error: expect.objectContaining({
				message: expect.stringContaining('"call me" is not a phone number'),
				remedy: expect.stringContaining('country code'),
				outcome: 'notSent',
			}),
		},
	]);
	expect(api.calls).toEqual([]);
});

test('an answer that got lost: the model reads that the message may have been sent', async () => {
	await runAgent({ ...chosen, to: ANSWER_LOST });
	expect(toolAnswer()).toEqual([{ error: expect.stringContaining('may have been sent') }]);
	expect(sentBodies()).toHaveLength(1);
});
