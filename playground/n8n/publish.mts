import type { N8nClient } from './client.mts';
import type { SavedWorkflow, Workflow } from './rest/workflows.mts';
import { TRIGGER } from './typeNames.mts';

const WEBHOOK = 'n8n-nodes-base.webhook';
const WITH_A_WEBHOOK = [TRIGGER, WEBHOOK];

/** Saves and publishes a workflow that begins with the trigger or a Webhook node. @returns its production URL, which answers */
export async function publish(
	{ url, client }: { url: string; client: Pick<N8nClient, 'workflows'> },
	workflow: Workflow,
): Promise<{ saved: SavedWorkflow; address: string }> {
	const saved = await client.workflows.save(workflow);
	await client.workflows.publish(saved);
	const address = webhookUrl(url, saved);
	await client.workflows.waitForWebhook(address, methodOf(saved));
	return { saved, address };
}

/** The production URL of a workflow's trigger, or of its Webhook node, without the token. */
export function webhookUrl(n8nUrl: string, workflow: Workflow): string {
	const trigger = workflow.nodes.find(({ type }) => WITH_A_WEBHOOK.includes(type));
	if (!trigger?.webhookId) throw new Error(`"${workflow.name}" has no trigger.`);
	const { type, webhookId, parameters } = trigger;
	// Our trigger's path is below the ID, a Webhook node has a path of its own, or the ID.
	const path = type === TRIGGER ? `${webhookId}/webhook` : parameters.path || webhookId;
	return `${n8nUrl}/webhook/${String(path)}`;
}

/** A Webhook node waits for GET, unless it says otherwise. */
function methodOf({ nodes }: Workflow): string {
	const webhook = nodes.find(({ type }) => type === WEBHOOK);
	return webhook ? String(webhook.parameters.httpMethod ?? 'GET') : 'POST';
}

export function withToken(url: string, secret: string): string {
	return `${url}?token=${encodeURIComponent(secret)}`;
}
