import {
	type ICredentialsDecrypted,
	type ICredentialTestFunctions,
	type IExecuteFunctions,
	type INodeCredentialTestResult,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	type IWebhookDescription,
	type IWebhookFunctions,
	type IWebhookResponseData,
	NodeConnectionTypes,
	NodeOperationError,
} from 'n8n-workflow';
import { toolDescriptionField } from './actions/fields';
import { forBuilders } from './actions/forBuilders';
import { OPERATIONS } from './actions/operations';
import { holdBackField } from './actions/options/holdBack';
import { receiveAnswer } from './actions/sendAndWait/webhook';
import { CREDENTIAL } from './api';
import { systemClock } from './clock';
import { ACTION_VERSION } from './layouts';
import { liveNode } from './n8n';
import { OUTPUTS } from './outcome';
import { withLostOptions } from './parameters';
import { renameParameters, withFormerNames } from './renamed';
import { runItems } from './run/runItems';
import { testCredential } from './transport/credentialTest';

function webhook(httpMethod: 'GET' | 'POST'): IWebhookDescription {
	return {
		name: 'default',
		httpMethod,
		responseMode: 'onReceived',
		// Empty, so that n8n responds with what webhook() returns.
		responseData: '',
		path: '={{ $nodeId }}',
		restartWebhook: true,
		isFullPath: true,
	};
}

/** The links of questions lead here; n8n serves them while the execution waits. */
const sendAndWaitWebhooks = [webhook('GET'), webhook('POST')];

function outputsCalled(names: string[]): string {
	return JSON.stringify(names.map((displayName) => ({ type: 'main', displayName })));
}

/**
 * Send Template, the default, has an output for skipped items. An operation that is an expression is not computed,
 * because n8n removes all outputs when that fails. n8n's AI workflow builder knows `$parameter` only.
 */
const OUTPUTS_EXPRESSION = `={{ ($rawParameter ?? $parameter)["operation"] === "getStatus"
	? ["main"]
	: ($rawParameter ?? $parameter)["operation"] === "sendAndWait"
	? ${outputsCalled(['Answered', 'Skipped'])}
	: ${outputsCalled(OUTPUTS)} }}` as const;

export class BusinessMessaging implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Business Messaging',
		name: 'businessMessaging',
		icon: { light: 'file:businessMessaging.svg', dark: 'file:businessMessaging.dark.svg' },
		group: ['output'],
		version: ACTION_VERSION,
		// By what is entered, because the canvas does not know the value of an expression.
		subtitle:
			'={{ $parameter["operation"] === "getStatus" ? "Get Status" : [$rawParameter["options"]?.["dryRun"] === true ? "Dry run" : $parameter["operation"] === "sendAndWait" ? "Send and Wait" : "Send Template", $rawParameter["templateName"]].filter((text) => text && !String(text).startsWith("=")).join(": ") }}',
		description:
			'Notify customers: send approved template messages and look up their status. Each message costs money and reaches a customer.',
		defaults: { name: 'Business Messaging' },
		builderHint: {
			searchHint:
				'Sends approved templates only: no free text, media or buttons. Messages cost money: set options.dryRun first, for the user to turn off. Never put a loop, batching or wait around it: it takes all items and keeps the rate limit. Output 0: sent. Output 1: skipped, as all of a dry run. Output 2, if onError is continueErrorOutput: failed. templateText has the text: its {{1}} is variable1. Replies that are free: category auto, with customerLastMessageAt. As a tool: $fromAI only where the model must choose, with options.sendOnlyTo and spendingLimit.',
			relatedNodes: [
				{
					nodeType: 'n8n-nodes-business-messaging.businessMessagingTrigger',
					relationHint: 'Starts from what customers write; map its phone to To of this node',
				},
				{
					nodeType: 'n8n-nodes-base.httpRequest',
					relationHint: 'Other endpoints of the API, with this credential as its predefined one',
				},
			],
		},
		usableAsTool: true,
		webhooks: sendAndWaitWebhooks,
		waitingNodeTooltip:
			'={{ $parameter["operation"] === "sendAndWait" ? "The workflow continues when the question is answered, or when its time is over" : "" }}',
		inputs: [NodeConnectionTypes.Main],
		outputs: OUTPUTS_EXPRESSION,
		credentials: [{ name: CREDENTIAL, required: true, testedBy: 'testCredential' }],
		properties: forBuilders(
			withFormerNames([
				{
					// There is only one, but n8n's lists expect a resource with operations.
					displayName: 'Resource',
					name: 'resource',
					type: 'options',
					noDataExpression: true,
					options: [{ name: 'Message', value: 'message' }],
					default: 'message',
				},
				{
					displayName: 'Operation',
					name: 'operation',
					type: 'options',
					noDataExpression: true,
					displayOptions: { show: { resource: ['message'] } },
					options: OPERATIONS.map(({ name, value, action, description }) => ({
						name,
						value,
						action,
						description,
					})),
					default: 'sendTemplate',
				},
				...OPERATIONS.flatMap(toolDescriptionField),
				// Each field once, although several operations show it. The notice of a question comes first.
				...withLostOptions([
					...new Set(OPERATIONS.toReversed().flatMap(({ operation }) => operation.fields)),
				]),
				holdBackField,
			]),
		),
	};

	methods = {
		credentialTest: {
			async testCredential(
				this: ICredentialTestFunctions,
				credential: ICredentialsDecrypted,
			): Promise<INodeCredentialTestResult> {
				return await testCredential(this.helpers, credential.data ?? {});
			},
		},
	};

	async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
		return await receiveAnswer(this, systemClock);
	}

	/**
	 * Programmatic, because declarative routing can't check all items before the first request, pace requests, or
	 * keep a send whose outcome is unknown from being repeated.
	 */
	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		renameParameters(liveNode(this));
		// It has no value if n8n's "Custom API Call" is chosen as the resource.
		const name = this.getNodeParameter('operation', 0, '');
		const chosen = OPERATIONS.find(({ value }) => value === name);
		if (!chosen) {
			throw new NodeOperationError(
				this.getNode(),
				`The operation "${String(name)}" does not exist`,
				{
					description:
						'For an endpoint that has no operation, use an HTTP Request node: as its Authentication choose Predefined Credential Type, and there Business Messaging API.',
				},
			);
		}
		return await runItems(this, chosen.operation, systemClock);
	}
}
