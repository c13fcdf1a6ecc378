import { randomUUID } from 'node:crypto';
import type { NodeSettings } from '../../playground/n8n/chain.mts';
import type { SavedWorkflow } from '../../playground/n8n/rest/workflows.mts';

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

/** The same with values for the fields of its trigger, as the editor stores them. */
export function callWith(
	{ id, nodes }: Pick<SavedWorkflow, 'id' | 'nodes'>,
	value: Record<string, string>,
): NodeSettings {
	const trigger = nodes.find(({ type }) => type === CALLED.type)!;
	const { values } = trigger.parameters.workflowInputs as { values: Array<{ name: string }> };
	const field = { required: false, display: true };
	const schema = values.map((each) => ({
		...field,
		...each,
		id: each.name,
		displayName: each.name,
	}));
	const whatever = { attemptToConvertTypes: false, convertFieldsToString: true };
	const mapping = { mappingMode: 'defineBelow', value, matchingColumns: [], schema };
	const call = callNode(id);
	const parameters = { ...call.parameters, workflowInputs: { ...mapping, ...whatever } };
	return { ...call, typeVersion: 1.4, parameters };
}
