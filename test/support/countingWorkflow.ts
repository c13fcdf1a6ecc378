import { randomUUID } from 'node:crypto';
import type { Workflow } from '../../playground/n8n/rest/workflows.ts';

/** The trigger, and one request to the counter for each run, which names the event's message. */
export function countingWorkflow(
	counterUrl: string,
	credential: { id: string; name: string },
): Workflow {
	const id = randomUUID();
	return {
		name: `Count ${id}`,
		nodes: [
			{
				id,
				name: 'Trigger',
				type: 'n8n-nodes-business-messaging.businessMessagingTrigger',
				typeVersion: 1,
				position: [0, 0],
				webhookId: id,
				parameters: { events: ['message.delivered', 'message.read'] },
				credentials: { businessMessagingApi: { id: credential.id, name: credential.name } },
			},
			{
				id: randomUUID(),
				name: 'Count',
				type: 'n8n-nodes-base.httpRequest',
				typeVersion: 4.2,
				position: [200, 0],
				parameters: {
					method: 'POST',
					url: `=${counterUrl}/{{ $json.data.message_id }}`,
					options: {},
				},
			},
		],
		connections: { Trigger: { main: [[{ node: 'Count', type: 'main', index: 0 }]] } },
		settings: { executionOrder: 'v1' },
	};
}
