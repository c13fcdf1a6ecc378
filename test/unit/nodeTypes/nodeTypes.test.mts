import {
	CREDENTIAL_EMPTY_VALUE,
	Expression,
	type INode,
	type INodeParameters,
	type INodePropertyOptions,
	type INodeTypes,
	NodeHelpers,
	Workflow,
} from 'n8n-workflow';

import { BusinessMessagingApi } from '../../../credentials/BusinessMessagingApi.credentials';
import { BusinessMessaging } from '../../../nodes/BusinessMessaging/BusinessMessaging.node';
import { BusinessMessagingTrigger } from '../../../nodes/BusinessMessaging/BusinessMessagingTrigger.node';
import { defaultCountryField } from '../../../nodes/BusinessMessaging/actions/options/defaultCountry';
import { withParameters } from '../../support/parameters.mts';
import { NODE } from '../../support/sendNode.mts';
import { shownParameters } from '../../support/shownParameters.mts';

const node = new BusinessMessaging();
const nodeTypes = { getByNameAndVersion: () => node } as unknown as INodeTypes;
const workflowOf = (shown: INode) =>
	new Workflow({ nodes: [shown], connections: {}, active: false, nodeTypes });

it('the action needs a credential, and tests it itself', async () => {
	const { name } = new BusinessMessagingApi();
	const testedBy = 'testCredential';
	expect(node.description.credentials).toEqual([{ name, required: true, testedBy }]);
	const test = node.methods.credentialTest[testedBy];
	const tested = await test.call({ helpers: {} } as never, { id: '', name: '', type: '' });
	expect(tested).toEqual({ status: 'Error', message: expect.stringContaining('no Base URL') });
});

// Workflows store the names and the place of the operation.
it('n8n finds both nodes by name, and the action among the tools of agents, too', () => {
	const defaults = { name: 'Business Messaging' };
	const action = { name: 'businessMessaging', defaults, group: ['output'], usableAsTool: true };
	expect(node.description).toMatchObject({ ...action, inputs: ['main'] });
	const operation = node.description.properties.find(({ name }) => name === 'operation');
	expect(operation?.displayOptions).toEqual({ show: { resource: ['message'] } });
	const trigger = { name: 'businessMessagingTrigger', group: ['trigger'], inputs: [] };
	expect(new BusinessMessagingTrigger().description).toMatchObject(trigger);
});

it('the trigger listens to events and to a look at its URL, and answers both by itself', () => {
	const { description } = new BusinessMessagingTrigger();
	const displayOptions = { show: { authentication: ['secretToken'] } };
	expect(description.credentials).toMatchObject([{ required: true, displayOptions }]);
	const atOnce = { responseMode: 'onReceived', path: 'webhook' };
	expect(description.webhooks).toEqual([
		{ ...atOnce, name: 'default', httpMethod: 'POST', responseData: '' },
		{ ...atOnce, name: 'setup', httpMethod: 'GET', ndvHideUrl: true },
	]);
});

it('without an operation the node does not run, and says how else the API is reached', async () => {
	for (const name of ['__CUSTOM_API_CALL__', '']) {
		const parameters = name ? { operation: name } : {};
		const context = withParameters(parameters, { getNode: () => ({ name: 'Node' }) });
		const message = `The operation "${name}" does not exist`;
		const description = expect.stringContaining('use an HTTP Request node');
		await expect(node.execute.call(context)).rejects.toMatchObject({ message, description });
	}
});

it('a previous secret can be entered beside a secret', () => {
	const { properties } = new BusinessMessagingApi();
	const previous = properties.find(({ name }) => name === 'previousWebhookSecret')!;
	const shown = ['', CREDENTIAL_EMPTY_VALUE, 'k9TqZ7xw2Lm4Rp8w'].map((webhookSecret) =>
		NodeHelpers.displayParameter({ webhookSecret }, previous, null, null),
	);
	expect(shown).toEqual([false, false, true]);
});

it('the default country is none, or one of all countries by name, with its code', () => {
	const options = defaultCountryField.options as INodePropertyOptions[];
	expect(options[0]).toEqual({ name: 'None', value: '' });
	expect(options).toContainEqual({ name: 'India (+91)', value: 'IN' });
	const names = options.slice(1).map(({ name }) => name);
	expect(names.length).toBeGreaterThan(200);
	expect(names).toEqual([...names].sort((a, b) => a.localeCompare(b, 'en')));
	expect(names.filter((name) => !/^\p{L}.* \(\+\d+\)$/u.test(name))).toEqual([]);
});

it.each<[INodeParameters, string]>([
	[{ templateName: 'order_update' }, 'Send Template: order_update'],
	[{ templateName: '={{ $json.template }}' }, 'Send Template'],
	[{ operation: 'sendAndWait', templateName: 'may_we' }, 'Send and Wait: may_we'],
	[{ templateName: 'order_update', options: { dryRun: true } }, 'Dry run: order_update'],
	[{ templateName: 'a', options: { dryRun: '={{ $json.isDry }}' } }, 'Send Template: a'],
	[{ templateName: 'a', options: '={{ { dryRun: true } }}' }, 'Send Template: a'],
	[{ operation: 'getStatus', options: { dryRun: true } }, 'Get Status'],
])('the canvas shows %j as "%s", of a tool as well', (parameters, subtitle) => {
	for (const type of [NODE.type, `${NODE.type}Tool`]) {
		const shown = { ...NODE, type, parameters };
		const { expression } = workflowOf(shown);
		const { subtitle: text } = node.description;
		expect(expression.getSimpleParameterValue(shown, text, 'internal', {})).toBe(subtitle);
	}
});

