import type { INode } from 'n8n-workflow';

/** A node of a workflow that sends; what n8n's errors are made for. */
export const NODE: INode = {
	id: '1',
	name: 'Send',
	type: 'n8n-nodes-business-messaging.businessMessaging',
	typeVersion: 1,
	position: [0, 0],
	parameters: {},
};

/** What the node's context has in an execution, unless a test has it otherwise. */
export const EXECUTION = {
	getMode: (): string => 'trigger',
	getNode: () => NODE,
	getWorkflow: () => ({ id: 'w' }),
	getExecutionId: () => '17',
	getExecutionContext: (): object | undefined => undefined,
	getExecutionCancelSignal: (): AbortSignal | undefined => undefined,
	getExecuteData: () => ({}),
	getWorkflowDataProxy: () => ({ $runIndex: 0 }),
	getParentNodes: () => [{ name: 'Loop' }],
	getChildNodes: () => [{ name: 'Sheet' }],
	getTimezone: () => 'UTC',
	continueOnFail: () => false,
	addExecutionHints: () => undefined,
	sendMessageToUI: () => undefined,
	logger: { info: () => undefined, warn: () => undefined },
};

/** What it has in a loop. */
export const IN_LOOP = {
	getParentNodes: () => [{ name: 'Trigger' }, { name: 'Loop' }],
	getChildNodes: () => [{ name: 'Loop' }, { name: 'Done' }],
};

/** In its second round. */
export const LATER_ROUND = { ...IN_LOOP, getWorkflowDataProxy: () => ({ $runIndex: 1 }) };
