import type { IExecuteFunctions, IWebhookFunctions } from 'n8n-workflow';

/*
 * n8n's engine v2, which a workflow's setting `engineType` chooses (since n8n 2.38): it never calls a
 * trigger's execute(), and its executions cannot wait.
 */

/**
 * Whether the setting is on. In n8n 2.38 it counts for runs by hand only: execute() is called after
 * webhook() all the same.
 */
export function isSetToEngineV2(context: IWebhookFunctions): boolean {
	// Not there in older n8n.
	return context.getWorkflowSettings?.().engineType === 'v2';
}

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** Engine v2 hides the workflow's settings from a node that it runs. Its execution IDs are UUIDs, others are numbers. */
export function runsInEngineV2(context: IExecuteFunctions): boolean {
	return UUID.test(context.getExecutionId());
}
