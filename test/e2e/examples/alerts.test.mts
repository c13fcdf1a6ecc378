import { randomUUID } from 'node:crypto';
import { eventually } from '../../../playground/eventually.mts';
import { chain } from '../../../playground/n8n/chain.mts';
import { exampleRuns, send } from '../../support/exampleRuns.mts';
import { itemsOf } from '../../support/examples.mts';
import { webhookNode } from '../../support/nativeNodes.mts';

const examples = exampleRuns();
const NO_STOCK = {
	type: 'n8n-nodes-base.stopAndError',
	parameters: { errorMessage: 'No stock' },
};

test('error-alert: a workflow that fails twice within an hour gives one message', async () => {
	const { n8n } = examples();
	const alert = await examples().publish(await examples().ready('error-alert'));
	const failing = chain(`Failing ${randomUUID()}`, { Called: webhookNode(), Fail: NO_STOCK });
	const settings = { ...failing.settings, errorWorkflow: alert.id };
	const workflow = { ...failing, settings };
	const { address } = await examples().live(workflow);
	const alerts = async (count: number) =>
		await eventually(`${count} alerts`, async () => {
			const ended = await n8n.client.executions.count(alert.id);
			return ended === count && (await n8n.client.executions.list(alert.id));
		});
	await fetch(address, { method: 'POST' });
	await alerts(1);
	await fetch(address, { method: 'POST' });
	const [second, first] = await alerts(2);
	expect(examples().calls().sent).toEqual([
		send('+12025550161', 'workflow_failed', { 1: workflow.name, 2: 'No stock' }),
	]);
	expect(itemsOf(first, 'Alert')).toEqual([expect.objectContaining({ status: 'sent' })]);
	expect(itemsOf(second, 'Alert')).toEqual([expect.objectContaining({ sentBefore: true })]);
});
