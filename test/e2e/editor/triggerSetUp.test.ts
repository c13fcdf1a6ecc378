import { saveAccount } from '../../../playground/n8n/account.ts';
import { openEditor, type Editor } from '../../support/editor.ts';
import { n8nUnderTest, type N8nUnderTest } from '../../support/n8nUnderTest.ts';
import { triggerWorkflow } from '../../support/triggerWorkflow.ts';

// A browser starts slowly on a machine that is busy.
jest.setTimeout(180_000);

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

async function refusedPublishing(): Promise<string> {
	const { page, notification } = editor;
	await page.getByTestId('workflow-open-publish-modal-button').click();
	await page.getByRole('dialog').getByRole('button', { name: 'Publish', exact: true }).click();
	return await notification('Workflow could not be published');
}

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

// README, React to customers: a later event adds an output behind the others
test('the outputs have the names of their events, in the order of choosing', async () => {
	const { page, openNode, closeNode, choose, screenshot } = editor;
	await openTrigger('secret');
	await openNode('Trigger');
	await choose('events', '[All]', 'Message Received', 'Form Submitted');
	// The list of events stays open.
	await page.keyboard.press('Escape');
	await choose('outputMode', 'One Output per Event');
	await closeNode();
	const outputs = page.getByTestId('canvas-node-output-handle');
	await outputs.filter({ hasText: 'Other' }).waitFor();
	expect(await outputs.allInnerTexts()).toEqual(['Read', 'Other', 'Received', 'Submitted']);
	await screenshot('trigger-outputs');
});
