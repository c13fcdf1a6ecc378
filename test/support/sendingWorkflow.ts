import { randomUUID } from 'node:crypto';
import { chain } from '../../playground/n8n/chain.ts';
import type { Workflow } from '../../playground/n8n/rest/workflows.ts';

/** Sends a message for each of the `rows` that its webhook gets, with nothing set but what must be. */
export function sendingWorkflow(credential: { id: string; name: string }): Workflow {
	const path = randomUUID();
	return chain(`Sending ${path}`, {
		Webhook: {
			type: 'n8n-nodes-base.webhook',
			typeVersion: 2.1,
			webhookId: path,
			parameters: { httpMethod: 'POST', path, responseMode: 'onReceived' },
		},
		Rows: {
			type: 'n8n-nodes-base.splitOut',
			parameters: { fieldToSplitOut: 'body.rows', options: {} },
		},
		Send: {
			type: 'n8n-nodes-business-messaging.businessMessaging',
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
	});
}
