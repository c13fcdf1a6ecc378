import type { N8nClient } from '../n8n/client.ts';
import type { SavedWorkflow, Workflow } from '../n8n/rest/workflows.ts';
import { webhookUrl } from './workflows.ts';

/** Saves and publishes a workflow that begins with the trigger. @returns its production URL, which answers */
export async function publish(
	{ url, client }: { url: string; client: Pick<N8nClient, 'workflows'> },
	workflow: Workflow,
): Promise<{ saved: SavedWorkflow; address: string }> {
	const saved = await client.workflows.save(workflow);
	await client.workflows.publish(saved);
	const address = webhookUrl(url, saved);
	await client.workflows.waitForWebhook(address);
	return { saved, address };
}
