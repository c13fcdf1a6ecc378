import type { INodeParameters } from 'n8n-workflow';

import { BusinessMessaging } from '../../../nodes/BusinessMessaging/BusinessMessaging.node';
import { BusinessMessagingTrigger } from '../../../nodes/BusinessMessaging/BusinessMessagingTrigger.node';
import { missingParameters, shownParameters } from '../../support/shownParameters.ts';

describe('the action node shows', () => {
	const always = { resource: 'message', options: {} };
	const send = {
		...{ ...always, operation: 'sendTemplate', to: '', templateName: '', templateText: '' },
		...{ category: 'utility', variablesInput: 'templateText' },
	};

	it.each<[string, INodeParameters, object]>([
		['in a new node a message with a pasted template', {}, { noTextNotice: '' }],
		[
			'for Auto the time and the category after it',
			{ category: 'auto', variablesInput: 'none' },
			{ customerLastMessageAt: '', fallbackCategory: 'utility' },
		],
		[
			'for a category that an expression chooses the fields of Auto as well',
			{
				category: '={{ $json.kind }}',
				customerLastMessageAt: '={{ $now }}',
				variablesInput: 'none',
			},
			{ fallbackCategory: 'utility' },
		],
		[
			'rows to begin with for a list',
			{ variablesInput: 'list' },
			{ variableList: { variables: [{ value: '', label: '' }] } },
		],
		[
			'an object to begin with for JSON',
			{ variablesInput: 'json' },
			{ variablesJson: '{\n  "1": ""\n}' },
		],
	])('%s', (_, parameters, added) => {
		const shown = shownParameters(new BusinessMessaging(), parameters);
		expect(shown).toEqual({ ...send, ...parameters, ...added });
	});

	it.each<[string, INodeParameters, object]>([
		['two buttons and a reason for an approval', {}, { approvalOptions: {} }],
		[
			'no second button where nobody can decline',
			{ approvalOptions: { values: { approvalType: 'single' } } },
			{ approvalOptions: { values: { approvalType: 'single', approveLabel: 'Approve' } } },
		],
		[
			'what both buttons say where somebody can',
			{ approvalOptions: { values: { approveLabel: 'Yes' } } },
			{
				approvalOptions: {
					values: {
						...{ approvalType: 'double', approveLabel: 'Yes' },
						...{ disapproveLabel: 'Decline', askReason: true },
					},
				},
			},
		],
		[
			'two answers to begin with',
			{ responseType: 'answers' },
			{ answers: { values: [{ label: '' }, { label: '' }] } },
		],
		['no buttons for a text', { responseType: 'freeText' }, {}],
	])('of a question %s', (_, parameters, added) => {
		const fields = { ...send, operation: 'sendAndWait', variablesInput: 'none' };
		const shown = shownParameters(new BusinessMessaging(), { ...fields, ...parameters });
		expect(shown).toEqual({
			...fields,
			...{ linkNotice: '', message: '', responseType: 'approval' },
			...{ limitWaitTime: 24, limitWaitTimeUnit: 'hours' },
			...parameters,
			...added,
		});
	});

	it('the message ID for its status', () => {
		const parameters = { operation: 'getStatus' };
		const shown = shownParameters(new BusinessMessaging(), parameters);
		expect(shown).toEqual({ ...always, ...parameters, messageId: '' });
	});
});

it.each<[string, string, string[]]>([
	['asked for when Auto is chosen', 'auto', ['customerLastMessageAt']],
	['not asked for when an expression chooses', '={{ $json.kind }}', []],
	['not asked for with another category', 'utility', []],
])("Customer's Last Message At is %s", (_, category, asked) => {
	const parameters = {
		...{ resource: 'message', operation: 'sendTemplate', variablesInput: 'none' },
		...{ category, to: '+14155552671', templateName: 'a' },
	};
	expect(missingParameters(new BusinessMessaging(), parameters)).toEqual(asked);
});

describe('the trigger shows', () => {
	it('in a new node incoming messages, with a secret', () => {
		expect(shownParameters(new BusinessMessagingTrigger(), {})).toEqual({
			setUpNotice: '',
			events: ['message.incoming'],
			authentication: 'secretToken',
			outputMode: 'single',
			options: {},
		});
	});

	it('other steps without a secret', () => {
		const fields = shownParameters(new BusinessMessagingTrigger(), { authentication: 'none' });
		expect(fields).toHaveProperty('openNotice');
		expect(fields).not.toHaveProperty('setUpNotice');
	});
});
