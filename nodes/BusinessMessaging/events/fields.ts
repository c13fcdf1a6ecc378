import type { INodeProperties } from 'n8n-workflow';

import { ANY_EVENT, EVENTS } from './catalogue';
import { optionFields } from './optionFields';
import { openNotice, setUpNotice } from './panel';

export const triggerFields: INodeProperties[] = [
	setUpNotice,
	openNotice,
	{
		displayName: 'Trigger On',
		name: 'events',
		type: 'multiOptions',
		required: true,
		options: [
			{
				name: '[All]',
				value: ANY_EVENT,
				action: 'On any event',
				description: 'Every event, including ones that the API adds later',
			},
			...EVENTS.map(({ name, value, description }) => ({ name, value, description })),
		],
		default: ['message.incoming'],
	},
	{
		displayName: 'Authentication',
		name: 'authentication',
		type: 'options',
		options: [
			{ name: 'None', value: 'none', description: 'Anyone who knows the URL can send events' },
			{
				name: 'Secret Token',
				value: 'secretToken',
				description: 'The request must carry the Webhook Secret of the credential',
			},
		],
		default: 'secretToken',
		description: 'How a request proves that it comes from your account',
	},
	{
		displayName: 'Output Mode',
		name: 'outputMode',
		type: 'options',
		noDataExpression: true,
		options: [
			{ name: 'One Output', value: 'single', description: 'All events leave through one output' },
			{
				name: 'One Output per Event',
				value: 'perEvent',
				description:
					'Each event has its own output, and there is one for all others. They stay where they are, whatever you choose above.',
			},
		],
		default: 'single',
		description: 'Whether all events share one output or each has its own',
	},
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		options: optionFields,
	},
];
