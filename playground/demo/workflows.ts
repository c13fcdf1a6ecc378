import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { projectFolder } from '../folders.ts';
import type { Workflow } from '../n8n/rest/workflows.ts';

const CREDENTIAL = 'businessMessagingApi';
const TRIGGER = 'n8n-nodes-business-messaging.businessMessagingTrigger';

export const customerTable = {
	name: 'Customers',
	columns: ['submission_id', 'name', 'phone', 'interest'],
};

/** A demo workflow with its nodes' credential filled in, as the user does after an import. */
export async function loadWorkflow(
	fileName: 'auto-reply' | 'form-to-crm',
	credential: { id: string; name: string },
): Promise<Workflow> {
	const file = join(projectFolder, 'playground', 'workflows', `${fileName}.json`);
	const workflow = JSON.parse(await readFile(file, 'utf8')) as Workflow;
	for (const node of workflow.nodes) {
		const { id, name } = credential;
		if (node.credentials?.[CREDENTIAL]) node.credentials[CREDENTIAL] = { id, name };
	}
	return workflow;
}

/** The production URL of a workflow's trigger, without the token. */
export function webhookUrl(n8nUrl: string, workflow: Workflow): string {
	const trigger = workflow.nodes.find(({ type }) => type === TRIGGER);
	if (!trigger?.webhookId) throw new Error(`"${workflow.name}" has no trigger.`);
	return `${n8nUrl}/webhook/${trigger.webhookId}/webhook`;
}

export function withToken(url: string, secret: string): string {
	return `${url}?token=${encodeURIComponent(secret)}`;
}
