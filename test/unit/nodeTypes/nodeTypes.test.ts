import type { IExecuteFunctions } from 'n8n-workflow';

import { BusinessMessagingApi } from '../../../credentials/BusinessMessagingApi.credentials';
import { BusinessMessaging } from '../../../nodes/BusinessMessaging/BusinessMessaging.node';
import { BusinessMessagingTrigger } from '../../../nodes/BusinessMessaging/BusinessMessagingTrigger.node';
import { defaultCountryField } from '../../../nodes/BusinessMessaging/actions/fields';

describe('the action node', () => {
	const node = new BusinessMessaging();

	it('has one input and one output', () => {
		expect(node.description).toMatchObject({ version: 1, inputs: ['main'], outputs: ['main'] });
	});

	it('needs a credential, and tests it itself', async () => {
		const [credential] = node.description.credentials ?? [];
		expect(credential).toMatchObject({ name: new BusinessMessagingApi().name, required: true });
		const { credentialTest } = node.methods;
		const test = credentialTest[credential.testedBy as keyof typeof credentialTest];
		const tested = await test.call({ helpers: {} } as never, { id: '', name: '', type: '' });
		expect(tested).toMatchObject({
			status: 'Error',
			message: expect.stringContaining('no Base URL'),
		});
	});

	it.each(['sendFreeText', '__CUSTOM_API_CALL__', undefined])(
		'does not run the operation %s, and says how else the API is reached',
		async (operation) => {
			const context = {
				getNode: () => ({ name: 'Node' }),
				getNodeParameter: (_: string, __: number, fallback: string) => operation ?? fallback,
			} as unknown as IExecuteFunctions;
			await expect(node.execute.call(context)).rejects.toMatchObject({
				message: `The operation "${operation ?? ''}" does not exist`,
				description: expect.stringContaining('use an HTTP Request node'),
			});
		},
	);
});

describe('the default country', () => {
	const options = defaultCountryField.options as Array<{ name: string; value: string }>;

	it('is none, or one of all countries by name, with its code', () => {
		expect(defaultCountryField.default).toBe('');
		expect(options[0]).toEqual({ name: 'None', value: '' });
		expect(options).toContainEqual({ name: 'India (+91)', value: 'IN' });
		expect(options.length).toBeGreaterThan(200);
	});

	it('is found in the order of the alphabet', () => {
		const names = options.slice(1).map(({ name }) => name);
		expect(names).toEqual([...names].sort((a, b) => a.localeCompare(b, 'en')));
		expect(names.filter((name) => !/^\p{L}.* \(\+\d+\)$/u.test(name))).toEqual([]);
	});
});

describe("what n8n's AI reads that builds workflows", () => {
	const hintOf = ({ description }: BusinessMessaging | BusinessMessagingTrigger) =>
		description.builderHint ?? {};
	const relatedTo = (node: BusinessMessaging | BusinessMessagingTrigger) =>
		hintOf(node).relatedNodes?.map(({ nodeType }) => nodeType);

	it('leads from each node to the other, and to HTTP Request for what has no operation', () => {
		const name = 'n8n-nodes-business-messaging.businessMessaging';
		const httpRequest = 'n8n-nodes-base.httpRequest';
		expect(relatedTo(new BusinessMessaging())).toEqual([`${name}Trigger`, httpRequest]);
		expect(relatedTo(new BusinessMessagingTrigger())).toEqual([name]);
	});

	it.each(['templateText', 'variable1', 'category', 'customerLastMessageAt', 'options'])(
		'names the parameter %s, which exists',
		(parameter) => {
			const names = new BusinessMessaging().description.properties.map(({ name }) => name);
			expect(names).toContain(parameter);
			expect(hintOf(new BusinessMessaging()).searchHint).toContain(parameter);
		},
	);

	it('says that the URL of the trigger is entered by hand, with the secret', () => {
		const { searchHint } = hintOf(new BusinessMessagingTrigger());
		expect(searchHint).toMatch(/the user enters the Production URL, with \?token=.*dashboard/);
	});
});

it('the trigger listens to events and to a look at its URL, and answers both by itself', () => {
	const { description } = new BusinessMessagingTrigger();
	expect(description).toMatchObject({
		version: 2,
		group: ['trigger'],
		inputs: [],
		credentials: [
			{
				name: new BusinessMessagingApi().name,
				required: true,
				displayOptions: { show: { authentication: ['secretToken'] } },
			},
		],
	});
	const atOnce = { responseMode: 'onReceived', path: 'webhook' };
	expect(description.webhooks).toEqual([
		{ ...atOnce, name: 'default', httpMethod: 'POST', responseData: '' },
		{ ...atOnce, name: 'setup', httpMethod: 'GET', ndvHideUrl: true },
	]);
});

it('the page of a question is served while an execution waits, which the canvas tells', () => {
	const { webhooks, waitingNodeTooltip } = new BusinessMessaging().description;
	const atResume = { path: '={{ $nodeId }}', isFullPath: true, restartWebhook: true };
	const atOnce = { name: 'default', responseMode: 'onReceived', responseData: '' };
	expect(webhooks).toEqual([
		{ ...atOnce, ...atResume, httpMethod: 'GET' },
		{ ...atOnce, ...atResume, httpMethod: 'POST' },
	]);
	expect(waitingNodeTooltip).toMatch(
		/^={{ .*=== "sendAndWait" \? "The workflow goes on when .* : "" }}$/,
	);
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
		expect(load).toThrow(/^n8n-nodes-business-messaging needs n8n 1\.85 or newer/);
		expect(load).not.toThrow(TypeError);
	});
	jest.dontMock('n8n-workflow');
});
