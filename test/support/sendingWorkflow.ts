import { randomUUID } from 'node:crypto';
import type { Workflow } from '../../playground/n8n/rest/workflows.ts';

/** Sends a message for each of the `rows` that its webhook gets, with nothing set but what must be. */
export function sendingWorkflow(credential: { id: string; name: string }): Workflow {
	const id = randomUUID();
	const chain = [
		{
			name: 'Webhook',
			type: 'n8n-nodes-base.webhook',
			typeVersion: 2.1,
			webhookId: id,
			parameters: { httpMethod: 'POST', path: id, responseMode: 'onReceived' },
		},
		{
			name: 'Rows',
			type: 'n8n-nodes-base.splitOut',
			typeVersion: 1,
			parameters: { fieldToSplitOut: 'body.rows', options: {} },
		},
		{
			name: 'Send',
			type: 'n8n-nodes-business-messaging.businessMessaging',
			typeVersion: 1,
			credentials: { businessMessagingApi: credential },
			parameters: {
				resource: 'message',
				operation: 'sendTemplate',
				to: '={{ $json.to }}',
				templateName: 'order_update',
				category: 'utility',
				variablesInput: 'none',
			},
		},
	];
	const to = (node: string) => ({ main: [[{ node, type: 'main', index: 0 }]] });
	return {
		name: `Sending ${id}`,
		nodes: chain.map((node, index) => ({
			id: randomUUID(),
			position: [200 * index, 0],
			...node,
		})),
		connections: { Webhook: to('Rows'), Rows: to('Send') },
		settings: { executionOrder: 'v1' },
	};
}
