import type { INodeProperties } from 'n8n-workflow';

import { ANY_EVENT, EVENTS } from './catalogue';

export const triggerFields: INodeProperties[] = [
	{
		displayName: 'Events',
		name: 'events',
		type: 'multiOptions',
		required: true,
		options: [
			{
				name: '[All]',
				value: ANY_EVENT,
				description: 'Every event, also new ones that the API adds later',
			},
			...EVENTS,
		],
		default: ['message.incoming'],
		description: 'Which events start the workflow. All others are answered and ignored.',
	},
	{
		displayName: 'Authentication',
		name: 'authentication',
		type: 'options',
		options: [
			{ name: 'None', value: 'none', description: 'Anybody who knows the URL can send events' },
			{
				name: 'Secret Token',
				value: 'secretToken',
				description: 'The request must carry the Webhook Secret of the credential',
			},
		],
		default: 'secretToken',
		description: 'How a request proves that it comes from your account',
	},
];
