import { CUSTOMER } from '../api/wellKnown.mts';
import { chain } from './chain.mts';
import type { Workflow } from './rest/workflows.mts';
import { ACTION, CREDENTIAL } from './typeNames.mts';

export const QUESTION = 'May we bring your blue kettle on Friday?';

/** Asks the customer as soon as somebody opens the address of its Webhook, and goes on with the answer. */
export function questionWorkflow(credential: { id: string; name: string }): Workflow {
	return chain('A question and its answer', {
		Order: {
			type: 'n8n-nodes-base.webhook',
			typeVersion: 2.1,
			webhookId: 'b3f3f7a2-6c0e-4c0f-9d2e-2d3f0f6a9c11',
			parameters: { path: 'ask', responseMode: 'onReceived' },
		},
		Ask: {
			type: ACTION,
			credentials: { [CREDENTIAL]: credential },
			parameters: {
				resource: 'message',
				operation: 'sendAndWait',
				to: CUSTOMER,
				templateName: 'delivery_question',
				category: 'utility',
				templateText: 'Hi {{1}}, we have a question about your order: {{2}}',
				variable1: 'Asha',
				variable2: '[link]',
				message: QUESTION,
			},
		},
		Answer: { type: 'n8n-nodes-base.noOp' },
	});
}
