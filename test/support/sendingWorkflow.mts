import { randomUUID } from 'node:crypto';
import { chain, type NodeSettings } from '../../playground/n8n/chain.mts';
import type { Workflow } from '../../playground/n8n/rest/workflows.mts';
import { ACTION, CREDENTIAL } from '../../playground/n8n/typeNames.mts';
import { inTheirFields } from './inTheirFields.mts';
import { ROWS, webhookNode } from './nativeNodes.mts';

/** Sends a message for each of the `rows` that its webhook gets, with nothing set but what must be, and what is given. */
export function sendingWorkflow(
	credential: { id: string; name: string },
	parameters: object = {},
	settings: Partial<NodeSettings> = {},
): Workflow {
	const sending = {
		resource: 'message',
		operation: 'sendTemplate',
		to: '={{ $json.to }}',
		templateName: 'order_update',
		category: 'utility',
		variablesInput: 'none',
		...parameters,
	};
	return chain(`Sending ${randomUUID()}`, {
		Hook: webhookNode(),
		Rows: ROWS,
		Send: {
			type: ACTION,
			credentials: { [CREDENTIAL]: credential },
			parameters: inTheirFields(sending),
			...settings,
		},
	});
}
