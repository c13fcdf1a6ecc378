import type { INodeParameters } from 'n8n-workflow';

import { BusinessMessaging } from '../../../nodes/BusinessMessaging/BusinessMessaging.node';
import { BusinessMessagingTrigger } from '../../../nodes/BusinessMessaging/BusinessMessagingTrigger.node';
import { missingParameters, shownParameters } from '../../support/shownParameters.ts';

const always = { resource: 'message', options: {} };
const send = {
	...{ ...always, operation: 'sendTemplate', to: '', templateName: '', templateText: '' },
	...{ category: 'utility', variablesInput: 'templateText' },
};
const ask = {
	...{ ...send, operation: 'sendAndWait', variablesInput: 'none', linkNotice: '', message: '' },
	...{ responseType: 'approval', limitWaitTime: 24, limitWaitTimeUnit: 'hours' },
};
const auto = { customerLastMessageAt: '={{ $now }}', variablesInput: 'none' };

it.each<[string, INodeParameters, object]>([
	['a pasted template in a new node', {}, { ...send, noTextNotice: '' }],
	[
		'the fallback category for Auto',
		{ ...auto, category: 'auto' },
		{ ...send, ...auto, category: 'auto', fallbackCategory: 'utility' },
	],
	[
		'the same for a category that an expression chooses',
		{ ...auto, category: '={{ $json.kind }}' },
		{ ...send, ...auto, category: '={{ $json.kind }}', fallbackCategory: 'utility' },
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

it('an approval has a second button only if somebody can decline', () => {
	const labelsOf = (values: INodeParameters) => {
		const parameters = { operation: 'sendAndWait', approvalOptions: { values } };
		return shownParameters(new BusinessMessaging(), parameters).approvalOptions;
	};
	expect(labelsOf({ approvalType: 'single' })).toEqual({
		values: { approvalType: 'single', approveLabel: 'Approve' },
	});
	expect(labelsOf({ approveLabel: 'Yes' })).toEqual({
		values: {
			...{ approvalType: 'double', approveLabel: 'Yes' },
			...{ disapproveLabel: 'Decline', askReason: true },
		},
	});
});

it.each<[string, string, string[]]>([
	['asked for when Auto is chosen', 'auto', ['customerLastMessageAt']],
	['not asked for when an expression chooses', '={{ $json.kind }}', []],
])("Customer's Last Message At is %s", (_, category, asked) => {
	const parameters = {
		...{ resource: 'message', operation: 'sendTemplate', variablesInput: 'none' },
		...{ category, to: '+14155552671', templateName: 'a' },
	};
	expect(missingParameters(new BusinessMessaging(), parameters)).toEqual(asked);
});

it('the trigger shows incoming messages, with a secret, and other steps without one', () => {
	const shown = { events: ['message.incoming'], outputMode: 'single', options: {} };
	const trigger = new BusinessMessagingTrigger();
	expect(shownParameters(trigger, {})).toEqual({
		...shown,
		...{ authentication: 'secretToken', setUpNotice: '' },
	});
	expect(shownParameters(trigger, { authentication: 'none' })).toEqual({
		...shown,
		...{ authentication: 'none', openNotice: '' },
	});
});
