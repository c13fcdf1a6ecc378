import { randomUUID } from 'node:crypto';
import type { Workflow } from '../../playground/n8n/rest/workflows.ts';

/** The action node behind a manual trigger. */
export function actionWorkflow(
	credential: { id: string; name: string },
	parameters: Record<string, unknown>,
): Workflow {
	return {
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
				name: 'Business Messaging',
				type: 'n8n-nodes-business-messaging.businessMessaging',
				typeVersion: 1,
				position: [220, 0],
				parameters: { resource: 'message', ...parameters },
				credentials: { businessMessagingApi: { id: credential.id, name: credential.name } },
			},
		],
		connections: { Start: { main: [[{ node: 'Business Messaging', type: 'main', index: 0 }]] } },
		settings: { executionOrder: 'v1' },
	};
}
