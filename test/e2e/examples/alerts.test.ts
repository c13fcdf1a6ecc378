import { randomUUID } from 'node:crypto';
import { eventually } from '../../../playground/eventually.ts';
import { exampleRuns, send } from '../../support/exampleRuns.ts';
import { itemsOf } from '../../support/examples.ts';

const examples = exampleRuns();

/** A workflow that fails whenever its URL is called. */
function failing(errorWorkflow: string) {
	const path = randomUUID();
	return {
		name: `Failing ${path}`,
		nodes: [
			{
				id: randomUUID(),
				name: 'Called',
				type: 'n8n-nodes-base.webhook',
				typeVersion: 2.1,
				position: [0, 0] as [number, number],
				parameters: { httpMethod: 'POST', path, options: {} },
				webhookId: path,
			},
			{
				id: randomUUID(),
				name: 'Fail',
				type: 'n8n-nodes-base.stopAndError',
				typeVersion: 1,
				position: [200, 0] as [number, number],
				parameters: { errorMessage: 'No stock' },
			},
		],
		connections: { Called: { main: [[{ node: 'Fail', type: 'main', index: 0 }]] } },
		settings: { executionOrder: 'v1', errorWorkflow },
	};
}

test('error-alert: a workflow that fails twice within an hour gives one message', async () => {
	const { n8n } = examples();
	const alert = await examples().publish(await examples().ready('error-alert'));
	const workflow = failing(alert.id);
	const { id, address } = await examples().live(workflow);
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
	expect(itemsOf(second, 'Alert')).toEqual([
		{ skipped: 'sentBefore', key: expect.stringContaining(`${id} `) },
	]);
});
