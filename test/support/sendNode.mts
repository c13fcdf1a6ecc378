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

/** What the node's context has in a loop. */
export const IN_LOOP = {
	getParentNodes: () => [{ name: 'Trigger' }, { name: 'Loop' }],
	getChildNodes: () => [{ name: 'Loop' }, { name: 'Done' }],
};

/** What it has in the second round of a loop. */
export const LATER_ROUND = { ...IN_LOOP, getWorkflowDataProxy: () => ({ $runIndex: 1 }) };
