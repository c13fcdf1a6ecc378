import { CUSTOMER } from '../../../playground/api/wellKnown.ts';
import { outputOf } from '../../../playground/n8n/rest/executions.ts';
import { startChatModel, type ChatModel } from '../../support/chatModel.ts';
import { exampleRuns, send } from '../../support/exampleRuns.ts';
import { changed } from '../../support/examples.ts';

const examples = exampleRuns();
let model: ChatModel;

beforeAll(async () => {
	model = await startChatModel();
});

afterAll(async () => {
	await model.close();
});

test('ai-agent: the model fills in the number and the variables, and nothing else', async () => {
	model.toolArguments = {
		phone_number: '+1 202 555 0110',
		first_name: 'Asha',
		order_number: 'A-17',
		day: 'Friday',
	};
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
	const execution = await examples().run(workflow);
	const offered = model.requests[0].tools?.[0].function.parameters.properties ?? {};
	expect(Object.keys(offered).sort()).toEqual(Object.keys(model.toolArguments).sort());
	expect(examples().calls().sent).toEqual([
		send(CUSTOMER, 'order_update', { 1: 'Asha', 2: 'A-17', 3: 'Friday' }),
	]);
	expect(outputOf(execution, 'Agent')).toEqual([{ output: expect.stringContaining('"sent"') }]);
	expect(JSON.stringify(model.requests.at(-1)?.messages)).toContain(
		'Hi Asha, your order A-17 arrives on Friday.',
	);
});
