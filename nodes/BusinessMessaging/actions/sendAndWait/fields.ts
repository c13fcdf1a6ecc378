import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';
import { InputError, quote } from '../../inputError';
import { findChoice } from '../../parameters';
import { textOf } from '../../values';
import {
	defaultCountryField,
	forBuilders,
	optionsFields,
	requestsPerMinuteField,
	showFor,
	timeoutField,
	where,
} from '../fields';
import { messageFields, optionFields } from '../sendTemplate/fields';
import { pageTextsField } from './texts';

export const MAX_ANSWERS = 5;

export const responseTypeField: INodeProperties = {
	displayName: 'Response Type',
	name: 'responseType',
	type: 'options',
	options: [
		{ name: 'Approval', value: 'approval', description: 'Buttons to approve or decline' },
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
	description: 'Whether the page asks people who decline for a reason. They may leave it empty.',
	displayOptions: { show: { approvalType: ['double'] } },
} satisfies INodeProperties;

const UNITS_MS = { seconds: 1000, minutes: 60_000, hours: 3_600_000, days: 86_400_000 };
const UNITS = Object.keys(UNITS_MS) as Array<keyof typeof UNITS_MS>;

const MIN_SECONDS = 15;
const MAX_DAYS = 30;
const LIMIT_RANGE = `from ${MIN_SECONDS} seconds to ${MAX_DAYS} days`;
const DEFAULT_AMOUNT = 24;
const DEFAULT_UNIT = 'hours';

/** @returns how long to wait for an answer, in ms. @throws InputError */
export function readWaitLimit(context: IExecuteFunctions): number {
	const amount = context.getNodeParameter('limitWaitTime', 0, DEFAULT_AMOUNT);
	const unit = context.getNodeParameter('limitWaitTimeUnit', 0, DEFAULT_UNIT);
	const known = findChoice(unit, UNITS);
	const limit = known ? Number(textOf(amount)) * UNITS_MS[known] : NaN;
	if (limit >= MIN_SECONDS * UNITS_MS.seconds && limit <= MAX_DAYS * UNITS_MS.days) return limit;
	throw new InputError(
		`Limit Wait Time is ${quote(amount)} with the unit ${quote(unit)}`,
		`Enter ${LIMIT_RANGE}, in seconds, minutes, hours or days.`,
	);
}

const forAsk = showFor('sendAndWait');
const forKind = (kind: string) => where(forAsk, 'responseType', kind);

/** The options of Send Template that a question has, too. */
const SHARED_OPTIONS = [
	defaultCountryField.name,
	'dryRun',
	'keepWhitespace',
	requestsPerMinuteField.name,
	'spendingLimit',
	'testRecipient',
	timeoutField.name,
];

const linkNotice: INodeProperties = {
	displayName:
		'Write [link] into the field of the placeholder that should get the link to the question. [link 1], [link 2] and so on open the same page with that answer first. Whoever has the link can answer, also somebody to whom it was forwarded. To ask for a code as well, write [code] into another placeholder: the customer gets the code there and enters it on the page. The node asks one question per run: for several items, put a Loop Over Items node before it.',
	name: 'linkNotice',
	type: 'notice',
	default: '',
	displayOptions: forAsk,
};

/** What the AI that builds workflows reads instead of the fields. */
const IN_BRIEF = {
	message:
		'The question. The value of one placeholder must contain [link], the link to the question. Whoever has it can answer; with [code] in another placeholder, only with that code.',
	approvalOptions:
		'For responseType approval: {"values": {"approvalType": "double" or "single", "approveLabel": "Yes", "disapproveLabel": "No", "askReason": true}}',
	answers: 'For responseType answers: {"values": [{"label": "On Friday"}]}',
	limitWaitTime: 'How long to wait for the answer. Then the workflow continues with "timedOut".',
};

const questionFields = forBuilders(IN_BRIEF, [
	{
		displayName: 'Message',
		name: 'message',
		type: 'string',
		typeOptions: { rows: 4 },
		required: true,
		default: '',
		placeholder: 'e.g. May we deliver your order on Friday?',
		description:
			'The question on the page that the link opens. Whoever has the link can read and answer it, also somebody to whom it was forwarded.',
		displayOptions: forAsk,
	},
	{ ...responseTypeField, displayOptions: forAsk },
	{
		displayName: 'Approval Options',
		name: 'approvalOptions',
		type: 'fixedCollection',
		placeholder: 'Change Buttons',
		default: {},
		options: [
			{
				displayName: 'Values',
				name: 'values',
				values: [approvalTypeField, approveLabelField, declineLabelField, askReasonField],
			},
		],
		displayOptions: forKind('approval'),
	},
	{
		displayName: 'Answers',
		name: 'answers',
		type: 'fixedCollection',
		typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Answer', sortable: true },
		placeholder: 'Add Answer',
		default: { values: [{ label: '' }, { label: '' }] },
		options: [
			{
				displayName: 'Answer',
				name: 'values',
				values: [
					{
						displayName: 'Label',
						name: 'label',
						type: 'string',
						default: '',
						placeholder: 'e.g. On Friday',
						description: 'The text of the button, which the workflow gets as "answer"',
					},
				],
			},
		],
		displayOptions: forKind('answers'),
	},
	{
		displayName: 'Limit Wait Time',
		name: 'limitWaitTime',
		type: 'number',
		typeOptions: { minValue: 0 },
		default: DEFAULT_AMOUNT,
		description: `How long to wait for an answer, ${LIMIT_RANGE}. After that the workflow continues with "timedOut", up to a minute late because n8n checks once a minute.`,
		displayOptions: forAsk,
	},
	{
		displayName: 'Unit',
		name: 'limitWaitTimeUnit',
		type: 'options',
		options: [
			{ name: 'Days', value: 'days' },
			{ name: 'Hours', value: 'hours' },
			{ name: 'Minutes', value: 'minutes' },
			{ name: 'Seconds', value: 'seconds' },
		],
		default: DEFAULT_UNIT,
		displayOptions: forAsk,
	},
]);

export const sendAndWaitFields: INodeProperties[] = [
	linkNotice,
	...messageFields,
	...questionFields,
	...optionsFields(
		[...optionFields.filter(({ name }) => SHARED_OPTIONS.includes(name)), pageTextsField].sort(
			(a, b) => a.displayName.localeCompare(b.displayName, 'en'),
		),
		forAsk,
	),
];
