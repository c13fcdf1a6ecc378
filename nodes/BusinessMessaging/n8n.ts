import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type INode,
	type INodeExecutionData,
	type INodeParameters,
	type IRunData,
	type IWebhookFunctions,
	type IWorkflowExecuteAdditionalData,
	traverseNodeParameters,
	type Workflow,
} from 'n8n-workflow';
import { isReadable, type NodeContext } from './layouts';

// n8n logs this error and starts without the package. Otherwise it would log a misleading error, about the class name.
if (NodeConnectionTypes === undefined) {
	throw new Error(
		'n8n-nodes-business-messaging needs n8n 1.123.81 or newer. Update n8n, or remove the package under Settings → Community nodes.',
	);
}

/** Whether the node runs as a tool of an AI agent. */
export function isTool({ type }: INode): boolean {
	return type.endsWith('Tool');
}

/** Whether n8n runs the node as the "Human review" of an agent's tool. */
export function isHumanReview({ type }: INode): boolean {
	return type.endsWith('HitlTool');
}

/** Whether an agent's model calls the node. */
export function isOfAgent(context: IExecuteFunctions): boolean {
	return isTool(context.getNode()) || !hasWorkflow(context);
}

/**
 * False in n8n's own Agents, which run a node outside of any workflow and execution. So n8n keeps nothing for the node
 * there: no context, and no rows in its database, which belong to a workflow.
 */
export function hasWorkflow(context: IExecuteFunctions): boolean {
	return context.getWorkflow().id !== undefined;
}

/**
 * n8n's Chat Hub makes a workflow for each message, and deletes it. n8n's MCP server runs published workflows in the same
 * mode.
 */
export function isInChatHub(context: IExecuteFunctions): boolean {
	return context.getMode() === 'chat' && !context.getWorkflow().active;
}

/**
 * What n8n stores with the execution for the node. Without a workflow it is lost. What another version of this package
 * has stored stays as it is, and the node gets an empty one: see `isOfOtherVersion`.
 */
export function contextOf(context: IExecuteFunctions): NodeContext {
	const stored: NodeContext = hasWorkflow(context) ? context.getContext('node') : {};
	return isReadable(stored.layout) ? stored : {};
}

/** Whether the execution's context of the node is another version's. */
export function isOfOtherVersion(context: IExecuteFunctions): boolean {
	return hasWorkflow(context) && !isReadable(context.getContext('node').layout);
}

/** How often n8n has run the node before in this execution: loops run it again, Retry On Fail does not count. */
export function runIndexOf(context: IExecuteFunctions): number {
	return Number(context.getWorkflowDataProxy(0).$runIndex ?? 0);
}

/** What a node's context has besides its interface. n8n's types lack most of it, and its older versions some. */
interface ContextInternals {
	/** n8n's own object, of which getNode() gives a copy. A tool's getExecuteData() can have the node that calls it. */
	node?: INode;
	/** Of a tool that another node runs. */
	parentNode?: INode;
	workflow?: Workflow;
	runExecutionData?: StoredRun;
	/** What the node's expressions read. */
	connectionInputData?: INodeExecutionData[];
	/** Only of a node that another one runs. */
	connectionType?: string;
	additionalData?: IWorkflowExecuteAdditionalData & {
		/** The mode of the first of the runs that call each other, until one of them has waited. */
		rootExecutionMode?: string;
		hooks?: ExecutionHooks;
	};
}

/** What n8n keeps of a run. */
export interface StoredRun {
	executionData?: {
		runtimeData?: RunStart;
		/** What is still to run: an agent, too, behind the tools that it called. */
		nodeExecutionStack?: Array<{
			node?: INode;
			metadata?: { subNodeExecutionData?: { actions: ToolCall[] } };
		}>;
	};
	/** The run that called this sub-workflow, or whose failure started this error workflow. */
	parentExecution?: { executionId?: string; executionContext?: RunStart };
	manualData?: { source?: string };
	resultData?: { runData: IRunData };
}

