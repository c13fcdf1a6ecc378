import { randomUUID } from 'node:crypto';
import { CUSTOMER } from '../../playground/api/wellKnown.mts';
import { chain, type NodeSettings } from '../../playground/n8n/chain.mts';
import type { Workflow } from '../../playground/n8n/rest/workflows.mts';
import { ACTION, CREDENTIAL } from '../../playground/n8n/typeNames.mts';
import { webhookNode } from './nativeNodes.mts';

/** A link in `{{2}}`, and what the page asks. */
export const ASK = {
	resource: 'message',
	operation: 'sendAndWait',
	to: CUSTOMER,
	templateName: 'delivery_question',
	category: 'utility',
	variablesInput: 'json',
	variablesJson: '{"1": "Asha", "2": "[link]"}',
	message: 'May we deliver on Friday?',
};

type Credential = { id: string; name: string };

export function askNode(credential: Credential, parameters: object = {}): NodeSettings {
	return {
		type: ACTION,
		credentials: { [CREDENTIAL]: credential },
		parameters: { ...ASK, ...parameters },
	};
}

/** Asks the customer, and goes on with the answer. */
export function askingWorkflow(
	credential: Credential,
	parameters: object = {},
	before: Record<string, NodeSettings> = {},
): Workflow {
	return chain(`Asking ${randomUUID()}`, {
		Webhook: webhookNode(),
		...before,
		Ask: askNode(credential, parameters),
		After: { type: 'n8n-nodes-base.noOp' },
	});
}
