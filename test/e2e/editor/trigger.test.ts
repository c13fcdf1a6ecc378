import { startLocalApi, type LocalApi } from '../../../playground/api/server.ts';
import { saveAccount } from '../../../playground/n8n/account.ts';
import { webhookUrl, withToken } from '../../../playground/n8n/publish.ts';
import { openEditor, type Editor } from '../../support/editor.ts';
import { n8nUnderTest } from '../../support/n8nUnderTest.ts';
import { openPhonePage } from '../../support/phonePage.ts';
import { triggerWorkflow } from '../../support/triggerWorkflow.ts';
import { incomingWith } from '../../support/webhookEvents.ts';

// A browser starts slowly on a machine that is busy.
jest.setTimeout(180_000);

const SECRET = 'a long random text';

let api: LocalApi;
let editor: Editor;
let productionUrl: string;

beforeAll(async () => {
	api = await startLocalApi();
	const n8n = await n8nUnderTest();
	const credential = await saveAccount(n8n, 'Trigger in the editor', {
		baseUrl: api.url,
		webhookSecret: SECRET,
	});
	const workflow = triggerWorkflow(
		{ events: ['message.incoming', 'message.delivered'], authentication: 'secretToken' },
		credential,
	);
	productionUrl = webhookUrl(n8n.url, workflow);
	editor = await openEditor(n8n, { workflow, node: 'Trigger' });
});

afterAll(async () => {
	await editor?.close();
	await api?.close();
});

test('the steps to connect it stand at its top, with both URLs to copy', async () => {
	const { page, screenshot } = editor;
	const steps = page.getByTestId('node-parameters').getByRole('listitem');
	expect(await steps.count()).toBe(4);
	await page.getByText('Webhook URLs', { exact: true }).click();
	await page.getByText('Production URL', { exact: true }).click();
	await page.getByText(productionUrl).waitFor();
	await page.getByText('Test URL', { exact: true }).click();
	await page.getByText(testUrl()).waitFor();
	await screenshot('trigger-set-up');
});

// README, React to customers: while the editor listens
test('a test event without the token ends the listening, and the panel says what to do', async () => {
	const { output, screenshot } = editor;
	// The stack trace below it has the same words.
	const shown = (text: string) => output.getByText(text).first();
	await listen();
	const answer = await fetch(testUrl(), { method: 'POST', body: '{}' });
	expect(answer.status).toBe(401);
	await shown('The test event was refused: the token is missing or wrong').waitFor();
	await shown('must call the Test URL with ?token= and the Webhook Secret').waitFor();
	await screenshot('trigger-refused');
});

// README, React to customers: while the editor listens
test('a test event that is not chosen ends the listening as well, and the panel says so', async () => {
	const { output, screenshot } = editor;
	await listen();
	expect(await postEvent('message.read')).toBe(200);
	await output
		.getByText(
			'The test event was ignored: "message.read" is not among the events under Trigger On',
		)
		.first()
		.waitFor();
	await screenshot('trigger-ignored');
});

test('one after which a chosen event comes leaves it listening for that', async () => {
	const { page, output } = editor;
	await listen();
	expect(await postEvent('message.sent')).toBe(200);
	expect(await postEvent('message.delivered')).toBe(200);
	await output.getByText('message.delivered').first().waitFor();
	await page.getByTestId('trigger-listening').waitFor({ state: 'detached' });
});

test('a message that is written on the phone arrives in the panel', async () => {
	const { page, output, screenshot } = editor;
	await listen();
	await screenshot('trigger-listening');

	api.webhookUrls = [withToken(testUrl(), SECRET)];
	const phone = await openPhonePage(page.context().browser()!, api);
	await phone.write('Is the blue kettle still in stock?');
	await output.getByText('Is the blue kettle still in stock?').waitFor();
	await screenshot('trigger-event');
	await phone.close();
});

/** The editor may still take in the end of the last run, which then ends a new listening as well. */
async function listen() {
	const { page } = editor;
	const listening = page.getByTestId('trigger-listening');
	for (let clicks = 0; clicks < 5; clicks++) {
		await page.getByTestId('trigger-execute-button').click();
		await listening.waitFor({ timeout: 20_000 }).catch(() => undefined);
		await page.waitForTimeout(2000);
		if (await listening.isVisible()) return;
	}
	throw new Error('The editor does not listen for a test event');
}

async function postEvent(event: string) {
	const answer = await fetch(withToken(testUrl(), SECRET), {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		...incomingWith({ event }),
	});
	return answer.status;
}

function testUrl() {
	return productionUrl.replace('/webhook/', '/webhook-test/');
}
