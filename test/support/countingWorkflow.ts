import { chain, type NodeSettings } from '../../playground/n8n/chain.ts';
import type { Workflow } from '../../playground/n8n/rest/workflows.ts';
import { guardedWebhookNode } from './nativeNodes.ts';
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
	const webhook = guardedWebhookNode(token);
	const name = `Webhook ${webhook.webhookId}`;
	return counting(name, webhook, `${counterUrl}/{{ $json.body.data.message_id }}`);
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
