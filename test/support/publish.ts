import { webhookUrl } from '../../playground/demo/workflows.ts';
import type { N8nClient } from '../../playground/n8n/client.ts';
import type { Workflow } from '../../playground/n8n/rest/workflows.ts';

/** Saves and publishes a workflow that begins with the trigger. @returns its production URL, which answers */
export async function publish(
	{ url, client }: { url: string; client: Pick<N8nClient, 'workflows'> },
	workflow: Workflow,
): Promise<{ id: string; address: string }> {
	const saved = await client.workflows.save(workflow);
	await client.workflows.publish(saved);
	const address = webhookUrl(url, saved);
	await client.workflows.waitForWebhook(address);
	return { id: saved.id, address };
}
