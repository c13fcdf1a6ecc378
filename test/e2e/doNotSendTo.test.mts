import { chain } from '../../playground/n8n/chain.mts';
import { outputOf } from '../../playground/n8n/rest/executions.mts';
import { ACTION, CREDENTIAL } from '../../playground/n8n/typeNames.mts';
import { editorOfFile } from '../support/editorOfFile.mts';
import { runOnce } from '../support/manualRun.mts';

const NODE = 'Send';
const [ASHA, BEN, CLEO] = ['+12025550111', '+12025550112', '+12025550113'];

const opened = editorOfFile('Lists');

/** Sends to all customers, behind a node that has the list. */
type Row = Record<string, unknown>;

function workflowWith(customers: Row[], optOuts: Row[], options: object) {
	const workflow = chain('Lists', {
		Start: { type: 'n8n-nodes-base.manualTrigger' },
		'Opt-outs': { type: 'n8n-nodes-base.noOp' },
		Customers: { type: 'n8n-nodes-base.noOp' },
		[NODE]: {
			type: ACTION,
			credentials: { [CREDENTIAL]: opened().credential },
			parameters: {
				resource: 'message',
				operation: 'sendTemplate',
				to: '={{ $json.to }}',
				templateName: 'order_update',
				variablesInput: 'none',
				options,
				expertOptions: { requestsPerMinute: 0 },
			},
		},
	});
	const asItems = (rows: Row[]) => rows.map((json) => ({ json }));
	const pinData = { 'Opt-outs': asItems(optOuts), Customers: asItems(customers) };
	return { ...workflow, pinData };
}

// docs/sending.md: a list of all items of a node, and a time for each item
test('who is in the list of another node gets nothing, nor does whose time is over', async () => {
	const { n8n, api } = opened();
	const options = {
		doNotSendTo: "={{ $('Opt-outs').all().map((row) => row.json.phone) }}",
		sendUntil: { time: { end: 'dateTime', dateTime: '={{ $json.until }}' } },
	};
	const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();
	const customers = [
		{ to: ASHA, until: inHours(1) },
		{ to: BEN, until: inHours(1) },
		{ to: CLEO, until: inHours(-1) },
	];
	const optOuts = [{ phone: '001 (202) 555-0112' }, { phone: 12025550199 }];
	const execution = await runOnce(n8n, workflowWith(customers, optOuts, options));
	expect(outputOf(execution, NODE)).toMatchObject([{ to: ASHA, status: 'sent' }]);
	expect(outputOf(execution, NODE, 1)).toEqual([
		{ skipped: 'optedOut', to: BEN },
		{ skipped: 'tooLate', to: CLEO },
	]);
	expect(api.calls).toHaveLength(1);
});

// docs/sending.md: a column that is dragged means all rows
test.each([
	['phone', "$('Opt-outs').item.json.phone"],
	['phone number', "$('Opt-outs').item.json['phone number']"],
])('a column %j that is dragged into the field is the whole list', async (column, written) => {
	const { api, editor } = opened();
	const { page } = editor;
	const customers = [ASHA, BEN, CLEO].map((to) => ({ to }));
	// Behind each other, so that no customer is beside their own number.
	const optOuts = ['+12025550199', '', '001 (202) 555-0113', 12025550112].map((phone) => ({
		[column]: phone,
	}));
	await editor.show(workflowWith(customers, optOuts, { doNotSendTo: '' }), NODE);
	await page.getByTestId('run-data-schema-header').filter({ hasText: 'Opt-outs' }).click();
	await page.getByTestId('run-data-schema-item').locator(`[data-name="${column}"]`).hover();
	await page.mouse.down();
	const { x, y, width, height } = (await editor.field('doNotSendTo').boundingBox())!;
	await page.mouse.move(x + width / 2, y + height / 2, { steps: 20 });
	await page.mouse.up();
	await editor.field('doNotSendTo').getByText(written).waitFor();
	await editor.screenshot('dragged');
	await editor.execute();
	await editor.output.getByText('The list of Do Not Send To has 3 numbers').waitFor();
	expect(api.calls.map(({ body }) => (body as { to: string }).to)).toEqual([ASHA]);
});
