import type {
	ICredentialDataDecryptedObject,
	ICredentialType,
	IHttpRequestOptions,
	Icon,
	INodeProperties,
} from 'n8n-workflow';

import { InputError } from '../nodes/BusinessMessaging/inputError';
import { readConnection } from '../nodes/BusinessMessaging/transport/connection';
import { staysAt } from '../nodes/BusinessMessaging/transport/destination';

export class BusinessMessagingApi implements ICredentialType {
	name = 'businessMessagingApi';

	displayName = 'Business Messaging API';

	icon: Icon = {
		light: 'file:../nodes/BusinessMessaging/businessMessaging.svg',
		dark: 'file:../nodes/BusinessMessaging/businessMessaging.dark.svg',
	};

	documentationUrl =
		'https://github.com/n8n-nodes-business-messaging/n8n-nodes-business-messaging#credentials';

	properties: INodeProperties[] = [
		{
			displayName: 'Base URL',
			name: 'baseUrl',
			type: 'string',
			required: true,
			default: '',
			placeholder: 'https://api.example.com',
			description: 'Address of the API, as your provider gives it, starting with https://',
		},
		{
			displayName: 'API Key',
			name: 'apiKey',
			type: 'string',
			typeOptions: { password: true },
			required: true,
			default: '',
			description:
				'From your dashboard: Settings → API Keys → Generate New Key. It is shown only once. Needs the Scale or Enterprise plan.',
		},
		{
			displayName: 'Webhook Secret',
			name: 'webhookSecret',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			description:
				'For the trigger: about 30 random letters and digits that you choose. Add them to the webhook URL in your dashboard as ?token=…, so that nobody else can send events.',
		},
		{
			displayName: 'Previous Webhook Secret',
			name: 'previousWebhookSecret',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			description:
				'Still accepted while you change the secret. Clear it once the new one is in your dashboard.',
		},
	];

	/**
	 * Adds the key (section 5), and only to requests that go to the base URL's origin, straight and
	 * without following redirects: the HTTP client would take the header along to any address.
	 */
	async authenticate(
		credentials: ICredentialDataDecryptedObject,
		requestOptions: IHttpRequestOptions,
	): Promise<IHttpRequestOptions> {
		const { baseUrl, apiKey } = readConnection(credentials);
		const { origin } = new URL(baseUrl);
		if (!staysAt(origin, requestOptions)) {
			throw new InputError(
				'The API key is sent to the Base URL of its credential only',
				`Use an address that starts with ${origin}.`,
			);
		}
		if (requestOptions.proxy) {
			throw new InputError(
				'The API key is not sent through a proxy that is set in a node',
				"Remove Proxy from the node's options. Who runs n8n can set one for all of it.",
			);
		}
		return {
			...requestOptions,
			headers: { ...requestOptions.headers, 'X-API-Key': apiKey },
			// Two names, because n8n's older and newer helpers listen to different ones.
			disableFollowRedirect: true,
			maxRedirects: 0,
		};
	}
}
