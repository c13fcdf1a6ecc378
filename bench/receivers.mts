import { randomUUID } from 'node:crypto';
import type { NodeSettings } from '../playground/n8n/chain.mts';
import { CREDENTIAL, TRIGGER } from '../playground/n8n/typeNames.mts';
import { guardedWebhookNode } from '../test/support/nativeNodes.mts';
import type { CredentialIds } from './stage.mts';

export const CHOSEN = 'message.incoming';
export const NOT_CHOSEN = 'message.read';

export function businessMessagingTrigger({ ours }: CredentialIds): NodeSettings {
	return {
		type: TRIGGER,
		typeVersion: 2,
		webhookId: randomUUID(),
		credentials: { [CREDENTIAL]: ours },
		parameters: { events: [CHOSEN], authentication: 'secretToken' },
	};
}

/** n8n's own webhook, asking for the same token. */
export function webhookNode({ token }: CredentialIds): NodeSettings {
	return guardedWebhookNode(token);
}

/** n8n's own Filter or If: lets the chosen event through, as the trigger does. @param event its name, as an expression */
export function chosenOnly(node: 'filter' | 'if', event: string): NodeSettings {
	return {
		type: `n8n-nodes-base.${node}`,
		typeVersion: 2.3,
		parameters: {
			conditions: {
				options: { caseSensitive: true, leftValue: '', typeValidation: 'strict', version: 3 },
				combinator: 'and',
				conditions: [
					{
						id: randomUUID(),
						leftValue: event,
						rightValue: CHOSEN,
						operator: { type: 'string', operation: 'equals' },
					},
				],
			},
		},
	};
}
