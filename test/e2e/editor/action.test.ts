import {
	CUSTOMER,
	DEVELOPMENT_KEY,
	NEVER_READ,
	START_PLAN_KEY,
} from '../../../playground/api/wellKnown.ts';
import { chain } from '../../../playground/n8n/chain.ts';
import { actionWorkflow } from '../../support/actionWorkflow.ts';
import { agentWorkflow } from '../../support/agentWorkflow.ts';
import { editorOfFile } from '../../support/editorOfFile.ts';

const NODE = 'Business Messaging';
const opened = editorOfFile('Action in the editor');

test('missing fields are marked red, and named when the step is executed', async () => {
	const { credential, editor } = opened();
	const { page, input, execute, notification, screenshot } = editor;
	const parameters = { to: CUSTOMER, templateText: 'Hi {{1}}, welcome to {{2}}.' };
	await editor.show(actionWorkflow(credential, parameters), NODE);
	await input('variable1').fill('Asha');
	await execute();
	const problem = await notification('Workflow execution cannot start');
	expect(problem).toContain('Parameter "Template Name" is required');
	expect(problem).toContain('Parameter "{{2}}" is required');
	expect(problem).not.toContain('"To"');
	expect(await page.getByTestId('parameter-issues').count()).toBe(2);
	await screenshot('missing-fields');
});

test('the output panel says what was sent and what it cost, above the messages', async () => {
	const { api, credential, editor } = opened();
	const workflow = actionWorkflow(credential, {
		to: '={{ $json.phone }}',
		templateName: 'order_shipped',
		templateText: 'Hi {{1}}, your order {{2}} is on its way.',
		variable1: '={{ $json.name }}',
		variable2: 'A-17',
	});
	const items = [
		{ json: { name: 'Asha', phone: CUSTOMER } },
		{ json: { name: 'Mira', phone: NEVER_READ } },
	];
	await editor.show({ ...workflow, pinData: { Start: items } }, NODE);
	await editor.execute();
	await editor.output.getByText('2 messages sent, cost INR 0.23.').waitFor();
	await editor.output.getByText('Hi Asha, your order A-17 is on its way.').first().waitFor();
	const [id] = api.messages.keys();
	await editor.output.getByText(id).first().waitFor();
	await editor.screenshot('run');
});

// README, Credentials: n8n tests it
test('a key is entered from within the node: a wrong one is explained, the right one accepted', async () => {
	const { api, credential, editor } = opened();
	const { page, input, screenshot } = editor;
	const dialog = page.getByTestId('credential-edit-dialog');
	const tryKey = async (apiKey: string) => {
		await input('apiKey').fill(apiKey);
		await page.getByTestId('credential-save-button').click();
	};
	/** n8n folds the sentence away, but leaves it open for the next one. */
	const expectRefused = async (sentence: string) => {
		const shown = dialog.getByText(sentence).filter({ visible: true }).first();
		const details = dialog.getByText('More details');
		await shown.or(details).first().waitFor();
		if (await details.isVisible()) await details.click();
		await shown.waitFor();
	};
	await editor.show(actionWorkflow(credential, {}), NODE);
	await page.getByTestId('node-credentials-select').click();
	await page.getByTestId('node-credentials-select-item-new').click();
	await input('baseUrl').fill(api.url);
	await tryKey('a-key-that-was-never-given');
	await dialog.getByText('Couldn’t connect with these settings').waitFor();
	await expectRefused('The API key is missing or not valid.');
	await screenshot('credential-wrong-key');
	await tryKey(START_PLAN_KEY);
	await expectRefused("Your account's plan has no API access.");
	// n8n closes the dialog of a new credential that works.
	await tryKey(DEVELOPMENT_KEY);
	await dialog.waitFor({ state: 'hidden' });
	await page.getByTestId('credential-edit-button').click();
	await dialog.getByText('Connection tested successfully').waitFor();
	await screenshot('credential-accepted');
});

// README, What it does: other endpoints by HTTP Request
test('HTTP Request offers the credential as a predefined one, and reaches the API with it', async () => {
	const { api, credential, editor } = opened();
	const { page, choose, field, output, screenshot } = editor;
	const url = `${api.url}/api/integrations/contacts`;
	const workflow = chain('Other endpoints', {
		Start: { type: 'n8n-nodes-base.manualTrigger' },
		'HTTP Request': {
			type: 'n8n-nodes-base.httpRequest',
			typeVersion: 4.2,
			parameters: { url },
		},
	});
	await editor.show(workflow, 'HTTP Request');
	await choose('authentication', 'Predefined Credential Type');
	await field('nodeCredentialType').click();
	await page.keyboard.type('Business Mess');
	await page.getByRole('option').filter({ hasText: 'Business Messaging API' }).first().click();
	await page.getByTestId('node-credentials-select').click();
	const option = page.getByRole('option').filter({ hasText: credential.name, visible: true });
	await option.first().click();
	await screenshot('other-endpoints');
	await editor.execute();
	// The local API has no such endpoint; without the key it would say 401.
	await output.getByText('could not be found').filter({ visible: true }).first().waitFor();
	expect(api.calls.map(({ answeredStatus }) => answeredStatus)).toEqual([404]);
});

test('the Custom API Call in the list of operations leads to HTTP Request', async () => {
	const { credential, editor } = opened();
	await editor.show(actionWorkflow(credential, {}), NODE);
	await editor.choose('operation', 'Custom API Call');
	await editor.page.getByTestId('node-parameters').getByText('HTTP Request').first().waitFor();
	expect(await editor.field('to').count()).toBe(0);
});

test('what an agent is told of a tool is there to read, and follows the operation', async () => {
	const { credential, editor } = opened();
	const workflow = agentWorkflow(credential, credential, {});
	// The agent has the name of the tool on itself, at the connection.
	const nodes = workflow.nodes.filter(({ name }) => name === 'Tool');
	await editor.show({ ...workflow, nodes, connections: {} }, 'Tool');
	const told = async () => await editor.input('toolDescription').inputValue();
	expect(await told()).toMatch(/Each message costs money and reaches a person/);
	expect(await editor.field('descriptionType').count()).toBe(0);
	await editor.choose('operation', 'Get Status');
	await editor.field('messageId').waitFor();
	expect(await told()).toMatch(/^Look up/);
});
