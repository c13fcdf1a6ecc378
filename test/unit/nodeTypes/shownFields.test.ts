import { NodeHelpers } from 'n8n-workflow';
import type { INodeParameters, INodeType } from 'n8n-workflow';

import { BusinessMessaging } from '../../../nodes/BusinessMessaging/BusinessMessaging.node';
import { BusinessMessagingTrigger } from '../../../nodes/BusinessMessaging/BusinessMessagingTrigger.node';
import { NODE } from '../../support/sendNode.ts';

/** The fields that the editor shows with these parameters, and what stands in them. */
function shown({ description }: INodeType, parameters: INodeParameters) {
	const { properties } = description;
	const values = NodeHelpers.getNodeParameters(
		properties,
		parameters,
		true,
		false,
		null,
		description,
	);
	return values ?? {};
}

describe('the action node shows', () => {
	const always = { resource: 'message', options: {} };
	const send = { ...always, operation: 'sendTemplate', to: '', templateName: '', templateText: '' };

	it.each<[string, INodeParameters, object]>([
		[
			'in a new node a message with a pasted template',
			{},
			{ ...send, category: 'utility', variablesInput: 'templateText', noTextNotice: '' },
		],
		[
			'for Auto the time and the category after it',
			{ category: 'auto', variablesInput: 'none' },
			{
				...send,
				category: 'auto',
				customerLastMessageAt: '',
				fallbackCategory: 'utility',
				variablesInput: 'none',
			},
		],
		[
			'for a category that an expression chooses the fields of Auto as well',
			{
				category: '={{ $json.kind }}',
				customerLastMessageAt: '={{ $now }}',
				variablesInput: 'none',
			},
			{
				...send,
				category: '={{ $json.kind }}',
				customerLastMessageAt: '={{ $now }}',
				fallbackCategory: 'utility',
				variablesInput: 'none',
			},
		],
		[
			'rows to begin with for a list',
			{ variablesInput: 'list' },
			{
				...send,
				category: 'utility',
				variablesInput: 'list',
				variableList: { variables: [{ value: '', label: '' }] },
			},
		],
		[
			'an object to begin with for JSON',
			{ variablesInput: 'json' },
			{
				...send,
				category: 'utility',
				variablesInput: 'json',
				variablesJson: '{\n  "1": ""\n}',
			},
		],
		[
			'the message ID for its status',
			{ operation: 'getStatus' },
			{ ...always, operation: 'getStatus', messageId: '' },
		],
	])('%s', (_, parameters, expected) => {
		expect(shown(new BusinessMessaging(), parameters)).toEqual(expected);
	});
});

it.each<[string, string, boolean]>([
	['asked for when Auto is chosen', 'auto', true],
	['not asked for when an expression chooses', '={{ $json.kind }}', false],
	['not asked for with another category', 'utility', false],
])("Customer's Last Message At is %s", (_, category, asked) => {
	const { description } = new BusinessMessaging();
	const parameters = {
		resource: 'message',
		operation: 'sendTemplate',
		variablesInput: 'none',
		category,
	};
	const node = { ...NODE, parameters: { ...parameters, to: '+14155552671', templateName: 'a' } };
	const issues = NodeHelpers.getNodeParametersIssues(description.properties, node, description);
	expect(Object.keys(issues?.parameters ?? {})).toEqual(asked ? ['customerLastMessageAt'] : []);
});

describe('the trigger shows', () => {
	it('in a new node incoming messages, with a secret', () => {
		expect(shown(new BusinessMessagingTrigger(), {})).toEqual({
			setUpNotice: '',
			events: ['message.incoming'],
			authentication: 'secretToken',
			outputMode: 'single',
			options: {},
		});
	});

	it('other steps without a secret', () => {
		const fields = shown(new BusinessMessagingTrigger(), { authentication: 'none' });
		expect(fields).toHaveProperty('openNotice');
		expect(fields).not.toHaveProperty('setUpNotice');
	});
});
