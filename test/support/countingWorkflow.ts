import { randomUUID } from 'node:crypto';
import type { Workflow, WorkflowNode } from '../../playground/n8n/rest/workflows.ts';
import { triggerWorkflow } from './triggerWorkflow.ts';

interface CredentialId {
	id: string;
	name: string;
}

/** The trigger, and one request to the counter for each run, which names the event's message. */
export function countingWorkflow(counterUrl: string, credential: CredentialId): Workflow {
	const workflow = triggerWorkflow(
		{ events: ['message.delivered', 'message.read'], authentication: 'secretToken' },
		credential,
	);
	return counting(workflow.name, workflow.nodes[0], `${counterUrl}/{{ $json.data.message_id }}`);
}

/** The same with n8n's own Webhook node. @param token n8n's credential for a header */
export function countingWebhookNode(counterUrl: string, token: CredentialId): Workflow {
	const id = randomUUID();
	const webhook = {
		id,
		name: 'Webhook',
		type: 'n8n-nodes-base.webhook',
		typeVersion: 2.1,
		position: [0, 0] as [number, number],
		webhookId: id,
		credentials: { httpHeaderAuth: token },
		parameters: {
			httpMethod: 'POST',
			path: id,
			authentication: 'headerAuth',
			responseMode: 'onReceived',
		},
	};
	return counting(`Webhook ${id}`, webhook, `${counterUrl}/{{ $json.body.data.message_id }}`);
}

function counting(name: string, first: WorkflowNode, address: string): Workflow {
	return {
		name,
		nodes: [
			first,
			{
				id: randomUUID(),
				name: 'Count',
				type: 'n8n-nodes-base.httpRequest',
				typeVersion: 4.2,
				position: [200, 0],
				parameters: { method: 'POST', url: `=${address}`, options: {} },
			},
		],
		connections: { [first.name]: { main: [[{ node: 'Count', type: 'main', index: 0 }]] } },
		settings: { executionOrder: 'v1' },
	};
}
