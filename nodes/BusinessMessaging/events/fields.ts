import type { INodeProperties } from 'n8n-workflow';

import { ANY_EVENT, EVENTS } from './catalogue';
import { DEFAULT_REMEMBERED_H, MAX_REMEMBERED_H } from './options';
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
		options: [
			{
				displayName: 'Drop Repeated Events',
				name: 'deduplicate',
				type: 'boolean',
				default: true,
				description:
					'Whether to drop events that were delivered before. The sender repeats events that it thinks were not received.',
			},
			{
				displayName: 'Drop Repeated Events Within (Hours)',
				name: 'deduplicationHours',
				type: 'number',
				typeOptions: { minValue: 1, maxValue: MAX_REMEMBERED_H },
				default: DEFAULT_REMEMBERED_H,
				description:
					'How long an event is usually remembered, to know it when it is repeated. A busy trigger may forget it earlier, a quiet one later.',
			},
			{
				displayName: 'IP Allowlist',
				name: 'ipAllowlist',
				type: 'string',
				default: '',
				placeholder: 'e.g. 203.0.113.7, 198.51.100.0/24',
				description:
					'Addresses and ranges that may send events, separated by commas. Empty allows all. Behind a proxy, n8n must be set up to know the real address.',
			},
			{
				displayName: 'Max Event Age (Minutes)',
				name: 'maxEventAgeMinutes',
				type: 'number',
				typeOptions: { minValue: 0 },
				default: 60,
				description: 'Events that are older are answered and ignored. 0 accepts events of any age.',
			},
			{
				displayName: 'Raw Body',
				name: 'rawBody',
				type: 'boolean',
				default: false,
				description: 'Whether to add the text of the request exactly as it was received',
			},
		],
	},
];
