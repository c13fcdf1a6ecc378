import { randomUUID } from 'node:crypto';
import { chain, type NodeSettings } from '../../playground/n8n/chain.ts';
import type { Workflow } from '../../playground/n8n/rest/workflows.ts';
import { triggerWorkflow } from './triggerWorkflow.ts';

interface CredentialId {
	id: string;
	name: string;
}

/** The trigger, and one request to the counter for each run, which names the event's message. */
export function countingWorkflow(counterUrl: string, credential: CredentialId): Workflow {
	const { name, nodes } = triggerWorkflow(
		{ events: ['message.delivered', 'message.read'], authentication: 'secretToken' },
		credential,
	);
	return counting(name, nodes[0], `${counterUrl}/{{ $json.data.message_id }}`);
}

/** The same with n8n's own Webhook node. @param token n8n's credential for a header */
export function countingWebhookNode(counterUrl: string, token: CredentialId): Workflow {
	const path = randomUUID();
	const webhook = {
		type: 'n8n-nodes-base.webhook',
		typeVersion: 2.1,
		webhookId: path,
		credentials: { httpHeaderAuth: token },
		parameters: {
			httpMethod: 'POST',
			path,
			authentication: 'headerAuth',
			responseMode: 'onReceived',
		},
	};
	return counting(`Webhook ${path}`, webhook, `${counterUrl}/{{ $json.body.data.message_id }}`);
}

function counting(name: string, receiver: NodeSettings, address: string): Workflow {
	return chain(name, {
		Receiver: { ...receiver, name: 'Receiver' },
		Count: {
			type: 'n8n-nodes-base.httpRequest',
			typeVersion: 4.2,
			parameters: { method: 'POST', url: `=${address}`, options: {} },
		},
	});
}
