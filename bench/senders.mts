import type { NodeSettings } from '../playground/n8n/chain.mts';
import { ACTION, CREDENTIAL } from '../playground/n8n/typeNames.mts';
import type { CredentialIds } from './stage.mts';

const TEMPLATE = 'order_update';

/** The same POSTs by the action node. @param parameters what else is set, or set in another way */
export function businessMessaging(
	credentials: CredentialIds,
	expertOptions: Record<string, unknown>,
	parameters: Record<string, unknown> = {},
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
			...templateText('={{ $json.name }}'),
			expertOptions,
			...parameters,
		},
	};
}

/** The template's text with a field for its placeholder, as most users enter it. */
export function templateText(variable1: string) {
	return {
		variablesInput: 'templateText',
		templateText: 'Hi {{1}}, your order is on its way.',
		variable1,
	};
}

/** What the API is sent, as JSON. */
export function sendBody({ to, name }: { to: string; name: string }): string {
	return `{"to":"${to}","type":"template","templateName":"${TEMPLATE}","templateVariables":{"1":"${name}"},"category":"utility"}`;
}

/** The same POSTs by n8n's own node, as a user would enter them. Without `options.batching` all at once. */
export function httpRequest(
	credentials: CredentialIds,
	apiUrl: string,
	parameters: Record<string, unknown> = {},
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
			jsonBody: `=${sendBody({ to: '{{ $json.to }}', name: '{{ $json.name }}' })}`,
			...parameters,
		},
	};
}
