import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { projectFolder } from '../folders.ts';
import type { Workflow } from '../n8n/rest/workflows.ts';

const CREDENTIAL = 'businessMessagingApi';
export const PACKAGE = 'n8n-nodes-business-messaging.';
const TRIGGER = `${PACKAGE}businessMessagingTrigger`;
const WEBHOOK_NODE = 'n8n-nodes-base.webhook';

export const customerTable = {
	name: 'Customers',
	columns: ['submission_id', 'name', 'phone', 'interest'],
};

export async function readExample(name: string): Promise<Workflow> {
	const file = join(projectFolder, 'examples', `${name}.json`);
	return JSON.parse(await readFile(file, 'utf8')) as Workflow;
}

/** As the editor does it when the user chooses a credential in one of the nodes. */
export function withCredential(
	workflow: Workflow,
	{ id, name }: { id: string; name: string },
): Workflow {
	const nodes = workflow.nodes.map((node) =>
		node.type.startsWith(PACKAGE) ? { ...node, credentials: { [CREDENTIAL]: { id, name } } } : node,
	);
	return { ...workflow, nodes };
}

/** An example as the user makes it ready for use: with their credential, and nothing pinned. */
export async function loadWorkflow(
	name: 'auto-reply' | 'form-to-crm',
	credential: { id: string; name: string },
): Promise<Workflow> {
	return { ...withCredential(await readExample(name), credential), pinData: {} };
}

/** The production URL of a workflow's trigger, or of its Webhook node, without the token. */
export function webhookUrl(n8nUrl: string, workflow: Workflow): string {
	const trigger = workflow.nodes.find(({ type }) => type === TRIGGER || type === WEBHOOK_NODE);
	if (!trigger?.webhookId) throw new Error(`"${workflow.name}" has no trigger.`);
	// A path of its own, or below the node's ID the one of the node's description.
	const path = trigger.parameters.path ?? `${trigger.webhookId}/webhook`;
	return `${n8nUrl}/webhook/${String(path)}`;
}

export function withToken(url: string, secret: string): string {
	return `${url}?token=${encodeURIComponent(secret)}`;
}
