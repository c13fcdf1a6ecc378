import { ExecutionLifecycleHooks, ExternalSecretsProxy, WorkflowExecute } from 'n8n-core';
import {
	createRunExecutionData,
	type IConnections,
	type INode,
	type INodeExecutionData,
	type INodeType,
	type INodeTypes,
	type IRun,
	type IWorkflowExecuteAdditionalData,
	UnexpectedError,
	Workflow,
	type WorkflowExecuteMode,
} from 'n8n-workflow';
import { PlainCredentials, type Credential } from './credentials.ts';

export interface WorkflowToRun {
	/** The first one starts, with `input`. Credentials are added by what the node's description lists. */
	nodes: Array<Pick<INode, 'name' | 'type'> & Partial<INode>>;
	connections?: IConnections;
	/** By the `type` that `nodes` use. */
	nodeTypes: Record<string, INodeType>;
	credentials?: Credential[];
	input?: INodeExecutionData[];
	mode?: WorkflowExecuteMode;
}

export interface FinishedWorkflow {
	run: IRun;
	/** What the last run of a node put on one of its outputs. */
	output: (nodeName: string, outputIndex?: number) => INodeExecutionData[];
}

const BASE_URL = 'http://127.0.0.1';
let executions = 0;

function unavailable(): never {
	throw new UnexpectedError('Not available in a workflow test');
}

/** What n8n's server hands to its engine; it runs nodes, but neither sub-workflows nor task runners. */
function engineSurroundings(
	credentialsHelper: PlainCredentials,
	executionId: string,
): IWorkflowExecuteAdditionalData {
	return {
		credentialsHelper,
		externalSecretsProxy: new ExternalSecretsProxy(),
		currentNodeExecutionIndex: 0,
		variables: {},
		restApiUrl: BASE_URL,
		executionId,
		instanceBaseUrl: BASE_URL,
		formBaseUrl: BASE_URL,
		formWaitingBaseUrl: BASE_URL,
		formTestBaseUrl: BASE_URL,
		webhookBaseUrl: BASE_URL,
		webhookWaitingBaseUrl: BASE_URL,
		webhookTestBaseUrl: BASE_URL,
		mcpBaseUrl: BASE_URL,
		mcpTestBaseUrl: BASE_URL,
		logAiEvent: () => undefined,
		executeWorkflow: unavailable,
		getRunExecutionData: unavailable,
		getRuntimeCredential: unavailable,
		startRunnerTask: unavailable,
	};
}

function buildWorkflow(
	{ nodes, connections = {}, nodeTypes }: WorkflowToRun,
	credentials: PlainCredentials,
): Workflow {
	const known: INodeTypes = {
		getByName: (type) => nodeTypes[type] ?? unavailable(),
		getByNameAndVersion: (type) => nodeTypes[type] ?? unavailable(),
		getKnownTypes: unavailable,
	};
	const complete = nodes.map((node): INode => {
		const listed = nodeTypes[node.type]?.description.credentials ?? [];
		return {
			id: node.name,
			typeVersion: 1,
			position: [0, 0],
			parameters: {},
			credentials: Object.assign({}, ...listed.map(({ name }) => credentials.reference(name))),
			...node,
		};
	});
	return new Workflow({
		id: 'workflow-test',
		name: 'Workflow test',
		nodes: complete,
		connections,
		active: false,
		nodeTypes: known,
		settings: { executionOrder: 'v1' },
	});
}

/** Runs a workflow on n8n's own engine, with its real HTTP helpers, its expressions and its retries. */
export async function runWorkflow(toRun: WorkflowToRun): Promise<FinishedWorkflow> {
	const { input = [{ json: {} }], mode = 'trigger' } = toRun;
	const credentials = new PlainCredentials(toRun.credentials ?? []);
	const workflow = buildWorkflow(toRun, credentials);
	const node = workflow.getNode(toRun.nodes[0].name) ?? unavailable();

	const { id, name = '', nodes, connectionsBySourceNode: connections } = workflow;
	const saved = { id, name, nodes: Object.values(nodes), connections };
	const now = new Date();
	const executionId = `execution-test-${(executions += 1)}`;
	const hooks = new ExecutionLifecycleHooks(mode, executionId, {
		...saved,
		active: false,
		activeVersionId: null,
		isArchived: false,
		createdAt: now,
		updatedAt: now,
	});
	const run = await new WorkflowExecute(
		{ ...engineSurroundings(credentials, executionId), hooks },
		mode,
		createRunExecutionData({
			executionData: { nodeExecutionStack: [{ node, data: { main: [input] }, source: null }] },
		}),
	).processRunExecutionData(workflow);

	const output = (nodeName: string, outputIndex = 0) =>
		run.data.resultData.runData[nodeName]?.at(-1)?.data?.main[outputIndex] ?? [];
	return { run, output };
}
