import { randomUUID } from 'node:crypto';
import { chain } from '../../playground/n8n/chain.mts';
import type { Workflow } from '../../playground/n8n/rest/workflows.mts';
import { CREDENTIAL, TRIGGER } from '../../playground/n8n/typeNames.mts';

export interface TriggerParameters {
	events: string[];
	authentication: 'secretToken' | 'none';
	outputMode?: 'single' | 'perEvent';
	options?: Record<string, unknown>;
}

/** A workflow of a trigger and nothing else, under a URL of its own. */
export function triggerWorkflow(
	parameters: TriggerParameters,
	credential?: { id: string; name: string },
): Workflow {
	const id = randomUUID();
	const reference = credential && { id: credential.id, name: credential.name };
	return chain(`Trigger ${id}`, {
		Trigger: {
			id,
			type: TRIGGER,
			typeVersion: 2,
			webhookId: id,
			parameters: { ...parameters },
			...(reference && { credentials: { [CREDENTIAL]: reference } }),
		},
	});
}
