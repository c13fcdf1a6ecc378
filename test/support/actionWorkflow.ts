import { randomUUID } from 'node:crypto';
import { chain } from '../../playground/n8n/chain.ts';
import type { Workflow } from '../../playground/n8n/rest/workflows.ts';

/** The action node behind a manual trigger. */
export function actionWorkflow(
	{ id, name }: { id: string; name: string },
	parameters: Record<string, unknown>,
): Workflow {
	return chain(`Run ${randomUUID()}`, {
		Start: { type: 'n8n-nodes-base.manualTrigger' },
		'Business Messaging': {
			type: 'n8n-nodes-business-messaging.businessMessaging',
			parameters: { resource: 'message', ...parameters },
			credentials: { businessMessagingApi: { id, name } },
		},
	});
}
