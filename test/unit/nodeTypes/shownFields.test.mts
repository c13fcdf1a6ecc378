import type { INodeParameters } from 'n8n-workflow';

import { BusinessMessaging } from '../../../nodes/BusinessMessaging/BusinessMessaging.node';
import { BusinessMessagingTrigger } from '../../../nodes/BusinessMessaging/BusinessMessagingTrigger.node';
import { missingParameters, shownParameters } from '../../support/shownParameters.mts';

const always = { resource: 'message', options: {}, expertOptions: {} };
const send = {
	...always,
	operation: 'sendTemplate',
	to: '',
	templateName: '',
	templateText: '',
	category: 'utility',
	variablesInput: 'templateText',
};
const ask = {
	...send,
	operation: 'sendAndWait',
	variablesInput: 'none',
	linkNotice: '',
	message: '',
	responseType: 'approval',
	limitWaitTime: 24,
	limitWaitTimeUnit: 'hours',
};
const auto = { customerLastMessageAt: '={{ $now }}', variablesInput: 'none' };

const fallback = { ...send, fallbackCategory: 'utility' };
const question = { operation: 'sendAndWait', variablesInput: 'none' };
const answers = { values: [{ label: '' }, { label: '' }] };

it.each<[string, INodeParameters, object]>([
	['a pasted template in a new node', {}, { ...send, noTextNotice: '' }],
	['the fallback category for Auto', { ...auto, category: 'auto' }, fallback],
	['it for an expression', { ...auto, category: '={{ $json.kind }}' }, fallback],
	['the buttons of an approval', question, { ...ask, approvalOptions: {} }],
	['two answers', { ...question, responseType: 'answers' }, { ...ask, answers }],
	['the message ID of a look-up', { operation: 'getStatus' }, { ...always, messageId: '' }],
])('the action shows %s', (_, parameters, shown) => {
	const fields = { ...shown, ...parameters };
	expect(shownParameters(new BusinessMessaging(), parameters)).toEqual(fields);
});

it.each<[string, INodeParameters, string]>([
	['an approval of one button', { approvalType: 'single' }, 'approveLabel approvalType'],
	['of two', {}, 'approvalType approveLabel disapproveLabel askReason'],
])('has the fields of %s', (_, values, names) => {
	const parameters = { operation: 'sendAndWait', approvalOptions: { values } };
	const { approvalOptions } = shownParameters(new BusinessMessaging(), parameters);
	const shown = Object.keys((approvalOptions as { values: object }).values);
	expect(shown.sort()).toEqual(names.split(' ').sort());
});

it('Send Between has a field for another time zone, and none for that of the recipient', () => {
	const isShownFor = (timeZone: string) => {
		const parameters = { ...send, options: { sendBetween: { hours: { timeZone } } } };
		const { options } = shownParameters(new BusinessMessaging(), parameters);
		return 'otherTimeZone' in (options as { sendBetween: { hours: object } }).sendBetween.hours;
	};
	expect(['other', 'recipient'].map(isShownFor)).toEqual([true, false]);
});

it.each<[string, string, string[]]>([
	['asked for when Auto is chosen', 'auto', ['customerLastMessageAt']],
	['not asked for when an expression chooses, but shown', '={{ $json.kind }}', []],
])("Customer's Last Message At is %s", (_, category, asked) => {
	const parameters = { ...send, variablesInput: 'none', category, to: '+1', templateName: 'a' };
	expect(missingParameters(new BusinessMessaging(), parameters)).toEqual(asked);
	const shown = shownParameters(new BusinessMessaging(), parameters);
	expect(shown).toHaveProperty('customerLastMessageAt', '');
});

it.each<[INodeParameters, object]>([
	[{}, { authentication: 'secretToken', setUpNotice: '' }],
	[{ authentication: 'none' }, { openNotice: '' }],
	// A node has to see it to refuse it.
	[{ options: '={{ $json }}' }, { authentication: 'secretToken', setUpNotice: '' }],
])('the trigger shows incoming messages, and how it is set up: %j', (parameters, steps) => {
	const shown = { events: ['message.incoming'], outputMode: 'single', options: {} };
	const all = { ...shown, ...parameters, ...steps };
	expect(shownParameters(new BusinessMessagingTrigger(), parameters)).toEqual(all);
});
