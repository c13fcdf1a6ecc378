import { saveAccount } from '../../../playground/n8n/account.ts';
import { agentWorkflow } from '../../support/agentWorkflow.ts';
import { openEditor, type Editor } from '../../support/editor.ts';
import { n8nUnderTest } from '../../support/n8nUnderTest.ts';

// A browser starts slowly on a machine that is busy.
jest.setTimeout(180_000);

const OF_SENDING = /Each message costs money and reaches a person/;
const OF_LOOKING = /^Look up/;

let editor: Editor;

beforeAll(async () => {
	const n8n = await n8nUnderTest();
	const credential = await saveAccount(n8n, 'A tool');
	const workflow = agentWorkflow(credential, credential, {});
	// The agent has the name of the tool on itself, at the connection.
	const alone = { nodes: workflow.nodes.filter(({ name }) => name === 'Tool'), connections: {} };
	editor = await openEditor(n8n, { workflow: { ...workflow, ...alone }, node: 'Tool' });
});

afterAll(async () => {
	await editor?.close();
});

const told = async () => await editor.input('toolDescription').inputValue();

test('what an agent is told of a tool is there to read, and follows the operation', async () => {
	expect(await told()).toMatch(OF_SENDING);
	expect(await editor.field('descriptionType').count()).toBe(0);
	await editor.screenshot('tool-description');
	await editor.choose('operation', 'Get Status');
	await editor.field('messageId').waitFor();
	expect(await told()).toMatch(OF_LOOKING);
	await editor.choose('operation', 'Send Template');
	await editor.field('templateName').waitFor();
	expect(await told()).toMatch(OF_SENDING);
});
