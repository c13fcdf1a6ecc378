import type {
	IDataObject,
	INode,
	INodeExecutionData,
	INodeParameters,
	IPairedItemData,
	WorkflowExecuteMode,
} from 'n8n-workflow';

import { BusinessMessagingApi } from '../../credentials/BusinessMessagingApi.credentials';
import { BusinessMessaging } from '../../nodes/BusinessMessaging/BusinessMessaging.node';
import type { ApiKey } from '../../playground/api/wellKnown.mts';
import { runWorkflow } from './engine.mts';
import { type Behavior, startFaultServer } from './faultServer.mts';

export const API_KEY = 'key-for-tests-4711';

/** The account of that key on the local API. */
export const ACCOUNT: ApiKey = { key: API_KEY, account: 'tests', plan: 'Scale' };

/** The credential of an account, for n8n's engine. */
export const accountAt = (baseUrl: string, apiKey = API_KEY) => [
	{ type: new BusinessMessagingApi(), data: { baseUrl, apiKey } },
];

export interface NodeRun {
	baseUrl?: string;
	/** Instead of an API at the base URL, a server that misbehaves like this. */
	behave?: Behavior;
	apiKey?: string;
	parameters: INodeParameters;
	items?: IDataObject[];
	/** Node settings such as `onError` and `retryOnFail`. */
	settings?: Partial<INode>;
	mode?: WorkflowExecuteMode;
	/** What n8n has stored of the node with an execution that waits, or is retried. */
	context?: IDataObject;
}

export const CONTINUE = { onError: 'continueRegularOutput' } as const;
export const RETRY = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };
export const BY_HAND = { mode: 'manual' } as const;

type NodeError = { message: string; description?: string | null; context: IDataObject };

export const SEND = {
	operation: 'sendTemplate',
	to: '={{ $json.to }}',
	templateName: 'order_update',
	variablesInput: 'none',
} satisfies INodeParameters;

/** What SEND gives in a dry run: exactly this, so no time from which a Wait node may go on to a send. */
export const shown = (wouldBeSkipped?: string, to = '+14155552671') => ({
	skipped: 'dryRun',
	...(wouldBeSkipped === undefined ? {} : { wouldBeSkipped }),
	to,
	template_name: SEND.templateName,
	category: 'utility',
	estimatedCost: { amount: 0.115, currency: 'INR' },
});

function itemOf({ pairedItem }: INodeExecutionData): number {
	return (pairedItem as IPairedItemData).item;
}

/** Runs the action node alone, on n8n's engine. */
export async function runNode({ behave, ...run }: NodeRun) {
	if (!behave) return { ...(await runOnce(run)), received: [] };
	const server = await startFaultServer(behave);
	try {
		return { ...(await runOnce({ ...run, baseUrl: server.url })), received: server.received };
	} finally {
		await server.close();
	}
}

async function runOnce(run: NodeRun) {
	const { baseUrl = '', apiKey, parameters, items = [{}], settings, ...started } = run;
	const node = new BusinessMessaging();
	const finished = await runWorkflow({
		...started,
		nodes: [{ name: 'Node', type: 'businessMessaging', parameters, ...settings }],
		nodeTypes: { businessMessaging: node, businessMessagingTool: node },
		credentials: accountAt(baseUrl, apiKey),
		input: items.map((json, item) => ({ json, pairedItem: { item } })),
	});
	const { resultData } = finished.run.data;
	const outputs = (resultData.runData.Node?.at(-1)?.data?.main ?? []).map((items) => items ?? []);
	const hasErrorOutput = settings?.onError === 'continueErrorOutput';
	const failed: INodeExecutionData[] = (hasErrorOutput ? outputs.pop() : undefined) ?? [];
	for (const [output, left] of outputs.entries()) {
		const strays = left.filter(({ json }) => Number('skipped' in json) !== output);
		if (parameters.operation === SEND.operation && strays.length > 0) {
			throw new Error(`Wrong on output ${output}: ${JSON.stringify(strays)}`);
		}
	}
	const all = outputs.flat().sort((one, other) => itemOf(one) - itemOf(other));
	return {
		run: finished.run,
		/** Of both outputs, in the order of the input. */
		items: all,
		json: all.map(({ json }) => json),
		/** What left through the error output. */
		failed,
		error: resultData.error as NodeError | undefined,
		hints: resultData.runData.Node?.at(-1)?.hints?.map(({ message }) => message) ?? [],
	};
}
