import { randomUUID } from 'node:crypto';
import { chain } from '../../playground/n8n/chain.mts';
import type { Workflow } from '../../playground/n8n/rest/workflows.mts';
import { ACTION, CREDENTIAL } from '../../playground/n8n/typeNames.mts';
import { ROWS, webhookNode } from './nativeNodes.mts';

/** Sends a message for each of the `rows` that its webhook gets, with nothing set but what must be. */
export function sendingWorkflow(credential: { id: string; name: string }): Workflow {
	return chain(`Sending ${randomUUID()}`, {
		Webhook: webhookNode(),
		Rows: ROWS,
		Send: {
			type: ACTION,
			credentials: { [CREDENTIAL]: credential },
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
