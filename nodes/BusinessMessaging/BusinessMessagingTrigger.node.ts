import {
	type IExecuteFunctions,
	type IHookFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	type IWebhookFunctions,
	type IWebhookResponseData,
	NodeOperationError,
	type WorkflowActivateMode,
} from 'n8n-workflow';
import { CREDENTIAL } from './api';
import { systemClock } from './clock';
import { ANY_EVENT, EVENTS, EVENT_OUTPUTS_EXPRESSION, eventOutputsOf } from './events/catalogue';
import { logDelivery } from './events/deliveryLog';
import { isOurs } from './events/duplicates';
import {
	assertReady,
	outputModeField,
	openParameters,
	readRememberedHours,
	type TriggerOptions,
	triggerFields,
} from './events/fields';
import { LISTENING, PUBLISHED, triggerPanel } from './events/panel';
import { assertAccepted, greet, isStandIn, receive, refuse } from './events/webhook';
import { InputError, reasonOf } from './inputError';
import { TRIGGER_VERSION } from './layouts';
import { isSetToEngineV2 } from './n8n';
import { withLostOptions } from './parameters';
import { withFormerNames } from './renamed';

const TITLES = JSON.stringify({
	...Object.fromEntries(EVENTS.map(({ name, value }) => [value, name])),
	[ANY_EVENT]: 'All events',
});

/** Below the node's name, computed by the editor: the names of the chosen events. */
export const SUBTITLE_EXPRESSION = `={{ [].concat($parameter["events"] ?? [])
	.map((event) => (${TITLES})[event] || event).join(", ") }}`;

/** `leadershipChange`: another main process takes over. */
const STARTS_OF_N8N: WorkflowActivateMode[] = ['init', 'leadershipChange'];

export class BusinessMessagingTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Business Messaging Trigger',
		name: 'businessMessagingTrigger',
		icon: {
			light: 'file:businessMessagingTrigger.svg',
			dark: 'file:businessMessagingTrigger.dark.svg',
		},
		group: ['trigger'],
		version: TRIGGER_VERSION,
		subtitle: SUBTITLE_EXPRESSION,
		description: 'Starts the workflow when a customer writes, submits a form or gets a message',
		defaults: { name: 'Business Messaging Trigger' },
		triggerPanel,
		eventTriggerDescription: LISTENING,
		activationMessage: PUBLISHED,
		builderHint: {
			searchHint:
				"Starts from events of the provider: incoming messages, deliveries, failures, submitted forms. Nothing is registered by n8n: the user enters the Production URL, with ?token= and the credential's webhook secret at its end, in the provider's dashboard, and publishes the workflow. The trigger drops repeated events by itself. Each item has event, timestamp, data, and phone, the customer's number: null if the customer hides it.",
			relatedNodes: [
				{
					nodeType: 'n8n-nodes-business-messaging.businessMessaging',
					relationHint: 'Answers with a template: map phone to its field To',
				},
			],
		},
		inputs: [],
		outputs: EVENT_OUTPUTS_EXPRESSION,
		credentials: [
			{
				name: CREDENTIAL,
				required: true,
				displayOptions: { show: { authentication: ['secretToken'] } },
			},
		],
		webhooks: [
			{
				name: 'default',
				httpMethod: 'POST',
				responseMode: 'onReceived',
				// Empty, so that n8n responds with what webhook() returns.
				responseData: '',
				path: 'webhook',
			},
			{
				name: 'setup',
				httpMethod: 'GET',
				responseMode: 'onReceived',
				path: 'webhook',
				ndvHideUrl: true,
			},
		],
		properties: withFormerNames(withLostOptions(triggerFields)),
	};

	// The URL is entered in the provider's dashboard by hand (4.3): there is nothing to register.
	webhookMethods = {
		default: {
			// Never true, so that n8n calls create().
			async checkExists(this: IHookFunctions): Promise<boolean> {
				return false;
			},
			async create(this: IHookFunctions): Promise<boolean> {
				if (STARTS_OF_N8N.includes(this.getActivationMode())) await warnUnlessReady(this);
				else await assertReady(this);
				return true;
			},
			async delete(this: IHookFunctions): Promise<boolean> {
				return true;
			},
		},
	};

	async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
		const response = await respond(this);
		const [items] = response.workflowData ?? [];
		if (!items || !isSetToEngineV2(this)) return response;
		// Engine v2 outputs what this returns: the part of execute()'s work that is possible without it.
		const workflowData = isStandIn(items)
			? undefined
			: eventOutputsOf(items, this.getNodeParameter(outputModeField.name));
		return { ...response, workflowData };
	}

	/** Gets what webhook() emitted (N8N.md: execute). */
	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		// With Always Output Data, n8n adds an empty item if the event was dropped or leaves through a later output.
		this.getExecuteData().node.alwaysOutputData = false;
		// One event, in any input: n8n 2.38 calls this after webhook() has spread it for engine v2.
		const received = this.getExecuteData().data.main.flatMap((items) => items ?? []);
		try {
			openParameters(this);
			assertAccepted(received);
			const options = this.getNodeParameter('options', 0, {}) as TriggerOptions;
			const hours = readRememberedHours(options);
			const items: INodeExecutionData[] = [];
			for (const event of received) {
				if (await isOurs(this, event, hours, systemClock)) items.push(event);
			}
			return eventOutputsOf(items, this.getNodeParameter(outputModeField.name, 0));
		} catch (error) {
			const { message } = error as Error;
			const description = error instanceof InputError ? error.remedy : undefined;
			throw new NodeOperationError(this.getNode(), error as Error, { message, description });
		}
	}
}

/**
 * When n8n starts, it answers an error by deleting the workflow's webhooks for the whole cluster, and it starts none of
 * the workflow's other triggers. So log the reason only: webhook() refuses requests by itself.
 */
async function warnUnlessReady(context: IHookFunctions): Promise<void> {
	try {
		await assertReady(context);
	} catch (error) {
		const problem = `Webhook requests are refused until this is solved: ${reasonOf(error)}`;
		logDelivery(context, 'warn', problem);
	}
}

async function respond(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	try {
		return context.getWebhookName() === 'setup'
			? greet(context)
			: await receive(context, systemClock);
	} catch (error) {
		const reason = error instanceof InputError ? error.sentences : String(error);
		return refuse(context, 500, 'The event could not be processed', reason);
	}
}
