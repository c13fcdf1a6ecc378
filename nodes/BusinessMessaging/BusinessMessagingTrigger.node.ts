import { NodeOperationError } from 'n8n-workflow';
import type {
	IDataObject,
	IExecuteFunctions,
	IHookFunctions,
	INodeExecutionData,
	INodeType,
	INodeTypeDescription,
	IWebhookFunctions,
	IWebhookResponseData,
} from 'n8n-workflow';

import { CREDENTIAL } from './api';
import { systemClock } from './clock';
import { isSetToEngineV2 } from './engineV2';
import { InputError } from './errors/inputError';
import { claimItems } from './events/claimItems';
import { triggerFields } from './events/fields';
import { greet } from './events/greeting';
import { demandReadable, readDropsRepeated } from './events/options';
import { OUTPUTS_EXPRESSION, outputsOf } from './events/outputs';
import { LISTENING, PUBLISHED, triggerPanel } from './events/panel';
import { receive, refuse } from './events/receive';
import { demandAccepted, isStandIn } from './events/refusal';
import { SUBTITLE_EXPRESSION } from './events/subtitle';
import { demandSecret } from './events/token';

export class BusinessMessagingTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Business Messaging Trigger',
		name: 'businessMessagingTrigger',
		icon: {
			light: 'file:businessMessagingTrigger.svg',
			dark: 'file:businessMessagingTrigger.dark.svg',
		},
		group: ['trigger'],
		// For 1, n8n computes an expression for each request, which takes it longer than all the rest.
		version: 2,
		subtitle: SUBTITLE_EXPRESSION,
		description: 'Starts the workflow when a customer writes, submits a form or gets a message',
		defaults: { name: 'Business Messaging Trigger' },
		triggerPanel,
		eventTriggerDescription: LISTENING,
		activationMessage: PUBLISHED,
		builderHint: {
			searchHint:
				"Starts from events of the provider: incoming messages, deliveries, failures, submitted forms. Nothing is registered by n8n: the user enters the Production URL, with ?token= and the credential's webhook secret at its end, in the provider's dashboard, and publishes the workflow. Repeated events are dropped by itself. Each item has event, timestamp, data, and phone, the customer's number.",
			relatedNodes: [
				{
					nodeType: 'n8n-nodes-business-messaging.businessMessaging',
					relationHint: 'Answers with a template: map phone to its to',
				},
			],
		},
		inputs: [],
		outputs: OUTPUTS_EXPRESSION,
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
				// Empty, so that the answer is what webhook() returns.
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
		properties: triggerFields,
	};

	// The URL is entered in the provider's dashboard by hand (4.3): there is nothing to register.
	webhookMethods = {
		default: {
			// Never true, so that n8n calls create().
			async checkExists(this: IHookFunctions): Promise<boolean> {
				return false;
			},
			async create(this: IHookFunctions): Promise<boolean> {
				await demandSecret(this);
				demandReadable(this);
				return true;
			},
			async delete(this: IHookFunctions): Promise<boolean> {
				return true;
			},
		},
	};

	async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
		const answer = await answerTo(this);
		return isSetToEngineV2(this) ? withoutExecute(this, answer) : answer;
	}

	/** n8n calls this with what webhook() emitted; in queue mode that is in a worker. */
	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		// All inputs: n8n 2.38 calls this after webhook() has spread the event for engine v2.
		const received = this.getExecuteData().data.main.flatMap((items) => items ?? []);
		try {
			demandAccepted(received);
			const options = this.getNodeParameter('options', 0, {}) as IDataObject;
			const items = readDropsRepeated(options)
				? await claimItems(this, received, systemClock)
				: received;
			return outputsOf(items, this.getNodeParameter('outputMode', 0, 'single'));
		} catch (error) {
			const { message } = error as Error;
			const description = error instanceof InputError ? error.remedy : undefined;
			throw new NodeOperationError(this.getNode(), error as Error, { message, description });
		}
	}
}

async function answerTo(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	try {
		return context.getWebhookName() === 'setup'
			? greet(context)
			: await receive(context, systemClock);
	} catch (error) {
		const reason = error instanceof InputError ? error.sentences : String(error);
		return refuse(context, 500, 'The event could not be processed', reason);
	}
}

/** Does here what is left of execute()'s work in engine v2, which puts out what webhook() returns. */
function withoutExecute(
	context: IWebhookFunctions,
	answer: IWebhookResponseData,
): IWebhookResponseData {
	const [items] = answer.workflowData ?? [];
	if (!items) return answer;
	const workflowData = isStandIn(items)
		? undefined
		: outputsOf(items, context.getNodeParameter('outputMode', 'single'));
	return { ...answer, workflowData };
}
