import type { INodeProperties } from 'n8n-workflow';
import { forBuilders, optionsFields } from '../fields';
import { defaultCountryField } from '../options/defaultCountry';
import { dryRunField } from '../options/dryRun';
import { keepWhitespaceField } from '../options/keepWhitespace';
import { requestsPerMinuteField, timeoutField } from '../options/requests';
import { spendingLimitField } from '../options/spendingLimit';
import { testRecipientField } from '../options/testRecipient';
import { messageFields } from '../sendTemplate/fields';
import {
	answersField,
	approvalOptionsField,
	forAsk,
	messageField,
	responseTypeField,
} from './question';
import { pageTextsField } from './texts';
import { limitWaitTimeField, limitWaitTimeUnitField } from './wait';

/** Those of Send Template that a question has, too, and its own. */
const SHARED_OPTIONS = [
	defaultCountryField,
	dryRunField,
	pageTextsField,
	spendingLimitField,
	testRecipientField,
];
const SHARED_EXPERT_OPTIONS = [keepWhitespaceField, requestsPerMinuteField, timeoutField];

const linkNotice: INodeProperties = {
	displayName:
		'Write [link] into the field of the placeholder that should get the link to the question.',
	name: 'linkNotice',
	type: 'notice',
	default: '',
	displayOptions: forAsk,
};

/** What the AI that builds workflows reads instead of the fields. */
const QUESTION_IN_BRIEF = {
	message:
		'The question. The value of one placeholder must contain [link], the link to the question. Anyone with the link can answer; with [code] in another placeholder, only with that code.',
	approvalOptions:
		'For responseType approval: {"values": {"approvalType": "double" or "single", "approveLabel": "Yes", "disapproveLabel": "No", "askReason": true}}',
	answers: 'For responseType answers: {"values": [{"label": "On Friday"}]}',
	limitWaitTime: 'How long to wait for the answer. Then the workflow continues with "timedOut".',
};

export const sendAndWaitFields: INodeProperties[] = [
	linkNotice,
	...messageFields,
	...forBuilders(QUESTION_IN_BRIEF, [
		messageField,
		{ ...responseTypeField, displayOptions: forAsk },
		approvalOptionsField,
		answersField,
		limitWaitTimeField,
		limitWaitTimeUnitField,
	]),
	...optionsFields(SHARED_OPTIONS, SHARED_EXPERT_OPTIONS, forAsk),
];
