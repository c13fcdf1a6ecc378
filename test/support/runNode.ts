import type {
	IDataObject,
	INode,
	INodeExecutionData,
	INodeParameters,
	WorkflowExecuteMode,
} from 'n8n-workflow';

import { BusinessMessagingApi } from '../../credentials/BusinessMessagingApi.credentials';
import { BusinessMessaging } from '../../nodes/BusinessMessaging/BusinessMessaging.node';
import type { ApiKey } from '../../playground/api/wellKnown.ts';
import { type FinishedWorkflow, runWorkflow } from './engine.ts';
export const API_KEY = 'key-for-tests-4711';

/** The account of that key on the local API. */
export const ACCOUNT: ApiKey = { key: API_KEY, account: 'tests', plan: 'Scale' };

export interface NodeRun {
	baseUrl: string;
	apiKey?: string;
	parameters: INodeParameters;
	items?: IDataObject[];
	/** Node settings such as `onError` and `retryOnFail`. */
	settings?: Partial<INode>;
	mode?: WorkflowExecuteMode;
}

export interface FinishedNode extends Omit<FinishedWorkflow, 'output'> {
	items: INodeExecutionData[];
	/** What left through the error output. */
	failed: INodeExecutionData[];
	json: IDataObject[];
	error: { message: string; description?: string | null; context: IDataObject } | undefined;
	hints: string[];
}

export const SEND = {
	operation: 'sendTemplate',
	to: '={{ $json.to }}',
	templateName: 'order_update',
	variablesInput: 'none',
} satisfies INodeParameters;

/** Runs the action node alone, on n8n's engine. */
export async function runNode(run: NodeRun): Promise<FinishedNode> {
	const { baseUrl, apiKey = API_KEY, parameters, items = [{}], settings, mode } = run;
	const finished = await runWorkflow({
		mode,
		nodes: [{ name: 'Node', type: 'businessMessaging', parameters, ...settings }],
		nodeTypes: { businessMessaging: new BusinessMessaging() },
		credentials: [{ type: new BusinessMessagingApi(), data: { baseUrl, apiKey } }],
		input: items.map((json, item) => ({ json, pairedItem: { item } })),
	});
	const { resultData } = finished.run.data;
	const output = finished.output('Node');
	return {
		run: finished.run,
		items: output,
		failed: finished.output('Node', 1),
		json: output.map(({ json }) => json),
		error: resultData.error as FinishedNode['error'],
		hints: resultData.runData.Node?.at(-1)?.hints?.map(({ message }) => message) ?? [],
	};
}