// Workflows store the numbers of the outputs.
it.each<[string, INodeParameters, string[]]>([
	['Send Template', {}, ['Sent', 'Skipped']],
	['an operation that is an expression', { operation: '={{ $json.what }}' }, ['Sent', 'Skipped']],
	['Get Status', { operation: 'getStatus' }, ['main']],
	['a question', { operation: 'sendAndWait' }, ['Answered', 'Skipped']],
])('the outputs of %s are the same with an error output, which is the last one', (...row) => {
	const [, parameters, names] = row;
	const nameOf = (output: unknown) =>
		(output as { displayName?: string }).displayName ?? String(output);
	const outputsOf = (more: Partial<INode> = {}) => {
		const shown = { ...NODE, ...more, parameters };
		return NodeHelpers.getNodeOutputs(workflowOf(shown), shown, node.description).map(nameOf);
	};
	expect(outputsOf()).toEqual(names);
	const successes = names.length === 1 ? ['Success'] : names;
	expect(outputsOf({ onError: 'continueErrorOutput' })).toEqual([...successes, 'Error']);
	// n8n's AI workflow builder knows the parameters alone.
	const expression = String(node.description.outputs).slice(1);
	const outputs = Expression.resolveWithoutWorkflow(expression, { $parameter: parameters });
	expect((outputs as unknown as unknown[]).map(nameOf)).toEqual(names);
});

it('what an agent reads of a tool says what a message costs, and that a look-up costs nothing', () => {
	const { properties } = node.description;
	const told = properties.filter(
		({ name, displayOptions }) => name === 'toolDescription' && displayOptions?.show?.['@tool'],
	);
	const [ofLookUp, ofSend] = told.map((field) => String(field.default));
	expect(ofSend).toMatch(
		/costs money.*cannot be taken back.*dry run.* first.* once.*"skipped" was not sent/,
	);
	expect(ofLookUp).toMatch(/Costs nothing/);
	const [about] = /\{\{.*\}\}/s.exec(ofSend)!;
	const chosen = { templateName: 'order_update', category: "={{ $fromAI('category') }}" };
	const $rawParameter = { ...chosen, templateText: 'Hi {{1}}' };
	expect(Expression.resolveWithoutWorkflow(about, { $rawParameter, String })).toBe(
		'The template is order_update. Prices in INR: authentication 0.115, utility 0.115, marketing 0.8631, service 0. __1__ is the value of {{1}}, and so on. The customer reads: Hi {{1}}',
	);
});

it('an n8n that is too old gets a sentence for its log, and no TypeError, which it would hide', () => {
	jest.isolateModules(() => {
		const library = jest.requireActual<object>('n8n-workflow');
		jest.doMock('n8n-workflow', () => ({ ...library, NodeConnectionTypes: undefined }));
		const load = (): unknown =>
			jest.requireActual('../../../nodes/BusinessMessaging/BusinessMessaging.node.ts');
		expect(load).toThrow(/^n8n-nodes-business-messaging needs n8n 1\.123\.81 or newer/);
		expect(load).not.toThrow(TypeError);
	});
	jest.dontMock('n8n-workflow');
});

const always = { resource: 'message', options: {}, expertOptions: {} };
const texts = { to: '', templateName: '', templateText: '' };
const choices = { category: 'utility', variablesInput: 'templateText' };
const send = { ...always, operation: 'sendTemplate', ...texts, ...choices };
const waiting = { responseType: 'approval', limitWaitTime: 24, limitWaitTimeUnit: 'hours' };
const asked = { operation: 'sendAndWait', variablesInput: 'none', linkNotice: '', message: '' };
const ask = { ...send, ...asked, ...waiting };
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
	expect(shownParameters(node, parameters)).toEqual(fields);
});

it.each<[string, INodeParameters, string]>([
	['an approval of one button', { approvalType: 'single' }, 'approveLabel approvalType'],
	['of two', {}, 'approvalType approveLabel disapproveLabel askReason'],
])('has the fields of %s', (_, values, names) => {
	const parameters = { operation: 'sendAndWait', approvalOptions: { values } };
	const { approvalOptions } = shownParameters(node, parameters);
	const shown = Object.keys((approvalOptions as { values: object }).values);
	expect(shown.sort()).toEqual(names.split(' ').sort());
});

it('Send Between has a field for another time zone, and none for that of the recipient', () => {
	const isShownFor = (timeZone: string) => {
		const parameters = { ...send, options: { sendBetween: { hours: { timeZone } } } };
		const { options } = shownParameters(node, parameters);
		return 'otherTimeZone' in (options as { sendBetween: { hours: object } }).sendBetween.hours;
	};
	expect(['other', 'recipient'].map(isShownFor)).toEqual([true, false]);
});

it.each<[INodeParameters, object]>([
	[{}, { authentication: 'secretToken', setUpNotice: '' }],
	[{ authentication: 'none' }, { openNotice: '' }],
	// A node has to see it to refuse it.
	[{ options: '={{ $json }}' }, { authentication: 'secretToken', setUpNotice: '' }],
])('the trigger shows incoming messages, and how it is set up: %j', (parameters, steps) => {
	const shown = { events: ['message.incoming'], outputMode: 'single', options: {} };
	const all = shownParameters(new BusinessMessagingTrigger(), parameters);
	expect(all).toEqual({ ...shown, ...parameters, ...steps });
});
