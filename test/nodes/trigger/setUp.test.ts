import type { IHookFunctions } from 'n8n-workflow';

import { BusinessMessagingTrigger } from '../../../nodes/BusinessMessaging/BusinessMessagingTrigger.node';

/** What n8n does on publishing and before listening for a test event. */
async function register(
	authentication: string,
	credential?: Record<string, unknown>,
	options: object = {},
	events: unknown = ['*'],
) {
	const parameters: Record<string, unknown> = { authentication, options, events };
	const context: Partial<IHookFunctions> = {
		getNodeParameter: (name: string) => parameters[name] as never,
		getNode: () => ({ name: 'Trigger' }) as never,
		getCredentials: async () => {
			if (credential) return credential as never;
			throw new Error('This node has no credential');
		},
	};
	const { checkExists, create } = new BusinessMessagingTrigger().webhookMethods.default;
	const hooks = context as IHookFunctions;
	return (await checkExists.call(hooks)) || (await create.call(hooks));
}

// SECURITY, The trigger: fails closed, cannot be published
test.each([
	['without one', {}],
	['with an empty one', { webhookSecret: '' }],
	['with one of spaces', { webhookSecret: ' ', previousWebhookSecret: '\t' }],
])('the trigger asks for a webhook secret when the credential is %s', async (_, credential) => {
	await expect(register('secretToken', credential)).rejects.toThrow(
		'The credential has no Webhook Secret. Enter one, or set Authentication to None.',
	);
});

test.each([
	['a secret', { webhookSecret: 'current' }],
	['the previous secret only', { webhookSecret: '', previousWebhookSecret: 'previous' }],
])('the trigger is registered with %s', async (_, credential) => {
	expect(await register('secretToken', credential)).toBe(true);
});

// SECURITY, Known limits: with Authentication None
test('the trigger needs neither secret nor credential without authentication', async () => {
	expect(await register('none')).toBe(true);
});

test('the trigger is registered with an allowlist', async () => {
	expect(await register('none', undefined, { ipAllowlist: '203.0.113.7, 2001:db8::/32' })).toBe(
		true,
	);
});

test('the trigger asks for another allowlist when an entry is no address', async () => {
	await expect(register('none', undefined, { ipAllowlist: '203.0.113' })).rejects.toThrow(
		'The IP allowlist has an entry that is no address: "203.0.113". Use addresses such as',
	);
});

test.each<[object, unknown, string]>([
	[{ deduplicate: 'no' }, ['*'], 'Drop Repeated Events is "no". Open Options and switch it on'],
	[{ maxEventAgeMinutes: 'an hour' }, ['*'], 'Max Event Age is "an hour". Open Options and enter'],
	[{}, 'message.read', 'Trigger On is "message.read". Choose them from the list, or let'],
])('the trigger asks for other settings than %j with %j', async (options, events, message) => {
	await expect(register('none', undefined, options, events)).rejects.toThrow(message);
});
