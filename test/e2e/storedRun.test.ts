import { startLocalApi, type LocalApi } from '../../playground/api/server.ts';
import { REFUSALS } from '../../playground/api/wellKnown.ts';
import { saveAccount } from '../../playground/n8n/account.ts';
import { actionWorkflow } from '../support/actionWorkflow.ts';
import { runOnce } from '../support/manualRun.ts';
import { n8nUnderTest, type N8nUnderTest } from '../support/n8nUnderTest.ts';

const ITEMS = 1000;
const { recipient: REFUSED } = REFUSALS[REFUSALS.length - 1];

let n8n: N8nUnderTest;
let api: LocalApi;

beforeAll(async () => {
	n8n = await n8nUnderTest();
	api = await startLocalApi({ requestsPerWindow: 0 });
});

afterAll(async () => {
	await api?.close();
});

/** What n8n stores of a run with so many items, the last of which goes to this number. */
async function storedWithLast(to: string, options: object = {}) {
	const credential = await saveAccount(n8n, 'Stored', { baseUrl: api.url });
	const rows = Array.from({ length: ITEMS }, (_, row) => ({
		to: row === ITEMS - 1 ? to : `+1415555${1000 + row}`,
		name: `Customer ${row}`,
		order: `A-${10_000 + row}`,
	}));
	const workflow = actionWorkflow(credential, {
		operation: 'sendTemplate',
		to: '={{ $json.to }}',
		templateName: 'order_shipped',
		variablesInput: 'templateText',
		templateText: 'Hi {{1}}, your order {{2}} is on its way.',
		variable1: '={{ $json.name }}',
		variable2: '={{ $json.order }}',
		options: { concurrency: 50, requestsPerMinute: 0, ...options },
	});
	const pinData = { Start: rows.map((json) => ({ json })) };
	const { id, status } = await runOnce(n8n, { ...workflow, pinData });
	return { status, stored: await n8n.client.executions.stored(id) };
}

// SECURITY, What is stored: the results of what a failed run had sent
test('the memory for Retry keeps a failed run below twice the size of one that went well, which has none', async () => {
	const well = await storedWithLast('+14155559999');
	expect(well.status).toBe('success');
	expect(well.stored).not.toContain('sentMessages');
	const failed = await storedWithLast(REFUSED);
	expect(failed.status).toBe('error');
	expect(failed.stored).toContain('sentMessages');
	expect(failed.stored.length).toBeLessThan(2 * well.stored.length);
});

test('the fields of the input in the output add a little to each item, and not the fields once more', async () => {
	const [without, included] = [
		await storedWithLast('+14155559999'),
		await storedWithLast('+14155559999', { includeInputFields: true }),
	].map(({ stored }) => stored.length);
	expect(included - without).toBeLessThan(ITEMS * 20);
});
