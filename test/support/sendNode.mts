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
