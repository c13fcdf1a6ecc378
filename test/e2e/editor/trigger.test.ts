import { randomUUID } from 'node:crypto';
import { eventually } from '../../../playground/eventually.ts';
import { saveAccount } from '../../../playground/n8n/account.ts';
import { webhookUrl, withToken } from '../../../playground/n8n/publish.ts';
import { editorOfFile } from '../../support/editorOfFile.ts';
import { triggerWorkflow, type TriggerParameters } from '../../support/triggerWorkflow.ts';
import { incomingWith } from '../../support/webhookEvents.ts';

const SECRET = 'a long random text';
const NO_SECRET = 'The credential has no Webhook Secret. Enter one, or set Authentication to None.';
const opened = editorOfFile('Trigger in the editor', { webhookSecret: SECRET });

async function post(url: string, body: string): Promise<number> {
	const headers = { 'content-type': 'application/json' };
	return (await fetch(url, { method: 'POST', headers, body })).status;
}

describe('in its panel', () => {
	let productionUrl: string;
	let testUrl: string;

	beforeAll(async () => {
		const { n8n, credential, editor } = opened();
		const events = ['message.incoming', 'message.delivered'];
		const workflow = triggerWorkflow({ events, authentication: 'secretToken' }, credential);
		productionUrl = webhookUrl(n8n.url, workflow);
		testUrl = productionUrl.replace('/webhook/', '/webhook-test/');
		await editor.show(workflow, 'Trigger');
	});

	/** The editor may still take in the end of the last run, which then ends a new listening as well. */
	async function listen() {
		const { page } = opened().editor;
		const listening = page.getByTestId('trigger-listening');
		for (let clicks = 0; clicks < 5; clicks++) {
			await page.getByTestId('trigger-execute-button').click();
			await listening.waitFor({ timeout: 20_000 }).catch(() => undefined);
			await page.waitForTimeout(2000);
			if (await listening.isVisible()) return;
		}
		throw new Error('The editor does not listen for a test event');
	}

	const postEvent = async (event: string) =>
		await post(withToken(testUrl, SECRET), incomingWith({ event }).body);

	test('the steps to connect it stand at its top, with both URLs to copy', async () => {
		const { page, screenshot } = opened().editor;
		const steps = page.getByTestId('node-parameters').getByRole('listitem');
		expect(await steps.count()).toBe(4);
		await page.getByText('Webhook URLs', { exact: true }).click();
		await page.getByText('Production URL', { exact: true }).click();
		await page.getByText(productionUrl).waitFor();
		await page.getByText('Test URL', { exact: true }).click();
		await page.getByText(testUrl).waitFor();
		await screenshot('trigger-set-up');
	});

	// docs/trigger.md: while the editor listens
	test('a test event without the token ends the listening, and the panel says what to do', async () => {
		const { output, screenshot } = opened().editor;
		// The stack trace below it has the same words.
		const shown = (text: string) => output.getByText(text).first();
		await listen();
		expect(await post(testUrl, '{}')).toBe(401);
		await shown('The test event was refused: the token is missing or wrong').waitFor();
		await shown('must call the Test URL with ?token= and the Webhook Secret').waitFor();
		await screenshot('trigger-refused');
	});

	// docs/trigger.md: while the editor listens
	test('a test event that is not chosen ends the listening as well, and the panel says so', async () => {
		await listen();
		expect(await postEvent('message.read')).toBe(200);
		const said = '"message.read" is not among the events under Trigger On';
		await opened().editor.output.getByText(`The test event was ignored: ${said}`).first().waitFor();
	});

	test('one after which a chosen event comes leaves it listening for that', async () => {
		const { page, output } = opened().editor;
		await listen();
		expect(await postEvent('message.sent')).toBe(200);
		expect(await postEvent('message.delivered')).toBe(200);
		await output.getByText('message.delivered').first().waitFor();
		await page.getByTestId('trigger-listening').waitFor({ state: 'detached' });
	});
});

async function openTrigger(webhookSecret: string) {
	const { n8n, editor } = opened();
	const credential = await saveAccount(n8n, `In the editor ${webhookSecret}`, { webhookSecret });
	const workflow = triggerWorkflow(
		{ events: ['message.read'], authentication: 'secretToken' },
		credential,
	);
	const { id } = await n8n.client.workflows.save(workflow);
	await editor.openWorkflow(id);
}

async function publish(): Promise<void> {
	const { page } = opened().editor;
	await page.getByTestId('workflow-open-publish-modal-button').click();
	await page.getByRole('dialog').getByRole('button', { name: 'Publish', exact: true }).click();
}

test('after publishing, n8n says which URL the dashboard must have', async () => {
	await openTrigger('aLongRandomSecretOfLettersAndDigits');
	await publish();
	const dialog = opened().editor.page.getByRole('dialog');
	await dialog.getByText('Your dashboard must have that URL').waitFor();
});

// SECURITY, The trigger: fails closed
test('with a credential that has no webhook secret, listening and publishing say so', async () => {
	const { editor } = opened();
	await openTrigger('');
	await publish();
	expect(await editor.notification('Workflow could not be published')).toContain(NO_SECRET);
	await openTrigger('');
	await editor.openNode('Trigger');
	await editor.execute();
	expect(await editor.notification('Problem running workflow')).toContain(NO_SECRET);
});

// docs/trigger.md: choosing other events moves no connection
test('an event that is not chosen any more leaves the connections of the others alone', async () => {
	const { n8n, editor } = opened();
	const { page, openNode, closeNode, choose } = editor;
	const parameters: TriggerParameters = {
		events: ['message.incoming', 'message.failed'],
		authentication: 'none',
		outputMode: 'perEvent',
	};
	const workflow = triggerWorkflow(parameters);
	const [trigger] = workflow.nodes;
	const name = 'Customer not reached';
	const type = 'n8n-nodes-base.noOp';
	const node = { id: randomUUID(), name, type, typeVersion: 1, parameters: {} };
	const nodes = [trigger, { ...node, position: [400, 0] as [number, number] }];
	const main = [[], [], [], [], [{ node: name, type: 'main', index: 0 }]];
	await editor.show({ ...workflow, nodes, connections: { Trigger: { main } } }, 'Trigger');
	await choose('events', 'Message Received');
	// The list of events stays open.
	await page.keyboard.press('Escape');
	await closeNode();
	const outputs = page.getByTestId('canvas-node-output-handle');
	await outputs.filter({ hasText: 'Off: Received' }).waitFor();
	const off = ['Off: Received', 'Off: Sent', 'Off: Delivered', 'Off: Read'];
	expect((await outputs.allInnerTexts()).slice(0, 5)).toEqual([...off, 'Failed']);
	await editor.screenshot('trigger-outputs');

	await openNode(name);
	await editor.execute();
	const testUrl = webhookUrl(n8n.url, workflow).replace('/webhook/', '/webhook-test/');
	const { body } = incomingWith({ event: 'message.failed' });
	await eventually('the editor listens', async () => (await post(testUrl, body)) === 200);
	await editor.output.getByText('message.failed').first().waitFor();
});
