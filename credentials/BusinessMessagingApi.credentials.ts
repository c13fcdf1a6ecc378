import {
	CREDENTIAL_EMPTY_VALUE,
	type IAuthenticate,
	type ICredentialType,
	type Icon,
	type INodeProperties,
} from 'n8n-workflow';

import { CREDENTIAL } from '../nodes/BusinessMessaging/api';
import { authenticate } from '../nodes/BusinessMessaging/transport/credential';
import { MIN_SECRET_LENGTH } from '../nodes/BusinessMessaging/webhookSecret';

export class BusinessMessagingApi implements ICredentialType {
	name = CREDENTIAL;

	displayName = 'Business Messaging API';

	icon: Icon = {
		light: 'file:../nodes/BusinessMessaging/businessMessaging.svg',
		dark: 'file:../nodes/BusinessMessaging/businessMessaging.dark.svg',
	};

	documentationUrl = 'https://www.npmjs.com/package/n8n-nodes-business-messaging#credentials';

	properties: INodeProperties[] = [
		{
			displayName: 'Base URL',
			name: 'baseUrl',
			type: 'string',
			required: true,
			default: '',
			placeholder: 'e.g. https://api.example.com',
			description:
				'Address of the API, as your provider gives it, starting with https://. A path of the API at its end, such as /api, is removed.',
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
			description: `For the trigger: at least ${MIN_SECRET_LENGTH} random letters and digits, from a password manager or from n8n's Crypto node (Generate). Add them to the webhook URL in your dashboard as ?token=…, so that nobody else can send events.`,
		},
		{
			displayName: 'Previous Webhook Secret',
			name: 'previousWebhookSecret',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			description:
				'Still accepted while you change the secret. Clear it once the new one is in your dashboard.',
			displayOptions: {
				show: { webhookSecret: [{ _cnd: { exists: true } }] },
				// n8n gives the editor this value in place of a stored empty secret.
				hide: { webhookSecret: [CREDENTIAL_EMPTY_VALUE] },
			},
		},
	];

	// A property, not a method, because n8n copies only a credential type's own properties. With it, n8n offers the type
	// in HTTP Request under Predefined Credential Type.
	authenticate = (async (credential, request) =>
		authenticate(credential, request)) satisfies IAuthenticate;

	/** Hides n8n's list of allowed domains, because the key goes to the Base URL's origin only. */
	hideDomainRestrictionFields = true;
}
