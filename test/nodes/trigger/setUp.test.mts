import type { IHookFunctions } from 'n8n-workflow';

import { BusinessMessagingTrigger } from '../../../nodes/BusinessMessaging/BusinessMessagingTrigger.node';

/** What n8n does on publishing and before listening for a test event. */
async function register(
	given: { authentication?: string; options?: unknown; events?: unknown },
	credential: Record<string, unknown> | Error = new Error('This node has no credential'),
) {
	const parameters = { authentication: 'none', options: {}, events: ['*'], ...given };
	const context: Partial<IHookFunctions> = {
		getNodeParameter: (name: string) => parameters[name as 'events'] as never,
		getNode: () => ({ name: 'Trigger' }) as never,
		getCredentials: async () => {
			if (credential instanceof Error) throw credential;
			return credential as never;
		},
	};
	const { checkExists, create } = new BusinessMessagingTrigger().webhookMethods.default;
	const hooks = context as IHookFunctions;
	return (await checkExists.call(hooks)) || (await create.call(hooks));
}

const withToken = { authentication: 'secretToken' };
const unexecuted = Object.assign(new Error('not executed'), { name: 'ExpressionError' });

// SECURITY, The trigger: fails closed, cannot be published
// SECURITY, The trigger: an expression that reads an item
it.each<[string, object, Record<string, unknown> | Error]>([
	['The credential has no Webhook Secret. Enter one, or set Authenticat', withToken, {}],
	['has fewer than 16 characters. Take a longer one', withToken, { webhookSecret: 'short' }],
	["n8n can't compute the credential's expressions for a trigger, becau", withToken, unexecuted],
	['no database', withToken, new Error('no database')],
	['Repeated Events is "no". Open Options', { options: { deduplicate: 'no' } }, {}],
	['n8n ignores one expression, text or list', { options: '={{ $vars.options }}' }, {}],
	['no address: "203.0". Use', { options: { ipAllowlist: '203.0' } }, {}],
	['Trigger On is "message.read". Choose', { events: 'message.read' }, {}],
])('the trigger cannot be published: %s', async (message, given, credential) => {
	await expect(register(given, credential)).rejects.toThrow(message);
});

it('the trigger is registered with a secret', async () => {
	expect(await register(withToken, { webhookSecret: 'the-current-secret' })).toBe(true);
});

// SECURITY, Known limits: with Authentication None
it('the trigger needs neither secret nor credential without authentication', async () => {
	expect(await register({ options: { ipAllowlist: '203.0.113.7' } })).toBe(true);
});
