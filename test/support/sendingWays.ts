import { randomUUID } from 'node:crypto';
import type { LocalApi } from '../../playground/api/server.ts';
import { CUSTOMER } from '../../playground/api/wellKnown.ts';
import { saveAccount } from '../../playground/n8n/account.ts';
import { chain, type NodeSettings } from '../../playground/n8n/chain.ts';
import type { Workflow } from '../../playground/n8n/rest/workflows.ts';
import { ACTION, CREDENTIAL } from '../../playground/n8n/typeNames.ts';
import { agentWorkflow } from './agentWorkflow.ts';
import { askNode } from './askingWorkflow.ts';
import { isN8n1, type N8nUnderTest } from './n8nUnderTest.ts';
import { CALLED, callNode } from './nativeNodes.ts';

const START: NodeSettings = { type: 'n8n-nodes-base.manualTrigger' };

/** From 65 seconds on, n8n stores the execution and takes it up from its database again. */
export const LONG_WAIT: NodeSettings = {
	type: 'n8n-nodes-base.wait',
	typeVersion: 1.1,
	parameters: { amount: 66, unit: 'seconds' },
};
export const FAILURE: NodeSettings = {
	type: 'n8n-nodes-base.stopAndError',
	parameters: { errorMessage: 'This always fails.' },
};

/** An account of this API, and the parts of workflows that send a customer a message over it. */
export async function startSendingWays(
	n8n: N8nUnderTest,
	api: LocalApi,
	modelCredential: { id: string; name: string },
	options: Record<string, unknown>,
) {
	const name = `Ways ${randomUUID()}`;
	const credential = await saveAccount(n8n, name, { baseUrl: api.url });
	const message = {
		resource: 'message',
		operation: 'sendTemplate',
		to: CUSTOMER,
		templateName: 'order_update',
		variablesInput: 'none',
		options,
	};

	const own = {
		api,

		/** To whom messages went, in their order. */
		recipients: () => api.calls.map(({ body }) => (body as { to: string }).to),

		send(parameters: object = {}): NodeSettings {
			return {
				type: ACTION,
				parameters: { ...message, ...parameters },
				credentials: { [CREDENTIAL]: credential },
			};
		},

		ask: () => askNode(credential, { options }),

		/** A workflow that begins with Start. */
		workflow: (nodes: Record<string, NodeSettings>): Workflow =>
			chain(`Way ${randomUUID()}`, { Start: START, ...nodes }),

		/** Saves a workflow that others can call. @returns its ID */
		async saveCalled(
			nodes: Record<string, NodeSettings>,
			{ trigger = CALLED, settings = {} } = {},
		): Promise<string> {
			const workflow = chain(`Called ${randomUUID()}`, { Called: trigger, ...nodes });
			const all = { ...workflow, settings: { ...workflow.settings, ...settings } };
			const saved = await n8n.client.workflows.save(all);
			// n8n 1.x calls what is not published, and publishes nothing that others start.
			if (!isN8n1) await n8n.client.workflows.publish(saved);
			return saved.id;
		},

		/** The node that calls a workflow. */
		call: (id: string, { waits = true } = {}) => callNode(id, waits),

		/** An agent whose tool is the action node. */
		agentSends: (agentVersion?: number): Workflow =>
			agentWorkflow(modelCredential, credential, message, {}, agentVersion),

		/** An agent whose tool calls a workflow. */
		agentCalls(id: string, agentVersion?: number): Workflow {
			const tool = {
				type: '@n8n/n8n-nodes-langchain.toolWorkflow',
				typeVersion: 2.2,
				parameters: {
					description: 'Informs the customer',
					workflowId: { __rl: true, mode: 'id', value: id },
					workflowInputs: { mappingMode: 'defineBelow', value: {}, schema: [] },
				},
				credentials: {},
			};
			return agentWorkflow(modelCredential, credential, {}, tool, agentVersion);
		},
	};
	return own;
}

export type SendingWays = Awaited<ReturnType<typeof startSendingWays>>;
