import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startLocalApi, type LocalApi } from '../../../playground/api/server.mts';
import { CUSTOMER, DEVELOPMENT_KEY, START_PLAN_KEY } from '../../../playground/api/wellKnown.mts';
import { eventually } from '../../../playground/eventually.mts';
import { saveAccount } from '../../../playground/n8n/account.mts';
import { chain } from '../../../playground/n8n/chain.mts';
import { publish } from '../../../playground/n8n/publish.mts';
import { outputOf, type Execution } from '../../../playground/n8n/rest/executions.mts';
import { actionWorkflow, sendingEach } from '../../support/actionWorkflow.mts';
import { openEditor, type Editor } from '../../support/editor.mts';
import { editorOfFile } from '../../support/editorOfFile.mts';
import { runOnce } from '../../support/manualRun.mts';
import { n8nOfThisWorker } from '../../support/n8nUnderTest.mts';
import { ROWS, webhookNode } from '../../support/nativeNodes.mts';
import { postJson } from '../../support/postJson.mts';

const NODE = 'Business Messaging';
const INDIAN = '+919876543210';
const ZONE = 'Asia/Kolkata';
const opened = editorOfFile('Action in the editor');

/** Both are begun first and looked at last, because they take more than a minute. */
let slow: { api: LocalApi; editor: Editor; told: string[] };
let night: { api: LocalApi; opens: string; ended: Promise<Execution> };

beforeAll(async () => {
	const { n8n } = opened();
	const api = await startLocalApi({ latencyMs: 22_000 });
	const editor = await openEditor(n8n);
	const told: string[] = [];
	slow = { api, editor, told };
	editor.page.on('console', (message) => told.push(message.text()));
	const credential = await saveAccount(n8n, 'Slow in the editor', { baseUrl: api.url });
	const rows = [0, 1, 2].map((row) => ({ to: `+1415555${1000 + row}` }));
	await editor.show(sendingEach(credential, rows), NODE);
	await editor.execute();
	night = await beginNight();
});

/** Sends outside the hours, which open in 20 to 80 seconds, waits in a Wait node, and sends again. */
async function beginNight() {
	const { n8n } = opened();
	const api = await startLocalApi();
	const credential = await saveAccount(n8n, 'Night', { baseUrl: api.url });
	const timeOf = (ms: number) =>
		new Date(ms).toLocaleTimeString('en-GB', { timeZone: ZONE, timeStyle: 'short' });
	const opensAt = Date.now() + 80_000;
	const hours = { from: timeOf(opensAt), until: timeOf(opensAt + 3_600_000) };
	const sender = (timeZone: string) => {
		const options = { sendBetween: { hours: { ...hours, timeZone } } };
		const category = 'marketing';
		return sendingEach(credential, [{ to: INDIAN }], { category, options });
	};
	const { nodes, pinData } = sender('workflow');
	const workflow = chain(`Night ${randomUUID()}`, {
		Start: nodes[0],
		Night: { ...nodes[1], name: 'Night' },
		Wait: {
			type: 'n8n-nodes-base.wait',
			typeVersion: 1.1,
			webhookId: randomUUID(),
			parameters: { resume: 'specificTime', dateTime: '={{ $json.sendAfter }}' },
		},
		Morning: { ...sender('recipient').nodes[1], name: 'Morning' },
	});
	const connections = {
		...workflow.connections,
		Night: { main: [[], [{ node: 'Wait', type: 'main', index: 0 }]] },
	};
	const settings = { ...workflow.settings, timezone: ZONE };
	const ended = runOnce(n8n, { ...workflow, connections, settings, pinData }, 'Start', 180_000);
	ended.catch(() => undefined);
	return { api, opens: new Date(Math.floor(opensAt / 60_000) * 60_000).toISOString(), ended };
}

afterAll(async () => {
	await slow?.editor.close();
	await slow?.api.close();
	await night?.api.close();
});

