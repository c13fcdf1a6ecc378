import { chain } from '../../playground/n8n/chain.mts';
import { ACTION, CREDENTIAL } from '../../playground/n8n/typeNames.mts';
import { editorOfFile } from '../support/editorOfFile.mts';

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

// docs/sending.md: a column that is dragged means all rows
test('a column that is dragged into the field is the whole list', async () => {
	const column = 'phone number';
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
	await editor.field('doNotSendTo').getByText("$('Opt-outs').item.json['phone number']").waitFor();
	await editor.screenshot('dragged');
	await editor.execute();
	await editor.output.getByText('The list of Do Not Send To has 3 numbers').waitFor();
	expect(api.calls.map(({ body }) => (body as { to: string }).to)).toEqual([ASHA]);
});
