import { chain } from '../../playground/n8n/chain.ts';
import type { Workflow } from '../../playground/n8n/rest/workflows.ts';
import { triggerWorkflow } from './triggerWorkflow.ts';

/** The trigger, and one request to the counter for each run, which names the event's message. */
export function countingWorkflow(
	counterUrl: string,
	credential: { id: string; name: string },
): Workflow {
	const { name, nodes } = triggerWorkflow(
		{ events: ['message.delivered', 'message.read'], authentication: 'secretToken' },
		credential,
	);
	const url = `=${counterUrl}/{{ $json.data.message_id }}`;
	return chain(name, {
		Receiver: { ...nodes[0], name: 'Receiver' },
		Count: {
			type: 'n8n-nodes-base.httpRequest',
			typeVersion: 4.2,
			parameters: { method: 'POST', url, options: {} },
		},
	});
}
