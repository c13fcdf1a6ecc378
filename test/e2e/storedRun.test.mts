import { REFUSALS } from '../../playground/api/wellKnown.mts';
import { accountOfFile } from '../support/accountOfFile.mts';
import { sendingEach } from '../support/actionWorkflow.mts';
import { runOnce } from '../support/manualRun.mts';

const ITEMS = 1000;
const { recipient: REFUSED } = REFUSALS[REFUSALS.length - 1];

const file = accountOfFile('Stored', { requestsPerWindow: 0 });

/** What n8n stores of a run with so many items, the last of which goes to this number. */
async function storedWithLast(to: string) {
	const { n8n, credential } = file;
	const rows = Array.from({ length: ITEMS }, (_, row) => ({
		to: row === ITEMS - 1 ? to : `+1415555${1000 + row}`,
		name: `Customer ${row}`,
		order: `A-${10_000 + row}`,
	}));
	const workflow = sendingEach(credential, rows, {
		variablesInput: 'templateText',
		templateText: 'Hi {{1}}, your order {{2}} is on its way.',
		variable1: '={{ $json.name }}',
		variable2: '={{ $json.order }}',
		options: { concurrency: 50, requestsPerMinute: 0 },
	});
	const { id, status } = await runOnce(n8n, workflow);
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
