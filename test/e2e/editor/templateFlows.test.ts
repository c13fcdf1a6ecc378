import { startLocalApi, type LocalApi } from '../../../playground/api/server.ts';
import { CUSTOMER } from '../../../playground/api/wellKnown.ts';
import { eventually } from '../../../playground/eventually.ts';
import { saveAccount } from '../../../playground/n8n/account.ts';
import { publish } from '../../../playground/n8n/publish.ts';
import type { SavedWorkflow, Workflow } from '../../../playground/n8n/rest/workflows.ts';
import { actionWorkflow } from '../../support/actionWorkflow.ts';
import { agentWorkflow } from '../../support/agentWorkflow.ts';
import { openEditor, type Editor } from '../../support/editor.ts';
import { n8nUnderTest, type N8nUnderTest } from '../../support/n8nUnderTest.ts';
import { templateEditor } from '../../support/templateEditor.ts';
import { triggerWorkflow } from '../../support/triggerWorkflow.ts';

// A browser starts slowly on a machine that is busy.
jest.setTimeout(180_000);

const TEMPLATE = 'Hi {{1}}, your order {{2}} arrives on {{3}}.';

let n8n: N8nUnderTest;
let api: LocalApi;
let credential: { id: string; name: string };
let editor: Editor;

beforeAll(async () => {
	n8n = await n8nUnderTest();
	api = await startLocalApi();
	credential = await saveAccount(n8n, 'Template in a flow', { baseUrl: api.url });
});

afterEach(async () => {
	await editor?.close();
});

afterAll(async () => {
	await api?.close();
});

/** Behind a trigger that has not run yet. */
function flow(): Workflow {
	const trigger = triggerWorkflow({ events: ['message.incoming'], authentication: 'none' });
	const { nodes } = actionWorkflow(credential, {
		to: '={{ $json.data.from }}',
		templateName: 'order_update',
	});
	return {
		...trigger,
		nodes: [...trigger.nodes, nodes[1]],
		connections: { Trigger: { main: [[{ node: nodes[1].name, type: 'main', index: 0 }]] } },
	};
}

async function stored(id: string): Promise<SavedWorkflow> {
	return await n8n.client.session.call('GET', `/workflows/${id}`);
}

async function save() {
	await editor.closeNode();
	await editor.page.keyboard.press('ControlOrMeta+S');
}

// README, Top: whatever else is still empty
test('without any data, and after a reload, the fields are there; the message has their values', async () => {
	const { id, name } = await n8n.client.workflows.save(flow());
	editor = await openEditor(n8n);
	await editor.openWorkflow(id);
	await editor.openNode('Business Messaging');
	const template = templateEditor(editor);
	await template.paste(TEMPLATE);
	await template.expectFields(1, 2, 3);
	await editor.screenshot('flow-fields');

	// What is pasted in braces becomes an expression by itself.
	await editor.paste(editor.input('variable1'), '{{ $json.data.name }}');
	await editor.field('variable1').getByText('{{ $json.data.name }}').waitFor();
	await editor.input('variable2').fill('A-17');
	await editor.input('variable3').fill('Friday');
	await save();
	await eventually('the saved values', async () => {
		const [, { parameters }] = (await stored(id)).nodes;
		return parameters.variable3 === 'Friday' ? parameters : undefined;
	});

	await editor.page.reload();
	await editor.openNode('Business Messaging');
	await template.expectFields(1, 2, 3);
	await editor.field('variable1').getByText('{{ $json.data.name }}').waitFor();
	expect(await editor.input('variable2').inputValue()).toBe('A-17');
	await editor.screenshot('flow-reloaded');

	const { address } = await publish(n8n, { ...(await stored(id)), name });
	const timestamp = new Date().toISOString();
	const data = { from: CUSTOMER, name: 'Asha' };
	await fetch(address, {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify({ event: 'message.incoming', timestamp, data }),
	});
	const sent = await eventually('the message', () => [...api.messages.values()][0]);
	expect(sent.templateVariables).toEqual({ 1: 'Asha', 2: 'A-17', 3: 'Friday' });
	await n8n.client.workflows.unpublish(id);
});

// README, Send to a spreadsheet: values stay with their numbers
test('another template: values stay under their numbers, without a label that claims more, and one without a number is gone', async () => {
	const workflow = flow();
	workflow.nodes[1].parameters = {
		...workflow.nodes[1].parameters,
		templateText: TEMPLATE,
		variable1: 'Asha',
		variable2: '={{ $json.data.order }}',
		variable3: 'Friday',
	};
	const { id } = await n8n.client.workflows.save(workflow);
	editor = await openEditor(n8n);
	await editor.openWorkflow(id);
	await editor.openNode('Business Messaging');
	const template = templateEditor(editor);
	await template.paste('Your code is {{1}}.');
	await template.expectFields(1);
	expect(await editor.input('variable1').inputValue()).toBe('Asha');
	await editor.page.getByText('If you change the text, the values below stay').waitFor();
	await editor.screenshot('flow-changed');
	await save();
	const { parameters } = await eventually('the saved text', async () => {
		const [, node] = (await stored(id)).nodes;
		return node.parameters.templateText === 'Your code is {{1}}.' ? node : undefined;
	});
	expect(parameters).toHaveProperty('variable1');
	expect(parameters).not.toHaveProperty('variable2');
	expect(parameters).not.toHaveProperty('variable3');
});

// README, Send to a spreadsheet: another choice of Variables
test('another choice of Variables and back: the text stays, its fields are empty, as the editor says before', async () => {
	const workflow = flow();
	workflow.nodes[1].parameters = {
		...workflow.nodes[1].parameters,
		templateText: TEMPLATE,
		variable1: 'Asha',
	};
	const { id } = await n8n.client.workflows.save(workflow);
	editor = await openEditor(n8n);
	await editor.openWorkflow(id);
	await editor.openNode('Business Messaging');
	const template = templateEditor(editor);
	await template.expectFields(1, 2, 3);
	await editor.page.getByText('Switching clears the values entered here').waitFor();
	await editor.screenshot('flow-choice');
	await editor.choose('variablesInput', 'JSON');
	await template.expectFields();
	await editor.choose('variablesInput', 'From Template Text');
	await template.expectFields(1, 2, 3);
	await template.expectText(TEMPLATE);
	expect(await editor.input('variable1').inputValue()).toBe('');
});

test("as an agent's tool: a field for each placeholder, each of which can be left to the model", async () => {
	const modelCredential = await n8n.client.credentials.save({
		name: 'Template in a flow: model',
		type: 'openAiApi',
		data: { apiKey: 'not-used' },
	});
	const workflow = agentWorkflow(modelCredential, credential, {
		operation: 'sendTemplate',
		to: "={{ $fromAI('to', 'Phone number', 'string') }}",
		templateName: 'order_update',
	});
	// The agent on the canvas has the word "Tool" as well.
	workflow.nodes[3].name = 'Inform';
	const { Tool, ...others } = workflow.connections;
	workflow.connections = { ...others, Inform: Tool };
	const { id } = await n8n.client.workflows.save(workflow);
	editor = await openEditor(n8n);
	await editor.openWorkflow(id);
	await editor.openNode('Inform');
	const template = templateEditor(editor);
	await template.paste('Hi {{1}}, your order {{2}} is here.');
	await template.expectFields(1, 2);
	await editor.field('variable1').hover();
	await editor.page.getByTestId('from-ai-override-button').last().waitFor();
	await editor.screenshot('flow-tool');
});
