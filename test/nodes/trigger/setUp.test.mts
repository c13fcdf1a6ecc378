import type { IHookFunctions, WorkflowActivateMode } from 'n8n-workflow';

import { BusinessMessagingTrigger } from '../../../nodes/BusinessMessaging/BusinessMessagingTrigger.node';

/** What n8n does on publishing and before listening for a test event. */
async function register(
	given: { authentication?: string; options?: unknown; events?: unknown },
	credential: Record<string, unknown> | Error = new Error('This node has no credential'),
	activation: WorkflowActivateMode = 'activate',
	log: unknown[] = [],
) {
	const parameters = { authentication: 'none', options: {}, events: ['*'], ...given };
	const context: Partial<IHookFunctions> = {
		getNodeParameter: (name: string) => parameters[name as 'events'] as never,
		getNode: () => ({ name: 'Trigger' }) as never,
		getWorkflow: () => ({ id: 'workflow', name: 'Answers', active: true }),
		getActivationMode: () => activation,
		logger: { warn: (...line: unknown[]) => log.push(line) } as never,
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

type Problem = [string, object, Record<string, unknown> | Error];
const PROBLEMS: Problem[] = [
	['The credential has no Webhook Secret. Enter one, or set Authenticat', withToken, {}],
	['has fewer than 16 characters. Take a longer one', withToken, { webhookSecret: 'short' }],
	...['+', '&', '#', '%41', ' ', '\t'].map((sign): Problem => [
		'which does not arrive unchanged behind ?token=. Take one of letters and digits only',
		withToken,
		{ webhookSecret: `k9TqZ7xw${sign}2Lm4Rp8w` },
	]),
	[
		'A Webhook Secret in the credential has +, &',
		withToken,
		{ webhookSecret: 'k9TqZ7xw2Lm4Rp8w', previousWebhookSecret: 'k9TqZ7xw+2Lm4Rp8w' },
	],
	[
		'A Webhook Secret in the credential is the API key, which must not stand in a URL',
		withToken,
		{ webhookSecret: 'bm_live_1234567890', apiKey: 'bm_live_1234567890' },
	],
	["n8n can't compute the credential's expressions for a trigger, becau", withToken, unexecuted],
	['no database', withToken, new Error('no database')],
	['Repeated Events is "no". Turn it on or off', { options: { deduplicate: 'no' } }, {}],
	['n8n ignores one expression, text or list', { options: '={{ $vars.options }}' }, {}],
	['no address: "203.0". Use', { options: { ipAllowlist: '203.0' } }, {}],
	['Trigger On is "message.read". Choose', { events: 'message.read' }, {}],
	['Trigger On is "[]". Choose', { events: [] }, {}],
];

// SECURITY, The trigger: fails closed, cannot be published
// SECURITY, The trigger: an expression that reads an item
it.each(PROBLEMS)('the trigger cannot be published: %s', async (message, given, credential) => {
	for (const activation of ['activate', 'create', 'update', 'manual'] as const) {
		await expect(register(given, credential, activation)).rejects.toThrow(message);
	}
});

// SECURITY, The trigger: fails closed, when n8n restarts
describe.each(['init', 'leadershipChange'] as const)('in the mode %s', (activation) => {
	// Otherwise n8n would delete the webhooks of the workflow, and not start its other triggers.
	it.each(PROBLEMS)('the trigger stays, and the log says: %s', async (...problem) => {
		const [message, given, credential] = problem;
		const log: unknown[] = [];
		expect(await register(given, credential, activation, log)).toBe(true);
		const line = expect.stringMatching(
			/^Webhook requests are refused until this is solved: .* \(workflow "Answers", node "Trigger"\)$/,
		);
		expect(log).toEqual([[line, { workflowId: 'workflow', node: 'Trigger' }]]);
		expect(String(log)).toContain(message);
	});

	it('a trigger without a problem has no line in the log', async () => {
		const log: unknown[] = [];
		expect(await register({}, undefined, activation, log)).toBe(true);
		expect(log).toEqual([]);
	});
});

it('the trigger is registered with an empty list for its options, which sets none', async () => {
	expect(await register({ options: [] })).toBe(true);
});

it('the trigger is registered with a secret', async () => {
	expect(await register(withToken, { webhookSecret: 'the-current-secret' })).toBe(true);
});

// SECURITY, Known limits: with Authentication None
it('the trigger needs neither secret nor credential without authentication', async () => {
	expect(await register({ options: { ipAllowlist: '203.0.113.7' } })).toBe(true);
});
