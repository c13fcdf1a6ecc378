import { randomUUID } from 'node:crypto';
import type { NodeSettings } from '../../playground/n8n/chain.mts';

/** n8n's own webhook. @param parameters what else is set, such as when it answers */
export function webhookNode(parameters: Record<string, unknown> = {}): NodeSettings {
	const path = randomUUID();
	return {
		type: 'n8n-nodes-base.webhook',
		typeVersion: 2.1,
		webhookId: path,
		parameters: { httpMethod: 'POST', path, responseMode: 'onReceived', ...parameters },
	};
}

/** The same, open only to those who send a header. @param token n8n's credential for it */
export function guardedWebhookNode(token: { id: string; name: string }): NodeSettings {
	return {
		...webhookNode({ authentication: 'headerAuth' }),
		credentials: { httpHeaderAuth: token },
	};
}

/** An item for each of the `rows` that a webhook got. */
export const ROWS: NodeSettings = {
	type: 'n8n-nodes-base.splitOut',
	parameters: { fieldToSplitOut: 'body.rows', options: {} },
};

/** The start of a workflow that others call. */
export const CALLED: NodeSettings = {
	type: 'n8n-nodes-base.executeWorkflowTrigger',
	typeVersion: 1.1,
	parameters: { inputSource: 'passthrough' },
};

/** Calls a workflow, and waits for its end unless told not to. */
export function callNode(id: string, waitForSubWorkflow = true): NodeSettings {
	const workflowId = { __rl: true, mode: 'id', value: id };
	const parameters = { workflowId, options: { waitForSubWorkflow } };
	return { type: 'n8n-nodes-base.executeWorkflow', typeVersion: 1.2, parameters };
}
