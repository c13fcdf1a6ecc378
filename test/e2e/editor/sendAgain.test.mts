import { eventually } from '../../../playground/eventually.mts';
import { sendingEach } from '../../support/actionWorkflow.mts';
import { appears } from '../../support/browser.mts';
import { editorOfFile } from '../../support/editorOfFile.mts';
import { customersOf, messagesByCustomer } from '../../support/sendOnceSheet.mts';

const NODE = 'Business Messaging';
const opened = editorOfFile('Send again');

// docs/send-once.md: send again on purpose
test('twelve checked customers of three hundred get the message again, and nobody else', async () => {
	const { n8n, editor, api, credential } = opened();
	const { page } = editor;
	api.settings.requestsPerWindow = 0;
	const customers = customersOf(300);
	const rows = customers.map((to, row) => ({ to, orderNumber: `A-${row}` }));
	const sendOnceKey = '=order-{{ $json.orderNumber }}-shipped';
	const options = { sendOnceKey, concurrency: 50, requestsPerMinute: 0 };
	const { id } = await n8n.client.workflows.save(sendingEach(credential, rows, { options }));

	async function execute(): Promise<void> {
		const newest = async () => (await n8n.client.executions.list(id, 1)).at(0);
		const before = await newest();
		await page.getByTestId('execute-workflow-button').click();
		await eventually('the end of the run', async () => {
			const run = await newest();
			return run?.id !== before?.id && run?.status === 'success';
		});
	}

	await editor.openWorkflow(id);
	await execute();
	expect(api.messages.size).toBe(300);

	await page.getByTestId('edge').first().hover({ force: true });
	await page.getByTestId('add-connection-button').click();
	await page.getByTestId('node-creator-search-bar').fill('Filter');
	await page.getByTestId('node-creator').getByText('Filter', { exact: true }).first().click();
	await page.getByTestId('node-parameters').waitFor();
	const checked = JSON.stringify(rows.slice(100, 112).map(({ orderNumber }) => orderNumber));
	const condition = page.getByTestId('filter-condition-left').getByRole('textbox');
	await editor.paste(condition, `{{ ${checked}.includes($json.orderNumber) }}`);
	await page.getByTestId('filter-operator-select').click();
	await page.getByText('Boolean', { exact: true }).hover();
	await page.getByText('is true', { exact: true }).click();
	// The editor takes over a condition a moment after it was entered: until then the Filter keeps all.
	await eventually('twelve rows', async () => {
		await editor.execute();
		return await appears(editor.output.getByText('Kept (12 items)'), 2000);
	});
	await editor.screenshot('send-again-filter');
	await editor.closeNode();

	await editor.openNode(NODE);
	await editor.field('sendOnceKey').getByRole('textbox').click();
	await page.keyboard.press('End');
	await page.keyboard.type('-2');
	// n8n takes over what was typed a moment later, with the preview.
	await page.getByTestId('inline-expression-editor-output').getByText('shipped-2').waitFor();
	await editor.screenshot('send-again');
	await editor.closeNode();
	await execute();
	const twice = [...messagesByCustomer(api)].flatMap(([to, count]) => (count > 1 ? to : []));
	// They are sent at the same time, and arrive in any order.
	expect(twice.sort()).toEqual(customers.slice(100, 112));
	expect(api.messages.size).toBe(312);
});