// README, Credentials: n8n tests it
test('a key is entered from within the node: a wrong one is explained, the right one accepted', async () => {
	const { api, credential, editor } = opened();
	const { page, input, screenshot } = editor;
	const dialog = page.getByTestId('credential-edit-dialog');
	const tryKey = async (apiKey: string) => {
		await input('apiKey').fill(apiKey);
		let isTested = false;
		const tested = page.waitForResponse((response) => response.url().endsWith('/credentials/test'));
		void tested.then(() => (isTested = true));
		// The editor takes no click while it is still busy with the key before.
		while (!isTested) {
			await page.getByTestId('credential-save-button').click();
			await Promise.race([tested, page.waitForTimeout(3000)]);
		}
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

async function addOption({ page }: Editor, name: string) {
	await page.getByPlaceholder('Add option').click();
	await page.getByRole('option').filter({ hasText: name, visible: true }).first().click();
}

// docs/sending.md: one expression in place of all options
test('an option that is added replaces an expression in place of all options', async () => {
	const { api, credential, editor } = opened();
	const options = '={{ { spendingLimit: 0 } }}';
	await editor.show(sendingEach(credential, [{ to: CUSTOMER }], { options }), NODE);
	await editor.execute();
	const refused = editor.output.getByTestId('node-error-message');
	await refused.getByText('n8n ignores one expression, text or list').waitFor();
	await addOption(editor, 'Dry Run');
	await editor.execute();
	await editor.output.getByText('Dry run: nothing was sent').waitFor();
	expect(api.messages.size).toBe(0);
});

describe('a dry run', () => {
	const rows = [0, 1, 2].map((row) => ({ to: `+1415555${1000 + row}` }));

	function marksWhatWasSent(options: object = {}) {
		const [, action] = sendingEach(opened().credential, [], { options }).nodes;
		return chain(`Dry run ${randomUUID()}`, {
			Webhook: webhookNode(),
			Rows: ROWS,
			[NODE]: action,
			'Mark as sent': { type: 'n8n-nodes-base.noOp' },
		});
	}

	async function expectNothingSent(id: string): Promise<void> {
		const { api, n8n } = opened();
		const { runData } = await eventually('the end of the run', async () => {
			const [execution] = await n8n.client.executions.list(id, 1);
			return execution?.status === 'success' ? execution.data.resultData : undefined;
		});
		expect(runData['Mark as sent']).toBeUndefined();
		expect(runData[NODE][0].hints?.map(({ message }) => message)).toEqual([
			'Dry run: nothing was sent. 3 messages would cost about INR 0.345. To send, turn off Dry Run under Options.',
		]);
		expect(api.messages.size).toBe(0);
	}

	// README, Quick start
	test('runs nothing behind Sent, and the canvas shows that it is one', async () => {
		const { editor } = opened();
		const { page, node, output, screenshot } = editor;
		const pinData = { Webhook: [{ json: { body: { rows } } }] };
		const id = await editor.show({ ...marksWhatWasSent(), pinData }, NODE);
		await addOption(editor, 'Dry Run');
		await editor.closeNode();
		await node(NODE).getByText('Dry run: order_update').waitFor();
		await page.getByTestId('execute-workflow-button').click();
		await expectNothingSent(id);
		await screenshot('dry-run-canvas');
		await editor.openNode(NODE);
		await output.getByText('Dry run: nothing was sent.').waitFor();
		await output.getByText('Skipped Branch (3 items)').waitFor();
		await screenshot('dry-run-output');
	});

	test('that is left on in a published workflow is told there, too', async () => {
		const { saved, address } = await publish(opened().n8n, marksWhatWasSent({ dryRun: true }));
		await postJson(address, { rows });
		await expectNothingSent(saved.id);
	});
});

// docs/sending.md: under Options
test('the hours and the cap are filled in when they are added, and the output says what they held back', async () => {
	const { api, credential, editor } = opened();
	const { page, input, field, choose, execute, output, screenshot } = editor;
	const rows = [{ to: CUSTOMER }, { to: CUSTOMER }];
	const workflow = sendingEach(credential, rows, { category: 'marketing' });
	await editor.show(workflow, NODE);
	await addOption(editor, 'Frequency Cap');
	const amount = (name: string) => field(name).getByRole('spinbutton').inputValue();
	expect([await amount('messages'), await amount('period')]).toEqual(['1', '24']);
	await screenshot('held-back-cap');
	await execute();
	await output.getByText('1 skipped: too soon after another message to the number').waitFor();
	for (const label of ['Sent', 'Skipped']) {
		await output.getByText(`${label} Branch (1 item)`).waitFor();
	}
	expect(api.messages.size).toBe(1);

	await addOption(editor, 'Send Between');
	expect(await input('from').inputValue()).toBe('09:00');
	expect(await input('until').inputValue()).toBe('20:00');
	expect(await field('otherTimeZone').count()).toBe(0);
	await choose('timeZone', 'Other');
	await input('otherTimeZone').fill('UTC');
	const inAnHour = (hours: number) =>
		new Date(Date.now() + hours * 3_600_000).toISOString().slice(11, 16);
	await input('from').fill(inAnHour(1));
	await input('until').fill(inAnHour(2));
	await page.getByText('Send Between', { exact: true }).click();
	await screenshot('held-back-hours');
	await execute();
	await output.getByText('2 skipped: outside the hours of Send Between').waitFor();
	await screenshot('held-back-output');
	expect(api.messages.size).toBe(1);
});

// docs/good-to-know.md: each minute in the log and in the console of the browser
test('a run of more than a minute says how far it has come, in the log and in the console of the browser', async () => {
	const { editor, told } = slow;
	const sent = editor.output.getByText('3 messages sent, cost INR 0.345.');
	await sent.waitFor({ timeout: 90_000 });
	const line =
		/1 of 3 left\. About 3\d s to go, until \w{3} \d+ \w{3} \d{4}, [\d:]+ [\w/]+\. 2 of 3 messages were sent/;
	expect(told.filter((text) => line.test(text))).toEqual([
		expect.stringMatching(/^\[Node: "Business Messaging"\] 1 of 3 left/),
	]);
	const { url, userFolder } = n8nOfThisWorker();
	const log = readFileSync(join(userFolder, `start-${new URL(url).port}.log`), 'utf8');
	expect(log).toMatch(/Execution \d+, "Business Messaging": 1 of 3 left\./);
});

// docs/sending.md: for a Wait node
test('a message outside the hours is skipped, waits in a Wait node, and is then sent', async () => {
	const { opens, ended } = night;
	const execution = await ended;
	expect(outputOf(execution, 'Night', 1)).toEqual([
		{ skipped: 'quietHours', to: INDIAN, sendAfter: opens },
	]);
	const [sent] = outputOf(execution, 'Morning');
	expect(sent).toMatchObject({ to: INDIAN, status: 'sent' });
	expect(Date.parse(String(sent.sent_at))).toBeGreaterThanOrEqual(Date.parse(opens));
});
