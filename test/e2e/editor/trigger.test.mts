import { saveAccount } from '../../../playground/n8n/account.mts';
import { webhookUrl, withToken } from '../../../playground/n8n/publish.mts';
import { editorOfFile } from '../../support/editorOfFile.mts';
import { triggerWorkflow } from '../../support/triggerWorkflow.mts';
import { incomingWith } from '../../support/webhookEvents.mts';

const SECRET = 'a-long-random-text';
const NO_SECRET = 'The credential has no Webhook Secret. Enter one, or set Authentication to None.';
const opened = editorOfFile('Trigger in the editor', { webhookSecret: SECRET });

async function post(url: string, body: string): Promise<number> {
	const headers = { 'content-type': 'application/json' };
	return (await fetch(url, { method: 'POST', headers, body })).status;
}

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

// docs/trigger.md: while the editor listens
test('a test event without the token ends the listening, and the panel says what to do; one after which a chosen event comes leaves it listening', async () => {
	const { n8n, credential, editor } = opened();
	const { page, field, output } = editor;
	const events = ['message.incoming', 'message.delivered'];
	const workflow = triggerWorkflow({ events, authentication: 'secretToken' }, credential);
	const testUrl = webhookUrl(n8n.url, workflow).replace('/webhook/', '/webhook-test/');
	const postEvent = async (event: string) =>
		await post(withToken(testUrl, SECRET), incomingWith({ event }).body);
	// The stack trace below it has the same words.
	const shown = async (text: string) => await output.getByText(text).first().waitFor();
	await editor.show(workflow, 'Trigger');
	await listen();
	expect(await post(testUrl, '{}')).toBe(401);
	await shown('The test event was refused: the token is missing');
	await shown('must call the Test URL with ?token= and the Webhook Secret');

	await listen();
	expect(await postEvent('message.sent')).toBe(200);
	expect(await postEvent('message.delivered')).toBe(200);
	await shown('message.delivered');
	await page.getByTestId('trigger-listening').waitFor({ state: 'detached' });

	// Beside the secret, which it has.
	await page.getByTestId('credential-edit-button').click();
	await field('previousWebhookSecret').waitFor();
});

// SECURITY, The trigger: fails closed
test('with a credential that has no webhook secret, listening and publishing say so', async () => {
	const { n8n, editor } = opened();
	const { page, field } = editor;
	const credential = await saveAccount(n8n, 'Without a secret', { webhookSecret: '' });
	const trigger = { events: ['message.read'], authentication: 'secretToken' as const };
	const workflow = triggerWorkflow(trigger, credential);
	const id = await editor.show(workflow, 'Trigger');
	await editor.execute();
	expect(await editor.notification('Problem running workflow')).toContain(NO_SECRET);
	await page.getByTestId('credential-edit-button').click();
	await field('webhookSecret').waitFor();
	expect(await field('previousWebhookSecret').count()).toBe(0);

	await editor.openWorkflow(id);
	await page.getByTestId('workflow-open-publish-modal-button').click();
	await page.getByRole('dialog').getByRole('button', { name: 'Publish', exact: true }).click();
	expect(await editor.notification('Workflow could not be published')).toContain(NO_SECRET);
});
