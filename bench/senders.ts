import type { NodeSettings } from '../playground/n8n/chain.ts';
import { ACTION, CREDENTIAL } from '../playground/n8n/typeNames.ts';
import type { CredentialIds } from './stage.ts';

const TEMPLATE = 'order_update';

/** The same POSTs by the action node. */
export function businessMessaging(
	credentials: CredentialIds,
	options: Record<string, unknown>,
): NodeSettings {
	return {
		type: ACTION,
		credentials: { [CREDENTIAL]: credentials.ours },
		parameters: {
			resource: 'message',
			operation: 'sendTemplate',
			to: '={{ $json.to }}',
			templateName: TEMPLATE,
			category: 'utility',
			variablesInput: 'list',
			variableList: { variables: [{ value: '={{ $json.name }}' }] },
			options,
		},
	};
}

/**
 * The same POSTs by n8n's own node, as a user would enter them.
 * @param batch without it, all requests are under way at once, which is the node's default
 */
export function httpRequest(
	credentials: CredentialIds,
	apiUrl: string,
	batch?: { batchSize: number; batchInterval: number },
): NodeSettings {
	return {
		type: 'n8n-nodes-base.httpRequest',
		typeVersion: 4.5,
		credentials: { httpHeaderAuth: credentials.header },
		onError: 'continueRegularOutput',
		parameters: {
			method: 'POST',
			url: `${apiUrl}/api/integrations/messages/send`,
			authentication: 'genericCredentialType',
			genericAuthType: 'httpHeaderAuth',
			sendBody: true,
			specifyBody: 'json',
			jsonBody: `={"to":"{{ $json.to }}","type":"template","templateName":"${TEMPLATE}","templateVariables":{"1":"{{ $json.name }}"},"category":"utility"}`,
			options: batch ? { batching: { batch } } : {},
		},
	};
}
