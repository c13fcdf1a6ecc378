import { randomUUID } from 'node:crypto';
import type { Workflow } from '../../playground/n8n/rest/workflows.ts';
import { triggerWorkflow } from './triggerWorkflow.ts';

/** The trigger, and one request to the counter for each run, which names the event's message. */
export function countingWorkflow(
	counterUrl: string,
	credential: { id: string; name: string },
): Workflow {
	const workflow = triggerWorkflow(
		{ events: ['message.delivered', 'message.read'], authentication: 'secretToken' },
		credential,
	);
	return {
		...workflow,
		nodes: [
			...workflow.nodes,
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
	};
}
