import { eventually } from '../../../playground/eventually.mts';
import { chain } from '../../../playground/n8n/chain.mts';
import { sendingEach } from '../../support/actionWorkflow.mts';
import { editorOfFile } from '../../support/editorOfFile.mts';
import { customersOf, messagesByCustomer } from '../../support/sendOnceSheet.mts';

const NODE = 'Business Messaging';
const REFUSED = ['+12025550126', '+12025550147', '+12025550150'];
const opened = editorOfFile('Campaigns');

beforeAll(() => {
	opened().api.settings.requestsPerWindow = 0;
});

/** The next execution of the workflow, once it is this. */
async function ended(id: string, status: string, after?: string) {
	return await eventually('the end of the run', async () => {
		const [run] = await opened().n8n.client.executions.list(id, 1);
		return run && run.id !== after && run.status === status && run;
	});
}

// README, Top: no campaign stops at one row; docs/sending.md: to go on with the rows that were sent
test('a campaign with refused rows reaches all others, and goes on as its error says', async () => {
	const { n8n, editor, api, credential } = opened();
	const { page } = editor;
	const customers = customersOf(60);
	const all = [...customers.slice(0, 20), ...REFUSED, ...customers.slice(20)];
	const options = { concurrency: 10, requestsPerMinute: 0 };
	const rows = all.map((to) => ({ to }));
	const { id } = await n8n.client.workflows.save(sendingEach(credential, rows, { options }));

	await editor.openWorkflow(id);
	await page.getByTestId('execute-workflow-button').click();
	const first = await ended(id, 'error');
	await editor.openNode(NODE);
	await editor.output.getByText(/^3 of 63 items failed, the first is item 20, row 21/).waitFor();
	const says = await editor.output.innerText();
	const [onError, retry] = [...says.matchAll(/"((?:Continue|Retry)[^"]*)"/g)].map(
		([, label]) => label,
	);

	await page.getByTestId('ndv').getByText('Settings', { exact: true }).click();
	await editor.choose('onError', onError);
	await editor.closeNode();
	await page.keyboard.press('ControlOrMeta+S');
	await page.goto(`${n8n.url}/workflow/${id}/executions/${first.id}`);
	await page.getByTestId('execution-preview-retry-button').click();
	await page.getByRole('menuitem', { name: retry }).click();
	const second = await ended(id, 'success', first.id);

	const [sent, , failed] = second.data.resultData.runData[NODE][0].data?.main ?? [];
	expect([sent?.length, failed?.map(({ json }) => json.to)]).toEqual([60, REFUSED]);
	expect(messagesByCustomer(api)).toEqual(new Map(customers.map((to) => [to, 1])));
});

// docs/sending.md: a column that is dragged means all rows
test('a column that is dragged into the field is the whole list', async () => {
	const { api, editor, credential } = opened();
	const { page, field } = editor;
	const [asha, ben, cleo] = ['+12025550111', '+12025550112', '+12025550113'];
	const sending = sendingEach(credential, [], { options: { doNotSendTo: '' } });
	const [start, send] = sending.nodes;
	const noOp = { type: 'n8n-nodes-base.noOp' };
	const workflow = chain('Lists', {
		Start: start,
		'Opt-outs': noOp,
		Customers: noOp,
		[NODE]: { ...send, position: [660, 0] },
	});
	// Behind each other, so that no customer is beside their own number.
	const optOuts = ['+12025550199', '', '001 (202) 555-0113', 12025550112];
	const pinData = {
		'Opt-outs': optOuts.map((phone) => ({ json: { 'phone number': phone } })),
		Customers: [asha, ben, cleo].map((to) => ({ json: { to } })),
	};
	await editor.show({ ...workflow, pinData }, NODE);
	await page.getByTestId('run-data-schema-header').filter({ hasText: 'Opt-outs' }).click();
	await page.getByTestId('run-data-schema-item').locator('[data-name="phone number"]').hover();
	await page.mouse.down();
	const { x, y, width, height } = (await field('doNotSendTo').boundingBox())!;
	await page.mouse.move(x + width / 2, y + height / 2, { steps: 20 });
	await page.mouse.up();
	await field('doNotSendTo').getByText("$('Opt-outs').item.json['phone number']").waitFor();
	await editor.execute();
	await editor.output.getByText('The list of Do Not Send To has 3 numbers').waitFor();
	expect(api.calls.map(({ body }) => (body as { to: string }).to)).toEqual([asha]);
});
