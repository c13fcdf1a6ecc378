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
import { readdirSync } from 'node:fs';

import { BusinessMessagingApi } from '../../../credentials/BusinessMessagingApi.credentials';
import { BusinessMessaging } from '../../../nodes/BusinessMessaging/BusinessMessaging.node';
import { BusinessMessagingTrigger } from '../../../nodes/BusinessMessaging/BusinessMessagingTrigger.node';
import { defaultCountryField } from '../../../nodes/BusinessMessaging/actions/options/defaultCountry';
import { withParameters } from '../../support/parameters.mts';
import { NODE } from '../../support/sendNode.mts';

const node = new BusinessMessaging();
const nodeTypes = { getByNameAndVersion: () => node } as unknown as INodeTypes;
const workflowOf = (shown: INode) =>
	new Workflow({ nodes: [shown], connections: {}, active: false, nodeTypes });

it('the action needs a credential, and tests it itself', async () => {
	const [credential] = node.description.credentials ?? [];
	const { name, hideDomainRestrictionFields } = new BusinessMessagingApi();
	expect(credential).toMatchObject({ name, required: true });
	// The key goes to the Base URL only.
	expect(hideDomainRestrictionFields).toBe(true);
	const { credentialTest } = node.methods;
	const test = credentialTest[credential.testedBy as keyof typeof credentialTest];
	const tested = await test.call({ helpers: {} } as never, { id: '', name: '', type: '' });
	const message = expect.stringContaining('no Base URL');
	expect(tested).toMatchObject({ status: 'Error', message });
});

it.each([{ operation: '__CUSTOM_API_CALL__' }, {}])(
	'the node does not run with %j, and says how else the API is reached',
	async (parameters: { operation?: string }) => {
		const context = withParameters(parameters, { getNode: () => ({ name: 'Node' }) });
		await expect(node.execute.call(context)).rejects.toMatchObject({
			message: `The operation "${parameters.operation ?? ''}" does not exist`,
			description: expect.stringContaining('use an HTTP Request node'),
		});
	},
);

it('the icons are there, light and dark', () => {
	const { icon } = new BusinessMessagingApi();
	const icons = [node.description.icon, new BusinessMessagingTrigger().description.icon, icon];
	const files = icons.flatMap((each) => Object.values<string>(each as never));
	expect(files).toHaveLength(6);
	const names = files.map((file) => file.replace(/.*[:/]/, ''));
	expect(readdirSync('nodes/BusinessMessaging')).toEqual(expect.arrayContaining(names));
});

