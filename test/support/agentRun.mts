import type {
	EngineResponse,
	IDataObject,
	IExecuteFunctions,
	INode,
	INodeParameters,
	INodeType,
} from 'n8n-workflow';
import { BusinessMessaging } from '../../nodes/BusinessMessaging/BusinessMessaging.node';
import { madeUpNode, runWorkflow, to } from './engine.mts';
import { accountAt } from './runNode.mts';

const ACTION = 'n8n-nodes-business-messaging.businessMessaging';

/** The action node as n8n offers it to agents. */
function toolType(): INodeType {
	const action = new BusinessMessaging();
	return Object.assign(action, { description: { ...action.description, outputs: ['ai_tool'] } });
}

function agent(
	execute: (this: IExecuteFunctions, response?: EngineResponse) => Promise<unknown>,
): INodeType {
	const inputs = [{ type: 'main' as const }, { type: 'ai_tool' as const }];
	return madeUpNode(execute as Parameters<typeof madeUpNode>[0], { inputs });
}

/** As AI Agent 3: it has n8n's engine run the node that is its tool. @param calls of one step */
function engineAgent(nodeName: string, calls: IDataObject[], isReview = false): INodeType {
	return agent(async (response) => {
		if (response && response.actionResponses.length > 0) {
			const read = response.actionResponses.map(({ data }) => data?.data?.ai_tool?.[0] ?? []);
			return [read.map((items) => ({ json: { read: items.map(({ json }) => json) } }))];
		}
		const actions = calls.map((input, index) => ({
			actionType: 'ExecutionNodeAction',
			nodeName,
			input,
			type: 'ai_tool',
			id: `call_${index + 1}`,
			metadata: { itemIndex: 0, ...(isReview && reviewOf(input)) },
		}));
		return { actions, metadata: {} };
	});
}

/** What n8n keeps of the call of a tool that is reviewed. */
function reviewOf({ tool, toolParameters }: IDataObject) {
	return { hitl: { gatedToolNodeName: tool, toolName: tool, originalInput: toolParameters } };
}

interface InvokableTool {
	invoke: (words: IDataObject) => Promise<string>;
}

/** As AI Agent 2.2: it runs its tools itself, all calls of a step at once. */
function ownAgent(calls: IDataObject[]): INodeType {
	return agent(async function () {
		const [tool] = (await this.getInputConnectionData('ai_tool', 0)) as InvokableTool[];
		const answers = calls.map(async (input) => {
			// As the agents do, it tells its model of the message only.
			const answer = await tool
				.invoke(input)
				.catch(({ message }: Error) => JSON.stringify(message));
			return { json: { read: JSON.parse(answer) as IDataObject } };
		});
		return [await Promise.all(answers)];
	});
}

export interface AgentRun {
	baseUrl: string;
	/** Of the tool. */
	parameters: INodeParameters;
	/** What the model says in one step: the arguments of each call, with what n8n adds. */
	calls: IDataObject[];
	/** The agent's input. */
	item?: IDataObject;
	agentVersion?: 2.2 | 3;
	/** What the model of another agent says, whose tool the agent is: it is of version 3. */
	saidToAgent?: IDataObject;
	/** It is the Human review of another tool. */
	isReview?: boolean;
	settings?: Partial<INode>;
}

/**
 * Runs the action node as the tool of an agent, on n8n's engine.
 * @returns what the model reads after each call
 */
export async function runAgent(given: AgentRun): Promise<string[]> {
	const { parameters, calls, item = {}, agentVersion = 3, saidToAgent, isReview } = given;
	const type = `${ACTION}${isReview ? 'HitlTool' : 'Tool'}`;
	const first = saidToAgent ? 'Outer' : 'Agent';
	const { run, output } = await runWorkflow({
		nodes: [
			{ name: 'Start', type: 'start' },
			{ name: 'Outer', type: 'outer' },
			{ name: 'Agent', type: 'agent' },
			{ name: 'Tool', type, parameters: { resource: 'message', ...parameters }, ...given.settings },
		],
		connections: {
			Start: { main: [to(first)] },
			Tool: { ai_tool: [to('Agent', 'ai_tool')] },
			Agent: { ai_tool: [to('Outer', 'ai_tool')] },
		},
		nodeTypes: {
			start: madeUpNode(async () => [[{ json: item }]]),
			outer: engineAgent('Agent', [saidToAgent ?? {}]),
			agent: agentVersion === 3 ? engineAgent('Tool', calls, isReview) : ownAgent(calls),
			[type]: toolType(),
		},
		credentials: accountAt(given.baseUrl),
	});
	const { error } = run.data.resultData;
	if (error) throw error;
	return output(first).map(({ json }) => JSON.stringify(json.read));
}
