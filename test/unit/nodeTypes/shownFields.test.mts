import type { INodeParameters } from 'n8n-workflow';

import { BusinessMessaging } from '../../../nodes/BusinessMessaging/BusinessMessaging.node';
import { BusinessMessagingTrigger } from '../../../nodes/BusinessMessaging/BusinessMessagingTrigger.node';
import { checkOptions } from '../../../nodes/BusinessMessaging/parameters';
import { sentencesOf } from '../../support/sentencesOf.mts';
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

it.each<[string, INodeParameters, object]>([
	['a pasted template in a new node', {}, { ...send, noTextNotice: '' }],
	...['auto', '={{ $json.kind }}'].map((category): [string, INodeParameters, object] => [
		`the fallback category for ${category}`,
		{ ...auto, category },
		{ ...send, fallbackCategory: 'utility' },
	]),
	[
		"the time of the customer's last message, still to be filled in, for Auto",
		{ category: 'auto', variablesInput: 'none' },
		{ ...send, customerLastMessageAt: '', fallbackCategory: 'utility' },
	],
	[
		'the buttons of an approval',
		{ operation: 'sendAndWait', variablesInput: 'none' },
		{ ...ask, approvalOptions: {} },
	],
	[
		'two answers to begin with',
		{ operation: 'sendAndWait', variablesInput: 'none', responseType: 'answers' },
		{ ...ask, responseType: 'answers', answers: { values: [{ label: '' }, { label: '' }] } },
	],
	['the message ID of a look-up', { operation: 'getStatus' }, { ...always, messageId: '' }],
])('the action shows %s', (_, parameters, shown) => {
	expect(shownParameters(new BusinessMessaging(), parameters)).toEqual({
		...shown,
		...parameters,
	});
});

// docs/sending.md: one expression in place of all options
it.each<[INodeParameters, string]>([
	[{ options: '={{ $json }}' }, 'Options'],
	[{ options: ['dryRun'] }, 'Options'],
	[{ options: { sendUntil: { time: '={{ $json }}' } } }, 'Options'],
	[{ expertOptions: '={{ $json }}' }, 'Expert Options'],
	[{ options: { dryRun: '={{ $json }}', sendUntil: { time: { end: 'minutes' } } } }, ''],
	[{ options: '' }, ''],
	[{ options: [] }, ''],
])('%j reaches the action, which refuses it under "%s"', (entered, field) => {
	const node = new BusinessMessaging();
	const at = (path: string) =>
		path
			.split('.')
			.reduce<unknown>((place, name) => (Object(place) as INodeParameters)[name], entered);
	const check = () => checkOptions(node.description.properties, at);
	if (!field) return expect(check).not.toThrow();
	expect(shownParameters(node, { ...send, ...entered })).toMatchObject(entered);
	expect(sentencesOf(check)).toBe(
		`n8n ignores one expression, text or list in place of all options, or of all fields of one option. Add each option by itself under ${field}. Each of its values may be an expression.`,
	);
});

it.each<[INodeParameters, INodeParameters]>([
	[{ approvalType: 'single' }, { approveLabel: 'Approve' }],
	[
		{ approveLabel: 'Yes' },
		{ approvalType: 'double', disapproveLabel: 'Decline', askReason: true },
	],
])('an approval with %j has also %j', (values, others) => {
	const parameters = { operation: 'sendAndWait', approvalOptions: { values } };
	const { approvalOptions } = shownParameters(new BusinessMessaging(), parameters);
	expect(approvalOptions).toEqual({ values: { ...values, ...others } });
});

it.each([
	['other', true],
	['recipient', false],
])('Send Between in the time zone %s has a field for it: %p', (timeZone, isShown) => {
	const parameters = { ...send, options: { sendBetween: { hours: { timeZone } } } };
	const { options } = shownParameters(new BusinessMessaging(), parameters);
	const { sendBetween } = options as { sendBetween: { hours: object } };
	expect('otherTimeZone' in sendBetween.hours).toBe(isShown);
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
