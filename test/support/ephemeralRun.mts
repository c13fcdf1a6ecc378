import { ExecuteContext, ExternalSecretsProxy } from 'n8n-core';
import {
	createEmptyRunExecutionData,
	type IDataObject,
	type INode,
	type INodeParameters,
	type IWorkflowExecuteAdditionalData,
	Workflow,
} from 'n8n-workflow';
import { BusinessMessagingApi } from '../../credentials/BusinessMessagingApi.credentials';
import { BusinessMessaging } from '../../nodes/BusinessMessaging/BusinessMessaging.node';
import { plainCredentials } from './credentials.mts';
import { API_KEY } from './runNode.mts';

const TYPE = 'n8n-nodes-business-messaging.businessMessagingTool';
const CREDENTIAL = { id: 'businessMessagingApi', name: 'Account' };

/**
 * Runs the action node as n8n's own Agents do: with the node's context, but outside of any workflow and execution. The
 * same steps as n8n's EphemeralNodeExecutor, which is part of n8n's server.
 * @param words what the model says
 * @throws what the node throws; of it the model reads the message only
 */
export async function runEphemerally(
	baseUrl: string,
	parameters: INodeParameters,
	words: IDataObject = {},
) {
	const action = new BusinessMessaging();
	const nodeTypes = {
		getByName: () => action,
		getByNameAndVersion: () => action,
		getKnownTypes: () => ({}),
	};
	const node: INode = {
		id: 'ephemeral',
		name: 'Target Node',
		type: TYPE,
		typeVersion: 1,
		position: [0, 0],
		parameters: { resource: 'message', ...parameters },
		credentials: { businessMessagingApi: CREDENTIAL },
	};
	const surroundings: Partial<IWorkflowExecuteAdditionalData> = {
		credentialsHelper: plainCredentials([
			{ type: new BusinessMessagingApi(), data: { baseUrl, apiKey: API_KEY } },
		]),
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
	const [output] = await action.execute.call(context);
	return output.map(({ json }) => json);
}
