import { startLocalApi, type LocalApi } from '../../playground/api/server.ts';
import { eventually } from '../../playground/eventually.ts';
import { saveAccount } from '../../playground/n8n/account.ts';
import { publish } from '../../playground/n8n/publish.ts';
import { outputOf, type Execution } from '../../playground/n8n/rest/executions.ts';
import { askingWorkflow } from '../support/askingWorkflow.ts';
import { n8nUnderTest, type N8nUnderTest } from '../support/n8nUnderTest.ts';
import { answer, linksIn, look, nextLink } from '../support/questionPage.ts';

let n8n: N8nUnderTest;
let api: LocalApi;
let credential: { id: string; name: string };

beforeAll(async () => {
	n8n = await n8nUnderTest();
});

beforeEach(async () => {
	api = await startLocalApi();
	credential = await saveAccount(n8n, 'Asking', { baseUrl: api.url });
});

afterEach(async () => await api.close());

async function ask(parameters: object = {}) {
	const { saved, address } = await publish(n8n, askingWorkflow(credential, parameters));
	await fetch(address, { method: 'POST' });
	const link = await nextLink(api);
	const run = async (status: Execution['status']) =>
		await eventually(`the run to be ${status}`, async () => {
			const [execution] = await n8n.client.executions.list(saved.id, 1);
			return execution?.status === status ? execution : undefined;
		});
	await run('waiting');
	return { link, run };
}

test('a customer opens the link and presses a button, and the workflow goes on with the answer', async () => {
	const { link, run } = await ask();
	const page = await look(link);
	expect(page).toMatchObject({ status: 200, heading: 'A question for you' });
	expect(page.html).toContain('May we deliver on Friday?');
	await run('waiting');

	expect(await answer(link, { choice: '0' })).toMatchObject({ status: 200, heading: 'Thank you' });
	const execution = await run('success');
	expect(outputOf(execution, 'After')).toEqual([
		{
			approved: true,
			respondedAt: expect.stringMatching(/^\d{4}-/),
			message: expect.objectContaining({ status: 'sent', template_name: 'delivery_question' }),
		},
	]);
	expect(linksIn(api)).toHaveLength(1);
	expect(api.calls.flatMap(({ violations }) => violations)).toEqual([]);
});
