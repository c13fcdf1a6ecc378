import { eventually } from '../../../playground/eventually.mts';
import { sendingEach } from '../../support/actionWorkflow.mts';
import { editorOfFile } from '../../support/editorOfFile.mts';
import { customersOf, messagesByCustomer } from '../../support/sendOnceSheet.mts';

const NODE = 'Business Messaging';
const REFUSED = ['+12025550126', '+12025550147', '+12025550150'];
const opened = editorOfFile('Go on');

// README, Top: no campaign stops at one row; docs/sending.md: to go on with the rows that were sent
test('a campaign with refused rows reaches all others, and goes on as its error says', async () => {
	const { n8n, editor, api, credential } = opened();
	const { page } = editor;
	api.settings.requestsPerWindow = 0;
	const customers = customersOf(60);
	const rows = [...customers.slice(0, 20), ...REFUSED, ...customers.slice(20)].map((to) => ({
		to,
	}));
	const options = { concurrency: 10, requestsPerMinute: 0 };
	const { id } = await n8n.client.workflows.save(sendingEach(credential, rows, { options }));

	async function ended(status: string, after?: string) {
		return await eventually('the end of the run', async () => {
			const [newest] = await n8n.client.executions.list(id, 1);
			return newest?.id !== after && newest?.status === status ? newest : undefined;
		});
	}

	await editor.openWorkflow(id);
	await page.getByTestId('execute-workflow-button').click();
	const first = await ended('error');
	await editor.openNode(NODE);
	await editor.output.getByText(/^3 of 63 items failed, the first is item 20, row 21/).waitFor();
	const says = await editor.output.innerText();
	await editor.screenshot('go-on-error');
	const [onError, retry] = [...says.matchAll(/"((?:Continue|Retry)[^"]*)"/g)].map(
		([, label]) => label,
	);

	await page.getByTestId('ndv').getByText('Settings', { exact: true }).click();
	await editor.choose('onError', onError);
	await editor.screenshot('go-on-setting');
	await editor.closeNode();
	await page.keyboard.press('ControlOrMeta+S');
	await page.goto(`${n8n.url}/workflow/${id}/executions/${first.id}`);
	await page.getByTestId('execution-preview-retry-button').click();
	await page.getByRole('menuitem', { name: retry }).click();
	await editor.screenshot('go-on-retry');
	const second = await ended('success', first.id);

	const [sent, , failed] = second.data.resultData.runData[NODE][0].data?.main ?? [];
	expect([sent?.length, failed?.map(({ json }) => json.to)]).toEqual([60, REFUSED]);
	expect(messagesByCustomer(api)).toEqual(new Map(customers.map((to) => [to, 1])));
});
