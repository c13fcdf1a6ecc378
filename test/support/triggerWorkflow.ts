import { randomUUID } from 'node:crypto';
import type { Workflow } from '../../playground/n8n/rest/workflows.ts';
import { CREDENTIAL, TRIGGER } from '../../playground/n8n/typeNames.ts';

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
	return {
		name: `Trigger ${id}`,
		nodes: [
			{
				id,
				name: 'Trigger',
				type: TRIGGER,
				typeVersion: 2,
				position: [0, 0],
				webhookId: id,
				parameters: { ...parameters },
				...(credential
					? { credentials: { [CREDENTIAL]: { id: credential.id, name: credential.name } } }
					: {}),
			},
		],
		connections: {},
		settings: { executionOrder: 'v1' },
	};
}
