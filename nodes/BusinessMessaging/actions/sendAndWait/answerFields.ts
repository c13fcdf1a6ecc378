import type { INodeProperties } from 'n8n-workflow';

export const MAX_ANSWERS = 5;

export const responseTypeField: INodeProperties = {
	displayName: 'Response Type',
	name: 'responseType',
	type: 'options',
	options: [
		{ name: 'Approval', value: 'approval', description: 'Buttons to approve and to decline' },
		{
			name: 'Choice',
			value: 'answers',
			description: `A button for each of up to ${MAX_ANSWERS} answers`,
		},
		{ name: 'Free Text', value: 'freeText', description: 'A field to write in' },
	],
	default: 'approval',
};

export const approvalTypeField: INodeProperties = {
	displayName: 'Type of Approval',
	name: 'approvalType',
	type: 'options',
	options: [
		{ name: 'Approve and Decline', value: 'double' },
		{ name: 'Approve Only', value: 'single' },
	],
	default: 'double',
};

export const approveLabelField = {
	displayName: 'Approve Button Label',
	name: 'approveLabel',
	type: 'string',
	default: 'Approve',
} satisfies INodeProperties;

export const declineLabelField = {
	displayName: 'Decline Button Label',
	name: 'disapproveLabel',
	type: 'string',
	default: 'Decline',
	displayOptions: { show: { approvalType: ['double'] } },
} satisfies INodeProperties;

export const askReasonField = {
	displayName: 'Ask for a Reason',
	name: 'askReason',
	type: 'boolean',
	default: true,
	description: 'Whether the page has a field for why somebody declines. It may be left empty.',
	displayOptions: { show: { approvalType: ['double'] } },
} satisfies INodeProperties;

/** How an approval is asked for. */
export const approvalFields: INodeProperties[] = [
	approvalTypeField,
	approveLabelField,
	declineLabelField,
	askReasonField,
];
