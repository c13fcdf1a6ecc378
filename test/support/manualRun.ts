import { randomUUID } from 'node:crypto';
import { eventually } from '../../playground/eventually.ts';
import type { Execution } from '../../playground/n8n/rest/executions.ts';
import type { N8nUnderTest } from './n8nUnderTest.ts';

/** Runs the action node once, as the editor's button does. */
export async function runActionNode(
	{ client }: N8nUnderTest,
	credential: { id: string; name: string },
	parameters: Record<string, unknown>,
): Promise<Execution> {
	const { id } = await client.workflows.save({
		name: `Run ${randomUUID()}`,
		nodes: [
			{
				id: randomUUID(),
				name: 'Start',
				type: 'n8n-nodes-base.manualTrigger',
				typeVersion: 1,
				position: [0, 0],
				parameters: {},
			},
			{
				id: randomUUID(),
				name: 'Node',
				type: 'n8n-nodes-business-messaging.businessMessaging',
				typeVersion: 1,
				position: [200, 0],
				parameters: { resource: 'message', ...parameters },
				credentials: { businessMessagingApi: { id: credential.id, name: credential.name } },
			},
		],
		connections: { Start: { main: [[{ node: 'Node', type: 'main', index: 0 }]] } },
		settings: { executionOrder: 'v1' },
	});
	await client.workflows.run(id, 'Start');
	return await eventually('the manual run', async () => {
		const [execution] = await client.executions.list(id);
		return ['success', 'error'].includes(execution?.status) ? execution : undefined;
	});
}
