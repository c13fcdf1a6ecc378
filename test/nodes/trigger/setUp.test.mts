import type { IHookFunctions, WorkflowActivateMode } from 'n8n-workflow';

import { BusinessMessagingTrigger } from '../../../nodes/BusinessMessaging/BusinessMessagingTrigger.node';

/** What n8n does on publishing and before listening for a test event. */
async function register(
	given: object,
	credential: Record<string, unknown> | Error = new Error('This node has no credential'),
	activation: WorkflowActivateMode = 'activate',
) {
	const log: unknown[] = [];
	const parameters = { authentication: 'none', options: {}, events: ['*'], ...given };
	const context: unknown = {
		getNodeParameter: (name: keyof typeof parameters) => parameters[name],
		getNode: () => ({ name: 'Trigger' }),
		getWorkflow: () => ({ id: 'workflow', name: 'Answers', active: true }),
		getActivationMode: () => activation,
		logger: { warn: (...line: unknown[]) => log.push(line) },
		async getCredentials() {
			if (credential instanceof Error) throw credential;
			return credential;
		},
	};
	const { checkExists, create } = new BusinessMessagingTrigger().webhookMethods.default;
	const hooks = context as IHookFunctions;
	const isThere = (await checkExists.call(hooks)) || (await create.call(hooks));
	return { isThere, log };
}

const withToken = { authentication: 'secretToken' };
const unexecuted = Object.assign(new Error('not executed'), { name: 'ExpressionError' });

// SECURITY, The trigger: fails closed, cannot be published, also when n8n restarts
// SECURITY, The trigger: an expression that reads an item
it.each<[string, object, (Record<string, unknown> | Error)?]>([
	['The credential has no Webhook Secret. Enter one, or set Authentic', withToken, {}],
	['has fewer than 16 characters. Take a longer one', withToken, { webhookSecret: 'short' }],
	['because a trigger has no items. Choose a credential with fixed values.', withToken, unexecuted],
	['no database', withToken, new Error('no database')],
	['Trigger On is "message.read". Choose', { events: 'message.read' }],
])('the trigger cannot be published, and stays when n8n starts: %s', async (...problem) => {
	const [message, given, credential] = problem;
	for (const activation of ['activate', 'create', 'update', 'manual'] as const) {
		await expect(register(given, credential, activation)).rejects.toThrow(message);
	}
	// Otherwise n8n would delete the webhooks of the workflow, and not start its other triggers.
	for (const activation of ['init', 'leadershipChange'] as const) {
		const { isThere, log } = await register(given, credential, activation);
		expect(isThere).toBe(true);
		const line = expect.stringMatching(
			/^Webhook requests are refused until this is solved: .* \(workflow "Answers", node "Trigger"\)$/,
		);
		expect(log).toEqual([[line, { workflowId: 'workflow', node: 'Trigger' }]]);
		expect(String(log)).toContain(message);
	}
});

// SECURITY, Known limits: with Authentication None
it.each([
	['with a secret', withToken, { webhookSecret: 'the-current-secret' }],
	['without authentication', { options: { ipAllowlist: '203.0.113.7' } }, undefined],
	['with an empty list for its options, which sets none', { options: [] }, undefined],
])('the trigger is registered %s', async (_, given, credential) => {
	for (const activation of ['activate', 'init'] as const) {
		const registered = await register(given, credential, activation);
		expect(registered).toEqual({ isThere: true, log: [] });
	}
});
