import {
	ExecutionLifecycleHooks,
	ExternalSecretsProxy,
	WebhookContext,
	WorkflowExecute,
} from 'n8n-core';
import {
	createRunExecutionData,
	type IConnections,
	type IDataObject,
	type IExecuteFunctions,
	type INode,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	type IWebhookData,
	type IWorkflowBase,
	type IWorkflowExecuteAdditionalData,
	type IWorkflowSettings,
	type NodeConnectionType,
	Workflow,
	type WorkflowExecuteMode,
} from 'n8n-workflow';
import { type Credential, plainCredentials } from './credentials.mts';
import { inTheirFields } from './inTheirFields.mts';

export interface WorkflowToRun {
	/** The first one starts, with `input`. Credentials are added by what the node's description lists. */
	nodes: Array<Pick<INode, 'name' | 'type'> & Partial<INode>>;
	connections?: IConnections;
	/** By the `type` that `nodes` use. */
	nodeTypes: Record<string, INodeType>;
	credentials?: Credential[];
	input?: INodeExecutionData[];
	settings?: IWorkflowSettings;
	mode?: WorkflowExecuteMode;
	/** What n8n has stored of the first node with an execution that waits, or is retried. */
	context?: IDataObject;
}

/** A node that a test makes up. @param more of its description */
export function madeUpNode(
	execute: (this: IExecuteFunctions) => Promise<INodeExecutionData[][]>,
	more: Partial<INodeTypeDescription> = {},
): INodeType {
	const main = { inputs: ['main' as const], outputs: ['main' as const] };
	const described = { displayName: 'Made up', name: 'madeUp', version: 1, defaults: {} };
	const description = {
		...described,
		...main,
		properties: [],
		description: '',
		group: [],
		...more,
	};
	return { description, execute };
}

/** A connection. */
export const to = (node: string, type: NodeConnectionType = 'main') => [{ node, type, index: 0 }];

/** A node that puts out these batches, one a round, and then what comes back. */
export function loopOver(batches: IDataObject[][]): INodeType {
	return madeUpNode(
		async function () {
			const memory = this.getContext('node');
			const round = Number(memory.round ?? 0);
			memory.round = round + 1;
			if (round === batches.length) return [[], this.getInputData()];
			return [batches[round].map((json, item) => ({ json, pairedItem: { item } })), []];
		},
		{ outputs: ['main', 'main'] },
	);
}

const BASE_URL = 'http://127.0.0.1';
let executions = 0;

function buildWorkflow({ nodes, connections = {}, nodeTypes, settings }: WorkflowToRun): Workflow {
	const complete = nodes.map((node): INode => {
		const { credentials = [] } = nodeTypes[node.type].description;
		const { parameters = {} } = node;
		const isOurs = node.type.includes('businessMessaging');
		return {
			id: node.name,
			typeVersion: 1,
			position: [0, 0],
			credentials: Object.fromEntries(credentials.map(({ name }) => [name, { id: name, name }])),
			...node,
			parameters: isOurs ? inTheirFields(parameters) : parameters,
		};
	});
	return new Workflow({
		id: 'workflow-test',
		name: 'Workflow test',
		nodes: complete,
		connections,
		active: false,
		nodeTypes: {
			getByName: (type) => nodeTypes[type],
			getByNameAndVersion: (type) => nodeTypes[type],
			getKnownTypes: () => ({}),
		},
		settings: { executionOrder: 'v1', ...settings },
	});
}

/** Runs a workflow on n8n's own engine, with its real HTTP helpers, its expressions and its retries. */
export async function runWorkflow(toRun: WorkflowToRun) {
	const { input = [{ json: {} }], mode = 'trigger', credentials = [], context = {} } = toRun;
	const workflow = buildWorkflow(toRun);
	const { id, name, nodes, connectionsBySourceNode: connections } = workflow;
	const executionId = `execution-test-${(executions += 1)}`;
	const stored = { id, name, nodes: Object.values(nodes), connections, active: false };
	const hooks = new ExecutionLifecycleHooks(mode, executionId, stored as IWorkflowBase);
	/** What n8n's server hands to its engine. */
	const surroundings: Partial<IWorkflowExecuteAdditionalData> = {
		credentialsHelper: plainCredentials(credentials),
		externalSecretsProxy: new ExternalSecretsProxy(),
		currentNodeExecutionIndex: 0,
		variables: {},
		executionId,
		instanceBaseUrl: BASE_URL,
		webhookWaitingBaseUrl: BASE_URL,
		formWaitingBaseUrl: BASE_URL,
		hooks,
	};
	const node = nodes[toRun.nodes[0].name];
	const run = await new WorkflowExecute(
		surroundings as IWorkflowExecuteAdditionalData,
		mode,
		createRunExecutionData({
			executionData: {
				contextData: { [`node:${node.name}`]: context },
				nodeExecutionStack: [{ node, data: { main: [input] }, source: null }],
			},
		}),
	).processRunExecutionData(workflow);

	/** What the last run of a node put on one of its outputs. */
	const output = (nodeName: string, outputIndex = 0) =>
		run.data.resultData.runData[nodeName]?.at(-1)?.data?.main[outputIndex] ?? [];
	/** What a request to a node gets from n8n while the execution waits. */
	const webhookOf = (nodeName: string) =>
		new WebhookContext(
			workflow,
			nodes[nodeName],
			surroundings as IWorkflowExecuteAdditionalData,
			'webhook',
			{} as IWebhookData,
			[],
			run.data,
		);
	return { run, output, webhookOf };
}
