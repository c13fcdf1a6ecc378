import { ExecuteContext, ExternalSecretsProxy } from 'n8n-core';
import {
	createEmptyRunExecutionData,
	type IDataObject,
	type INode,
	type INodeParameters,
	type IWorkflowExecuteAdditionalData,
	Workflow,
} from 'n8n-workflow';
import { BusinessMessaging } from '../../nodes/BusinessMessaging/BusinessMessaging.node';
import { plainCredentials } from '../support/credentials.mts';
import { MISBEHAVIORS, useFaultServer } from '../support/faultServer.mts';
import { accountAt } from '../support/runNode.mts';

const SEND = {
	operation: 'sendTemplate',
	to: "={{ $fromAI('to', 'Phone number', 'string') }}",
	templateName: 'order_update',
	category: 'utility',
	variablesInput: 'none',
};
const LOOK_UP = { operation: 'getStatus', messageId: "={{ $fromAI('to') }}" };
const WORDS = { to: '+12025550110' };
const CAPPED = { frequencyCap: { cap: { messages: 1, period: 24, unit: 'hours' } } };

const server = useFaultServer();

/**
 * Runs the node as n8n's own Agents do: with the node's context, but outside of any workflow and execution. The same
 * steps as n8n's EphemeralNodeExecutor, which is part of n8n's server.
 * @param words what the model says
 */
async function call(parameters: INodeParameters, words: IDataObject = WORDS) {
	const action = new BusinessMessaging();
	const node: INode = {
		id: 'ephemeral',
		name: 'Target Node',
		type: 'n8n-nodes-business-messaging.businessMessagingTool',
		typeVersion: 1,
		position: [0, 0],
		parameters: { resource: 'message', ...parameters },
		credentials: { businessMessagingApi: { id: '1', name: 'Account' } },
	};
	const nodeType = () => action;
	const nodeTypes = {
		getByName: nodeType,
		getByNameAndVersion: nodeType,
		getKnownTypes: () => ({}),
	};
	const surroundings: Partial<IWorkflowExecuteAdditionalData> = {
		credentialsHelper: plainCredentials(accountAt(server.url)),
		externalSecretsProxy: new ExternalSecretsProxy(),
		currentNodeExecutionIndex: 0,
		variables: {},
	};
	const items = [{ json: words }];
	const input = { main: [items] };
	const context = new ExecuteContext(
		new Workflow({ nodes: [node], connections: {}, active: false, nodeTypes }),
		node,
		surroundings as IWorkflowExecuteAdditionalData,
		'internal',
		createEmptyRunExecutionData(),
		0,
		items,
		input,
		{ node, data: input, source: null },
		[],
	);
	const [[{ json }]] = await action.execute.call(context);
	return json;
}

/** What the model reads of the error. */
const refusal = async (...given: Parameters<typeof call>) =>
	((await call(...given)).error as IDataObject).message;

beforeEach(() => {
	server.behave = () => MISBEHAVIORS.read;
});

// docs/ai-agents.md: n8n's own Agents
describe("in n8n's own Agents, where there is no workflow,", () => {
	it.each([
		['keeps the limit of a call', { ...SEND, options: { spendingLimit: 0.2 } }, { status: 'read' }],
		['looks a status up', LOOK_UP, { message_id: 'm1' }],
	])('the node %s', async (_, parameters, output) => {
		expect(await call(parameters)).toMatchObject(output);
		// What the first call has spent does not count.
		expect(await call(parameters)).toMatchObject(output);
	});

	const BUDGET = { budget: { budget: { amount: 1, period: 'day' } } };
	const LIST = { sendOnlyTo: { only: { who: 'list', numbers: '+12025550199' } } };

	it.each<[INodeParameters, string]>([
		[{ sendOnceKey: 'order-17' }, "Send Once Key can't be used in n8n's own Agents"],
		[CAPPED, "Frequency Cap can't be used in n8n's own Agents"],
		[BUDGET, "Budget can't be used in n8n's own Agents"],
		[{ spendingLimit: 0.1 }, 'more than the spending limit'],
		[{ sendOnlyTo: { only: { who: 'whoWrote' } } }, 'Send Only To allows only who wrote'],
		[LIST, 'is not in the list of Send Only To'],
	])('%j is refused by name before the first request', async (options, told) => {
		const read = await refusal({ ...SEND, options });
		expect(read).toContain(told);
		expect(read).toContain('Nothing was sent.');
		expect(server.received).toEqual([]);
	});

	// SECURITY, Tools of AI agents: a value that no $fromAI names
	it('a value that the node does not ask for is refused before the first request', async () => {
		expect(await refusal(SEND, { ...WORDS, category: 'marketing' })).toContain(
			'The tool does not ask for category. Call it again with these values only: to.',
		);
		expect(server.received).toEqual([]);
	});

	it('the model reads that a message may have been sent, and that it must not call again: nothing else keeps it from that', async () => {
		server.behave = () => MISBEHAVIORS.resetAfterSending;
		for (const requests of [1, 2]) {
			const read = await refusal(SEND);
			expect(read).toMatch(/may have been sent.* Do not call this tool again/);
			expect(server.received).toHaveLength(requests);
		}
	});

	it('no question is asked', async () => {
		const parameters = { ...SEND, operation: 'sendAndWait', message: 'May we?' };
		expect(await refusal(parameters, WORDS)).toContain("can't be a tool of an AI agent");
		expect(server.received).toEqual([]);
	});
});
