import { randomUUID } from 'node:crypto';
import { eventually } from '../../../playground/eventually.ts';
import { saveAccount } from '../../../playground/n8n/account.ts';
import { webhookUrl } from '../../../playground/n8n/publish.ts';
import type { Workflow, WorkflowNode } from '../../../playground/n8n/rest/workflows.ts';
import { openEditor, type Editor } from '../../support/editor.ts';
import { n8nUnderTest, type N8nUnderTest } from '../../support/n8nUnderTest.ts';
import { triggerWorkflow, type TriggerParameters } from '../../support/triggerWorkflow.ts';
import { incomingWith } from '../../support/webhookEvents.ts';

// A browser starts slowly on a machine that is busy.
jest.setTimeout(180_000);

const JSON_BODY = { 'content-type': 'application/json' };
const NO_SECRET = 'The credential has no Webhook Secret. Enter one, or set Authentication to None.';

let n8n: N8nUnderTest;
let editor: Editor;

beforeAll(async () => {
	n8n = await n8nUnderTest();
	editor = await openEditor(n8n);
});

afterAll(async () => {
	await editor?.close();
});

async function openTrigger(webhookSecret: string, options = {}) {
	const credential = await saveAccount(n8n, `In the editor ${webhookSecret}`, { webhookSecret });
	const { id } = await n8n.client.workflows.save(
		triggerWorkflow(
			{ events: ['message.read'], authentication: 'secretToken', options },
			credential,
		),
	);
	await editor.openWorkflow(id);
}

async function publish(): Promise<void> {
	const { page } = editor;
	await page.getByTestId('workflow-open-publish-modal-button').click();
	await page.getByRole('dialog').getByRole('button', { name: 'Publish', exact: true }).click();
}

async function refusedPublishing(): Promise<string> {
	await publish();
	return await editor.notification('Workflow could not be published');
}

test('after publishing, n8n says which URL the dashboard must have', async () => {
	await openTrigger('aLongRandomSecretOfLettersAndDigits');
	await publish();
	const said = editor.page.getByRole('dialog').getByText('Your dashboard must have that URL');
	await said.waitFor();
	await editor.screenshot('trigger-published');
});

// SECURITY, The trigger: fails closed
describe('with a credential that has no webhook secret', () => {
	beforeEach(async () => {
		await openTrigger('');
	});

	test('listening for a test event says so', async () => {
		await editor.openNode('Trigger');
		await editor.execute();
		expect(await editor.notification('Problem running workflow')).toContain(NO_SECRET);
	});

	test('publishing says so, after the tries that n8n makes', async () => {
		expect(await refusedPublishing()).toContain(NO_SECRET);
	});
});

test('publishing with a wrong IP allowlist says which entry is wrong', async () => {
	await openTrigger('secret', { ipAllowlist: '203.0.113.7, everywhere' });
	expect(await refusedPublishing()).toContain(
		'The IP allowlist has an entry that is no address: "everywhere". Use addresses such as',
	);
});

// README, React to customers: choosing other events moves no connection
test('an event that is not chosen any more leaves the connections of the others alone', async () => {
	const { page, output, openNode, closeNode, choose, screenshot } = editor;
	const parameters = { events: ['message.incoming', 'message.failed'], authentication: 'none' };
	const workflow = triggerWorkflow({ ...parameters, outputMode: 'perEvent' } as TriggerParameters);
	const { id } = await n8n.client.workflows.save(connectFailed(workflow));
	await editor.openWorkflow(id);
	await openNode('Trigger');
	await choose('events', 'Message Received');
	// The list of events stays open.
	await page.keyboard.press('Escape');
	await closeNode();
	const outputs = page.getByTestId('canvas-node-output-handle');
	await outputs.filter({ hasText: 'Off: Received' }).waitFor();
	const off = ['Off: Received', 'Off: Sent', 'Off: Delivered', 'Off: Read'];
	expect((await outputs.allInnerTexts()).slice(0, 5)).toEqual([...off, 'Failed']);
	await screenshot('trigger-outputs');

	await openNode('Customer not reached');
	await editor.execute();
	const testUrl = webhookUrl(n8n.url, workflow).replace('/webhook/', '/webhook-test/');
	const { body } = incomingWith({ event: 'message.failed' });
	await eventually('the editor listens', async () => {
		const answer = await fetch(testUrl, { method: 'POST', headers: JSON_BODY, body });
		return answer.ok || undefined;
	});
	await output.getByText('message.failed').first().waitFor();
	await screenshot('trigger-failed-event');
});

function connectFailed(workflow: Workflow): Workflow {
	const name = 'Customer not reached';
	const node: WorkflowNode = {
		id: randomUUID(),
		name,
		type: 'n8n-nodes-base.noOp',
		typeVersion: 1,
		position: [400, 0],
		parameters: {},
	};
	const main = [[], [], [], [], [{ node: name, type: 'main', index: 0 }]];
	return { ...workflow, nodes: [...workflow.nodes, node], connections: { Trigger: { main } } };
}
