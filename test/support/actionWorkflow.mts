import { randomUUID } from 'node:crypto';
import { chain } from '../../playground/n8n/chain.mts';
import type { Workflow, WorkflowNode } from '../../playground/n8n/rest/workflows.mts';
import { ACTION, CREDENTIAL } from '../../playground/n8n/typeNames.mts';
import { inTheirFields } from './inTheirFields.mts';

/** The action node behind a manual trigger. */
export function actionWorkflow(
	{ id, name }: { id: string; name: string },
	parameters: Record<string, unknown>,
	settings: Partial<WorkflowNode> = {},
): Workflow {
	return chain(`Run ${randomUUID()}`, {
		Start: { type: 'n8n-nodes-base.manualTrigger' },
		'Business Messaging': {
			type: ACTION,
			parameters: inTheirFields({ resource: 'message', ...parameters }),
			credentials: { [CREDENTIAL]: { id, name } },
			...settings,
		},
	});
}

/** Run by hand, it sends a message to each of these items, one after the other. */
export function sendingEach(
	credential: { id: string; name: string },
	items: object[],
	parameters: Record<string, unknown> = {},
	settings: Partial<WorkflowNode> = {},
): Workflow {
	const sending = {
		operation: 'sendTemplate',
		to: '={{ $json.to }}',
		templateName: 'order_update',
		variablesInput: 'none',
		options: { concurrency: 1, requestsPerMinute: 0 },
		...parameters,
	};
	const workflow = actionWorkflow(credential, sending, settings);
	return { ...workflow, pinData: { Start: items.map((json) => ({ json: { ...json } })) } };
}
