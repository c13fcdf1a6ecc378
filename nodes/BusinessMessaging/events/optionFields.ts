import type { INodeProperties } from 'n8n-workflow';

export const dropRepeatedField = {
	displayName: 'Drop Repeated Events',
	name: 'deduplicate',
	type: 'boolean',
	default: true,
	description:
		'Whether to drop events that were delivered before. The sender repeats events that it thinks were not received.',
} satisfies INodeProperties;

export const rememberedHoursField = {
	displayName: 'Drop Repeated Events Within (Hours)',
	name: 'deduplicationHours',
	type: 'number',
	typeOptions: { minValue: 1, maxValue: 720 },
	default: 24,
	description:
		'How long an event is usually remembered, to know it when it is repeated. A busy trigger may forget it earlier, a quiet one later.',
} satisfies INodeProperties;

export const maxAgeField: INodeProperties = {
	displayName: 'Max Event Age (Minutes)',
	name: 'maxEventAgeMinutes',
	type: 'number',
	typeOptions: { minValue: 0 },
	default: 60,
	description: 'Events that are older are answered and ignored. 0 accepts events of any age.',
};

export const rawBodyField: INodeProperties = {
	displayName: 'Raw Body',
	name: 'rawBody',
	type: 'boolean',
	default: false,
	description: 'Whether to add the text of the request exactly as it was received',
};

/** In alphabetical order, as the editor lists them. */
export const optionFields: INodeProperties[] = [
	dropRepeatedField,
	rememberedHoursField,
	{
		displayName: 'IP Allowlist',
		name: 'ipAllowlist',
		type: 'string',
		default: '',
		placeholder: 'e.g. 203.0.113.7, 198.51.100.0/24',
		description:
			'Addresses and ranges that may send events, separated by commas. Empty allows all. Behind a proxy, n8n must be set up to know the real address.',
	},
	maxAgeField,
	rawBodyField,
];
