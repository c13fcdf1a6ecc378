import type { IHookFunctions } from 'n8n-workflow';

import { BusinessMessagingTrigger } from '../../../nodes/BusinessMessaging/BusinessMessagingTrigger.node';

/** What n8n does on publishing and before listening for a test event. */
async function register(
	authentication: string,
	credential?: Record<string, unknown> | Error,
	options: object = {},
	events: unknown = ['*'],
) {
	const parameters: Record<string, unknown> = { authentication, options, events };
	const context: Partial<IHookFunctions> = {
		getNodeParameter: (name: string) => parameters[name] as never,
		getNode: () => ({ name: 'Trigger' }) as never,
		getCredentials: async () => {
			if (credential instanceof Error) throw credential;
			if (credential) return credential as never;
			throw new Error('This node has no credential');
		},
	};
	const { checkExists, create } = new BusinessMessagingTrigger().webhookMethods.default;
	const hooks = context as IHookFunctions;
	return (await checkExists.call(hooks)) || (await create.call(hooks));
}

// SECURITY, The trigger: fails closed, cannot be published
test('the trigger asks for a webhook secret when the credential has none', async () => {
	await expect(register('secretToken', {})).rejects.toThrow(
		'The credential has no Webhook Secret. Enter one, or set Authentication to None.',
	);
});

// SECURITY, The trigger: an expression that reads an item
test('the trigger asks for a credential without expressions that read an item', async () => {
	const unexecuted = new Error("Node '' hasn't been executed");
	unexecuted.name = 'ExpressionError';
	await expect(register('secretToken', unexecuted)).rejects.toThrow(
		"n8n can't compute the credential's expressions for a trigger, because a trigger has no items. Choose a credential with fixed values.",
	);
	await expect(register('secretToken', new Error('no database'))).rejects.toThrow('no database');
});

test('the trigger is registered with a secret', async () => {
	expect(await register('secretToken', { webhookSecret: 'current' })).toBe(true);
});

// SECURITY, Known limits: with Authentication None
test('the trigger needs neither secret nor credential without authentication', async () => {
	expect(await register('none')).toBe(true);
});

test('the trigger is registered with an allowlist', async () => {
	expect(await register('none', undefined, { ipAllowlist: '203.0.113.7' })).toBe(true);
});

test.each<[object, unknown, string]>([
	[{ deduplicate: 'no' }, ['*'], 'Drop Repeated Events is "no". Open Options and switch it on'],
	[
		{ ipAllowlist: '203.0' },
		['*'],
		'The IP allowlist has an entry that is no address: "203.0". Use',
	],
	[{}, 'message.read', 'Trigger On is "message.read". Choose events from the list, or let'],
])('the trigger asks for other settings than %j with %j', async (options, events, message) => {
	await expect(register('none', undefined, options, events)).rejects.toThrow(message);
});
