import type { IExecuteFunctions, IWebhookFunctions } from 'n8n-workflow';

// n8n's engine v2, a preview since 2.38: it calls no trigger's execute(), and its executions can't wait.

/** Whether the workflow chooses engine v2. n8n 2.38 takes it for runs by hand only, whatever the workflow chooses. */
export function isSetToEngineV2(context: IWebhookFunctions): boolean {
	// Not there in older n8n.
	return context.getWorkflowSettings?.().engineType === 'v2';
}

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

/**
 * Whether engine v2 runs the node. It hides the workflow's settings from nodes, but its execution IDs
 * are UUIDs; all others are numbers.
 */
export function runsInEngineV2(context: IExecuteFunctions): boolean {
	return UUID.test(context.getExecutionId());
}
