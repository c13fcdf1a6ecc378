import { CUSTOMER, DEVELOPMENT_KEY, START_PLAN_KEY } from '../../../playground/api/wellKnown.mts';
import { eventually } from '../../../playground/eventually.mts';
import { chain } from '../../../playground/n8n/chain.mts';
import { actionWorkflow, sendingEach } from '../../support/actionWorkflow.mts';
import { editorOfFile } from '../../support/editorOfFile.mts';

const NODE = 'Business Messaging';
const opened = editorOfFile('Action in the editor');

// README, Credentials: n8n tests it
test('a key is entered from within the node: a wrong one is explained, the right one accepted', async () => {
	const { api, credential, editor } = opened();
	const { page, input } = editor;
	const dialog = page.getByTestId('credential-edit-dialog');
	const tryKey = async (apiKey: string) => {
		await input('apiKey').fill(apiKey);
		const tested = page.waitForResponse((response) => response.url().endsWith('/credentials/test'));
		// The editor takes no click while it is still busy with the key before.
		do await page.getByTestId('credential-save-button').click();
		while (!(await Promise.race([tested, page.waitForTimeout(3000)])));
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
	await tryKey(START_PLAN_KEY);
	await expectRefused("Your account's plan has no API access.");
	// n8n closes the dialog of a new credential that works.
	await tryKey(DEVELOPMENT_KEY);
	await dialog.waitFor({ state: 'hidden' });
	await page.getByTestId('credential-edit-button').click();
	await dialog.getByText('Connection tested successfully').waitFor();
});

// docs/sending.md: one expression in place of all options
test('an option that is added replaces an expression in place of all options', async () => {
	const { api, credential, editor } = opened();
	const options = '={{ { spendingLimit: 0 } }}';
	await editor.show(sendingEach(credential, [{ to: CUSTOMER }], { options }), NODE);
	await editor.execute();
	const refused = editor.output.getByTestId('node-error-message');
	await refused.getByText('n8n ignores one expression, text or list').waitFor();
	await editor.addOption('Dry Run');
	await editor.execute();
	await editor.output.getByText('Dry run: nothing was sent').waitFor();
	expect(api.messages.size).toBe(0);
});

// README, Quick start
test('a dry run runs nothing behind Sent, and the canvas shows that it is one', async () => {
	const { api, n8n, credential, editor } = opened();
	const { page, node, output } = editor;
	const rows = [0, 1, 2].map((row) => ({ to: `+1415555${1000 + row}` }));
	const { name, nodes, pinData } = sendingEach(credential, rows);
	const [Start, action] = nodes;
	const Mark = { type: 'n8n-nodes-base.noOp' };
	const id = await editor.show({ ...chain(name, { Start, [NODE]: action, Mark }), pinData }, NODE);
	await editor.addOption('Dry Run');
	await editor.closeNode();
	await node(NODE).getByText('Dry run: order_update').waitFor();
	await page.getByTestId('execute-workflow-button').click();
	const { runData } = await eventually('the end of the run', async () => {
		const [execution] = await n8n.client.executions.list(id, 1);
		return execution?.status === 'success' ? execution.data.resultData : undefined;
	});
	expect(runData.Mark).toBeUndefined();
	expect(api.messages.size).toBe(0);
	await editor.openNode(NODE);
	const costs = 'Dry run: nothing was sent. 3 messages would cost about INR 0.345.';
	await output.getByText(`${costs} To send, turn off Dry Run under Options.`).waitFor();
	await output.getByText('Skipped Branch (3 items)').waitFor();
});

// docs/sending.md: under Options
test('the hours and the cap are filled in when they are added, and the output says what they held back', async () => {
	const { api, credential, editor } = opened();
	const { page, input, field, choose, execute, output } = editor;
	const rows = [{ to: CUSTOMER }, { to: CUSTOMER }];
	const workflow = sendingEach(credential, rows, { category: 'marketing' });
	await editor.show(workflow, NODE);
	await editor.addOption('Frequency Cap');
	const amount = (name: string) => field(name).getByRole('spinbutton').inputValue();
	expect([await amount('messages'), await amount('period')]).toEqual(['1', '24']);
	await execute();
	await output.getByText('1 skipped: too soon after another message to the number').waitFor();
	for (const label of ['Sent', 'Skipped']) {
		await output.getByText(`${label} Branch (1 item)`).waitFor();
	}
	expect(api.messages.size).toBe(1);

	await editor.addOption('Send Between');
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
	await execute();
	await output.getByText('2 skipped: outside the hours of Send Between').waitFor();
	expect(api.messages.size).toBe(1);
});
