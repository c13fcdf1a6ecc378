import type { INodeProperties } from 'n8n-workflow';

import {
	defaultCountryField,
	forBuilders,
	optionsFields,
	requestsPerMinuteField,
	showFor,
	timeoutField,
	where,
} from '../fields';
import { messageFields } from '../sendTemplate/fields';
import { optionFields } from '../sendTemplate/optionFields';
import { approvalFields, responseTypeField } from './answerFields';
import { DEFAULT_AMOUNT, DEFAULT_UNIT, LIMIT_RANGE } from './waitLimit';

const forAsk = showFor('sendAndWait');
const forKind = (kind: string) => where(forAsk, 'responseType', kind);

const SAME_OPTIONS = [
	defaultCountryField.name,
	'dryRun',
	'keepWhitespace',
	requestsPerMinuteField.name,
	'retryUnknownOutcome',
	'spendingLimit',
	'testRecipient',
	timeoutField.name,
];

const linkNotice: INodeProperties = {
	displayName:
		'Write [link] into the field of the placeholder that gets the link to the question. [link 1], [link 2] and so on lead to the same page with that answer in front. One item per run: for more, put a Loop Over Items node before this one.',
	name: 'linkNotice',
	type: 'notice',
	default: '',
	displayOptions: forAsk,
};

const IN_BRIEF = {
	message: 'The question. The value of one placeholder has to hold [link], the link to it.',
	approvalOptions:
		'For responseType approval: {"values": {"approvalType": "double" or "single", "approveLabel": "Yes", "disapproveLabel": "No", "askReason": true}}',
	answers: 'For responseType answers: {"values": [{"label": "On Friday"}]}',
	limitWaitTime: 'For the answer; then the workflow goes on with "timedOut"',
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
		description: 'The question that the page asks who opens the link',
		displayOptions: forAsk,
	},
	{ ...responseTypeField, displayOptions: forAsk },
	{
		displayName: 'Approval Options',
		name: 'approvalOptions',
		type: 'fixedCollection',
		placeholder: 'Change Buttons',
		default: {},
		options: [{ displayName: 'Values', name: 'values', values: approvalFields }],
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
						description: 'What the button says, and the workflow gets as "answer"',
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
		description: `How long to wait for an answer, ${LIMIT_RANGE}. After that the workflow goes on with "timedOut", which n8n looks after once a minute.`,
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
		optionFields.filter(({ name }) => SAME_OPTIONS.includes(name)),
		forAsk,
	),
];