interface ToolCall {
	action: {
		id: string;
		nodeName: string;
		/** What the model says, and what n8n adds. */
		input: unknown;
		metadata?: { hitl?: GatedTool };
	};
}

/** What n8n runs when a person approves it. */
interface GatedTool {
	gatedToolNodeName: string;
	/** One node can have several tools. */
	toolName: string;
	/** With what n8n runs it. */
	originalInput?: unknown;
}

/** What n8n stores when a run begins. `source` is its mode, and stays through a Retry. */
export interface RunStart {
	source?: string;
	establishedAt?: number;
	parentExecutionId?: string;
}

/** Of one execution in this process. */
export interface ExecutionHooks {
	/** The execution that this one retries. N8N.md: lineage. */
	retryOf?: string;
	addHandler?: (
		event: 'workflowExecuteAfter',
		handler: (execution: { status?: string }) => void,
	) => void;
}

/** The node itself, of which getNode() gives a copy. */
export function liveNode(context: Pick<IExecuteFunctions, 'getNode'>): INode {
	return (context as { node?: INode }).node ?? context.getNode();
}

export function internalsOf(context: IExecuteFunctions): ContextInternals {
	return context as ContextInternals;
}

/** Whether what this node outputs can lead back to it. */
export function isInLoop(context: IExecuteFunctions): boolean {
	const { name } = context.getNode();
	const before = new Set(context.getParentNodes(name).map((node) => node.name));
	return context.getChildNodes(name).some((node) => before.has(node.name));
}

/**
 * Whether the agent itself runs the node, as agents up to version 2, agents that are tools and MCP Server Trigger do.
 * What a model says reaches only $fromAI there, and $json is the agent's input.
 */
export function runsInAgent(context: IExecuteFunctions): boolean {
	// isToolExecution() is missing before n8n 2.11.
	return internalsOf(context).connectionType === NodeConnectionTypes.AiTool;
}

/**
 * n8n's records of the call whose arguments it has put into the item that the node's expressions read: the call of this
 * node or, if its agent runs it, of the agent as another agent's tool. Several if a model gives two calls one ID.
 */
export function callsOf(context: IExecuteFunctions): Array<ToolCall['action']> {
	const { runExecutionData, connectionInputData } = internalsOf(context);
	const [item] = connectionInputData ?? context.getInputData();
	const { name } = context.getNode();
	return (runExecutionData?.executionData?.nodeExecutionStack ?? [])
		.flatMap(({ metadata }) => metadata?.subNodeExecutionData?.actions ?? [])
		.map(({ action }) => action)
		.filter(
			// Unlike other fields, toolCallId is n8n's.
			({ id, nodeName }) =>
				id === item.json.toolCallId && (nodeName === name || runsInAgent(context)),
		);
}

/** The names by which $fromAI asks an agent's model for values, as n8n reads them. */
export function askedOfModel(parameters: INodeParameters | string): string[] {
	const found: Parameters<typeof traverseNodeParameters>[1] = [];
	traverseNodeParameters(parameters, found);
	return [...new Set(found.map(({ key }) => key))];
}

/** @returns undefined if the execution was deleted, or this n8n can't read it */
export async function storedRun(context: IExecuteFunctions, id: string) {
	try {
		return await context.getExecutionDataById(id);
	} catch {
		return undefined;
	}
}

// What engine v2 lacks: N8N.md: engine-v2.

/** Whether the workflow's settings choose engine v2. n8n 2.38 uses it for manual runs only, whatever they choose. */
export function isSetToEngineV2(context: IWebhookFunctions): boolean {
	return context.getWorkflowSettings().engineType === 'v2';
}

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** Whether engine v2 runs the node. It hides the workflow's settings, but only its execution IDs are UUIDs. */
export function runsInEngineV2(context: IExecuteFunctions): boolean {
	return UUID.test(context.getExecutionId());
}