it.each<[unknown, boolean]>([
	[undefined, false],
	['', false],
	[CREDENTIAL_EMPTY_VALUE, false],
	['k9TqZ7xw2Lm4Rp8w', true],
])('a previous secret beside %j can be entered: %p', (webhookSecret, isShown) => {
	const { properties } = new BusinessMessagingApi();
	const previous = properties.find(({ name }) => name === 'previousWebhookSecret')!;
	const values = { webhookSecret } as INodeParameters;
	expect(NodeHelpers.displayParameter(values, previous, null, null)).toBe(isShown);
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

it('the default country is none, or one of all countries by name, with its code', () => {
	const options = defaultCountryField.options as INodePropertyOptions[];
	expect(options[0]).toEqual({ name: 'None', value: '' });
	expect(options).toContainEqual({ name: 'India (+91)', value: 'IN' });
	const names = options.slice(1).map(({ name }) => name);
	expect(names.length).toBeGreaterThan(200);
	expect(names).toEqual([...names].sort((a, b) => a.localeCompare(b, 'en')));
	expect(names.filter((name) => !/^\p{L}.* \(\+\d+\)$/u.test(name))).toEqual([]);
});

it('each category tells its price', () => {
	const { properties } = node.description;
	const { options } = properties.find((field) => field.name === 'category' && field.options)!;
	const prices = (options as INodePropertyOptions[]).map(({ value, description = '' }) => [
		value,
		/\((.*)\)/.exec(description)?.[1],
	]);
	expect(Object.fromEntries(prices)).toEqual({
		authentication: 'INR 0.115',
		utility: 'INR 0.115',
		marketing: 'INR 0.8631',
		service: 'free',
		auto: 'free',
	});
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
describe.each<[string, INodeParameters, string[]]>([
	['Send Template', {}, ['Sent', 'Skipped']],
	['an operation that is an expression', { operation: '={{ $json.what }}' }, ['Sent', 'Skipped']],
	['Get Status', { operation: 'getStatus' }, ['main']],
	['a question', { operation: 'sendAndWait' }, ['Answered', 'Skipped']],
])('the outputs of %s', (_, parameters, names) => {
	const nameOf = (output: unknown) =>
		(output as { displayName?: string }).displayName ?? String(output);

	it('are the same with and without an error output, which is the last one', () => {
		const outputsOf = (more: Partial<INode> = {}) => {
			const shown = { ...NODE, ...more, parameters };
			return NodeHelpers.getNodeOutputs(workflowOf(shown), shown, node.description).map(nameOf);
		};
		expect(outputsOf()).toEqual(names);
		const successes = names.length === 1 ? ['Success'] : names;
		expect(outputsOf({ onError: 'continueErrorOutput' })).toEqual([...successes, 'Error']);
	});

	it("can be computed by n8n's AI workflow builder, which knows the parameters alone", () => {
		const data = { $parameter: parameters, $nodeVersion: 1 };
		const expression = String(node.description.outputs).slice(1);
		const outputs = Expression.resolveWithoutWorkflow(expression, data) as unknown as unknown[];
		expect(outputs.map(nameOf)).toEqual(names);
	});
});

it("what n8n's AI reads that builds workflows names fields that there are", () => {
	const { properties, builderHint } = node.description;
	const names = properties.map(({ name }) => name);
	for (const parameter of ['templateText', 'variable1', 'category', 'customerLastMessageAt']) {
		expect(names).toContain(parameter);
		expect(builderHint?.searchHint).toContain(parameter);
	}
	expect(builderHint?.relatedNodes?.map(({ nodeType }) => nodeType)).toEqual([
		'n8n-nodes-business-messaging.businessMessagingTrigger',
		'n8n-nodes-base.httpRequest',
	]);
	expect(builderHint?.searchHint).toMatch(/set options\.dryRun first.* Never .*loop.* skipped/);
	const hint = new BusinessMessagingTrigger().description.builderHint;
	const nodeType = `n8n-nodes-business-messaging.${node.description.name}`;
	expect(hint).toMatchObject({ relatedNodes: [{ nodeType }] });
	expect(hint?.searchHint).toMatch(/publishes the workflow\. .* null if the customer hides it/);
});

it('what an agent reads of a tool says what a message costs, and that a look-up costs nothing', () => {
	const { properties } = node.description;
	const textOf = (operation: string) =>
		properties.find(
			({ name, displayOptions: { show } = {} }) =>
				name === 'toolDescription' && show?.['@tool'] && show.operation?.includes(operation),
		)?.default;
	expect(textOf('sendTemplate')).toMatch(
		/costs money.*cannot be taken back.*dry run.* first.* once.*"skipped" was not sent/,
	);
	expect(textOf('getStatus')).toMatch(/Costs nothing/);
	const [about] = /\{\{.*\}\}/s.exec(String(textOf('sendTemplate'))) ?? [''];
	const chosen = { templateName: 'order_update', category: "={{ $fromAI('category') }}" };
	const $rawParameter = { ...chosen, templateText: 'Hi {{1}}' };
	expect(Expression.resolveWithoutWorkflow(about, { $rawParameter, String })).toBe(
		'The template is order_update. Prices in INR: authentication 0.115, utility 0.115, marketing 0.8631, service 0. __1__ is the value of {{1}}, and so on. The customer reads: Hi {{1}}',
	);
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

it('the page of a question is served while an execution waits, which the canvas tells', () => {
	const { webhooks, waitingNodeTooltip } = node.description;
	const atResume = { path: '={{ $nodeId }}', isFullPath: true, restartWebhook: true };
	const atOnce = { name: 'default', responseMode: 'onReceived', responseData: '' };
	const expected = ['GET', 'POST'].map((httpMethod) => ({ ...atOnce, ...atResume, httpMethod }));
	expect(webhooks).toEqual(expected);
	expect(waitingNodeTooltip).toMatch(/"sendAndWait" \? "The workflow continues when .* : "" }}$/);
});

it('the trigger has nothing registered, and nothing to remove when it is switched off', async () => {
	const { checkExists, delete: remove } = new BusinessMessagingTrigger().webhookMethods.default;
	expect(await checkExists.call({} as never)).toBe(false);
	expect(await remove.call({} as never)).toBe(true);
});

it('an n8n that is too old gets a sentence for its log, and no TypeError, which it would hide', () => {
	jest.isolateModules(() => {
		jest.doMock('n8n-workflow', () => ({
			...jest.requireActual('n8n-workflow'),
			NodeConnectionTypes: undefined,
		}));
		const load = (): unknown =>
			jest.requireActual('../../../nodes/BusinessMessaging/BusinessMessaging.node.ts');
		expect(load).toThrow(/^n8n-nodes-business-messaging needs n8n 1\.123\.81 or newer/);
		expect(load).not.toThrow(TypeError);
	});
	jest.dontMock('n8n-workflow');
});
