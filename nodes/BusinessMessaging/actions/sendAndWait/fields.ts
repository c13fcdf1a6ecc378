import type { INodeProperties } from 'n8n-workflow';
import { optionsFields } from '../fields';
import { budgetOption } from '../options/budget';
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
	budgetOption.field,
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

export const sendAndWaitFields: INodeProperties[] = [
	linkNotice,
	...messageFields,
	messageField,
	{ ...responseTypeField, displayOptions: forAsk },
	approvalOptionsField,
	answersField,
	limitWaitTimeField,
	limitWaitTimeUnitField,
	...optionsFields(SHARED_OPTIONS, SHARED_EXPERT_OPTIONS, forAsk),
];
